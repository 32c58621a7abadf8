"""Whole games through the page in a real browser, and what surrounds them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fm_env.cli import app
from tests.browser.table import Player, serving

pytest.importorskip("fastapi", reason="the server is not installed (extra service)")

IN_PLACE = (".hand [data-action]", ".board [data-action]", ".fairy-row[data-action]")
"""Cards, the table and fairies, before the list of choices."""
SHOTS = os.environ.get("SCREENSHOTS")
"""A folder to leave screenshots in."""


@pytest.fixture(scope="module")
def address(browser: Any) -> Iterator[str]:
    with serving("--rate", "0") as found:
        yield found


@pytest.fixture
def player(browser: Any, address: str) -> Iterator[Player]:
    one = Player(browser, address)
    yield one
    one.context.close()
    assert one.errors == []


def shot(player: Player, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        player.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), animations="disabled")


def no_wider_than_the_screen(player: Player) -> None:
    wide = player.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than the screen"


def test_a_whole_duel_then_its_replay(player: Player) -> None:
    page = player.page
    player.start("fairy_meat/duel", "level:hatchling")
    assert page.locator(".fairy").count() == 2
    player.choose()
    shot(player, "duel")
    assert player.play(IN_PLACE) >= 5
    shot(player, "duel-over")
    assert page.inner_text(".ending h2") in ("You win!", "Hatchling won.", "A draw.")
    page.click("text=Watch it again")
    page.wait_for_selector(".replay[data-step]")
    frames = int(page.get_attribute(".scrub", "max") or 0)
    assert frames > 20
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", frames), ("Home", 0)):
        page.keyboard.press(key)
        page.wait_for_selector(f".replay[data-step='{step}']")
    page.select_option(".scrubber select", "1")
    page.wait_for_selector(".replay[data-seat='1']")
    page.keyboard.press("End")
    assert "over" in page.inner_text(".replay .mat") or page.locator(".exchange").count()
    story = page.inner_text(".replay .story")
    assert "A is dealt an Order Card." in story, "seat 1 isn't told which"
    assert "plans in secret" not in story or "B plans in secret" in story
    shot(player, "replay")


def test_a_whole_skirmish(player: Player) -> None:
    page = player.page
    player.start("fairy_meat/skirmish-1v1", "level:hatchling")
    while not player.is_over() and not page.query_selector(".board .token"):
        player.choose()
    assert page.locator(".piece").count() > 3
    before = page.get_attribute(".board", "viewBox")
    page.click("[aria-label='Closer']")
    assert page.get_attribute(".board", "viewBox") != before
    page.keyboard.press("0")
    assert page.get_attribute(".board", "viewBox") == before
    shot(player, "skirmish-1v1")
    player.play(IN_PLACE)
    assert page.inner_text(".ending h2") in ("You win!", "Hatchling won.", "A draw.")


@pytest.mark.skipif("WHOLE_SKIRMISH" not in os.environ, reason="takes minutes; `make browser` runs it")
def test_the_whole_table_for_two_players(player: Player) -> None:
    player.start("fairy_meat/skirmish", "level:hatchling")
    assert player.play(IN_PLACE, most=20_000) > 100
    shot(player, "skirmish-over")
    player.page.click("text=Watch it again")
    player.page.wait_for_selector(".replay[data-step] .board .token, .replay[data-step]", timeout=300_000)


def test_a_clash_by_keyboard_with_a_hint(player: Player) -> None:
    page = player.page
    player.start("fairy_meat/clash", "random")
    assert not player.is_over()
    page.keyboard.press("h")
    page.wait_for_selector(".hint-box .weigh")
    version = page.get_attribute(".game", "data-version")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    player.wait_beyond(version)
    for _ in range(6):  # an attack that is called off ends without an exchange
        while not player.is_over():
            version = page.get_attribute(".game", "data-version")
            page.keyboard.press("1")
            player.wait_beyond(version)
        if page.query_selector(".exchange"):
            break
        player.start("fairy_meat/clash", "random")
    assert page.query_selector(".exchange") is not None
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_trumps_are_picked_up_from_the_hand(player: Player) -> None:
    """A hand without trumps of one colour is rare, but a clash may bring it: the next one is tried."""
    page = player.page
    for _ in range(6):
        player.start("fairy_meat/clash", "random")
        while not player.is_over():
            if page.query_selector(".hand .card[aria-pressed]"):
                break
            player.choose()
        if page.query_selector(".hand .card[aria-pressed]"):
            break
    page.locator(".hand .card[aria-pressed]").first.click()
    assert page.get_attribute(".hand .card[aria-pressed] >> nth=0", "aria-pressed") == "true"
    assert "Lay 1 " in page.inner_text(".choice.ready")
    version = page.get_attribute(".game", "data-version")
    page.locator(".hand .card[aria-pressed]").first.blur()
    page.keyboard.press("Enter")
    player.wait_beyond(version)
    assert "trump" in page.inner_text(".story")


def test_two_people_on_a_phone_and_a_desk(browser: Any, address: str, player: Player) -> None:
    player.start("fairy_meat/clash", "person")
    link = player.page.inner_text(".share code")
    guest = Player(browser, address, 375, 740, has_touch=True, color_scheme="dark")
    guest.page.goto(link)
    guest.page.wait_for_selector(".game[data-status=running]")
    shot(guest, "phone-dark")
    no_wider_than_the_screen(guest)
    for _ in range(60):
        if player.page.query_selector(".ending") and guest.page.query_selector(".ending"):
            break
        for one in (player, guest):
            if one.page.query_selector(".game[data-turn=true] .choices [data-action]"):
                version = one.page.get_attribute(".game", "data-version")
                first = one.page.locator(".choices [data-action]").first
                if one is guest:
                    first.tap()
                else:
                    first.click()
                one.wait_beyond(version)
        player.page.wait_for_timeout(30)
    results = {one.page.inner_text(".ending h2") for one in (player, guest)}
    assert results == {"A draw."} or "You win!" in results
    assert player.page.evaluate("() => localStorage.length") > 0
    guest.context.close()
    assert guest.errors == []


def test_other_games_are_played_in_words(player: Player) -> None:
    player.start("sword_and_shield/joust", "random")
    for _ in range(3):
        if not player.is_over():
            player.choose()
    player.page.wait_for_selector("pre.text:has-text('Fatigue')")


def test_the_page_is_silent_until_it_is_told_otherwise(player: Player) -> None:
    page = player.page
    page.add_init_script(
        "window.rung = 0; const Real = AudioContext;"
        "AudioContext = class extends Real { constructor() { super(); rung += 1; } }"
    )
    player.start("fairy_meat/clash", "random")
    assert page.get_attribute("[aria-label=Sound]", "aria-pressed") == "false"
    while not player.is_over():
        player.choose()
    assert page.evaluate("rung") == 0
    page.click("[aria-label=Sound]")
    assert page.get_attribute("[aria-label=Sound]", "aria-pressed") == "true"
    assert page.evaluate("rung") == 1


def test_the_lobby_fits_a_phone(browser: Any, address: str) -> None:
    guest = Player(browser, address, 375, 740)
    guest.page.goto(address + "/")
    guest.page.wait_for_selector("#start")
    no_wider_than_the_screen(guest)
    shot(guest, "lobby-phone")
    unlabelled = guest.page.locator("button:not([aria-label])").evaluate_all(
        "(all) => all.filter((one) => !one.textContent.trim()).length"
    )
    assert unlabelled == 0
    guest.context.close()
    assert guest.errors == []


def test_a_replay_file_is_shown_and_a_changed_one_refused(player: Player, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    arguments = ["replay", "record", str(file), "--scenario", "clash", "--agents", "policy:clash,random"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    page = player.page
    page.goto(player.address + "/")
    page.set_input_files("#replay-file", str(file))
    page.wait_for_selector(".replay[data-step='0']")
    thoughts = 0
    for step in range(1, 1 + int(page.get_attribute(".scrub", "max") or 0)):
        thoughts += page.locator(".mind .weigh").count() > 0
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f".replay[data-step='{step}']")
    assert thoughts > 0, "the policy's thoughts aren't shown"
    data = json.loads(file.read_text())
    data["match"]["events"][0][1] = "2r" if data["match"]["events"][0][1] != "2r" else "3r"
    file.write_text(json.dumps(data))
    page.goto(player.address + "/#/")
    page.wait_for_selector("#start")
    page.set_input_files("#replay-file", str(file))
    page.wait_for_selector("text=step 0")
    player.errors.clear()  # the browser tells of the refused request


def test_a_killed_server_comes_back_and_the_game_goes_on(browser: Any, tmp_path: Path) -> None:
    where = ("--rate", "0", "--db", str(tmp_path / "games.db"))
    with serving(*where) as address:
        one = Player(browser, address)
        one.start("fairy_meat/clash", "random")
        assert not one.is_over()
        said = one.page.inner_text(".story")
    one.page.wait_for_selector("#banner:not([hidden])")
    assert "trying again" in one.page.inner_text("#banner")
    with serving(*where, "--port", address.rpartition(":")[2]):
        one.page.wait_for_selector("#banner", state="hidden", timeout=60_000)
        assert one.page.inner_text(".story") == said
        one.play(())
        assert one.page.query_selector(".ending h2") is not None
    one.context.close()
