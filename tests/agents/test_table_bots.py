"""Bots at the whole table: true to their names, legal, thrifty, and blind to what they can't see."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import fm_env
from agents.registry import dispatcher, make, table
from fm_env import registry
from fm_env.batch import Batch
from fm_env.contract import TERMINAL
from fm_env.engine import engine_of
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import Phase
from fm_env.rng import row_for
from fm_env.sources import ROOT

STYLES = ("brawler", "sniper", "witch", "scavenger", "tactician")

ME: dict[str, Any] = {"seat": 0, "type": "wild", "x": 24, "y": 24, "twinkle": 0, "weapons": ["moon_dagger"]}
ARCHER: dict[str, Any] = {**ME, "weapons": ["brownie_bow"]}
WITCH: dict[str, Any] = {**ME, "type": "glitter", "magic": "mean", "twinkle": 4}
FOE: dict[str, Any] = {"seat": 1, "type": "wild", "x": 29, "y": 24, "twinkle": 0}
CORPSE: dict[str, Any] = {**FOE, "live": 0, "kill": 0, "meat_live": 2, "meat_kill": 2}
WALL = {"kind": "box", "x": 32, "y": 24, "width": 2, "depth": 30, "height": 6}
SCREEN = {"kind": "box", "x": 27, "y": 28, "width": 1, "depth": 5, "height": 8}
STEP = {"kind": "box", "x": 22, "y": 30, "width": 4, "depth": 4, "height": 2}


def turn(bot: str, *figures: dict[str, Any], pieces: tuple[dict[str, Any], ...] = ()) -> list[str]:
    """What seat 0 says from the start of a round to the end of its first turn. Its figure holds a
    King; the others act later.
    """
    cards = ["Kr", "2r", "3r", "4r"][: sum(figure.get("live", 1) > 0 for figure in figures)]
    match = fm_env.load("fairy_meat").new_match(
        scenario="skirmish",
        terrain={"size": 48, "pieces": list(pieces)},
        setup={"figures": list(figures)},
        chance=cards,
        seed=3,
    )
    player, said = make(bot, "fairy_meat"), []
    while not match.is_over and "end turn" not in said:
        seat = match.pending[0]
        if seat == 0:
            choice = int(player.act(match.observation(0), match.mask(0)))
            said.append(match.legal(0)[match.legal_ids(0).index(choice)])
            match.play(0, choice)
        else:
            match.play(seat, "hold" if "hold" in match.legal(seat) else match.legal_ids(seat)[0])
    return said


def in_order(said: list[str], *wanted: str) -> bool:
    """Whether `wanted` were said in that order, others between them."""
    rest = iter(said)
    return all(any(word in text for text in rest) for word in wanted)


def test_a_brawler_closes_and_hits():
    assert in_order(turn("brawler", ME, FOE), "frolic", "go to", "attack with weapon 1", "end turn")
    assert in_order(turn("brawler", ME, {**FOE, "x": 44}), "flutter", "go to", "end turn")


def test_a_brawler_hits_the_weaker_of_two_and_leaves_the_dead_alone():
    weak = {**FOE, "x": 19, "live": 1, "kill": 1}
    said = turn("brawler", ME, FOE, weak, {**CORPSE, "x": 24, "y": 25})
    assert in_order(said, "go to", "fairy 7", "attack")
    assert not any("eat" in text for text in said)


def test_a_sniper_shoots_posed_from_afar():
    assert in_order(turn("sniper", ARCHER, {**FOE, "x": 40}), "attack with weapon 1", "pose", "end turn")


def test_a_sniper_shoots_and_flies_from_who_is_near():
    assert in_order(turn("sniper", ARCHER, {**FOE, "x": 28}), "attack with weapon 1", "flutter", "head W")


def test_a_sniper_climbs_to_where_she_can_shoot_and_shoots():
    said = turn("sniper", ARCHER, {**FOE, "x": 40}, pieces=(STEP,))
    assert in_order(said, "frolic", "go onto", "attack with weapon 1", "end turn")


def test_a_sniper_does_not_climb_where_a_friend_stands_or_a_wall_is_in_the_way():
    friend = {**ARCHER, "x": 23.3, "y": 28.7}
    for others in (turn("sniper", ARCHER, {**FOE, "x": 40}, friend, pieces=(STEP,)), blocked_perch()):
        assert in_order(others, "attack with weapon 1", "pose")
        assert not any("onto" in text for text in others)


def blocked_perch() -> list[str]:
    """What a sniper says who sees her victim, but from no height."""
    screen = {"kind": "box", "x": 32, "y": 32, "width": 2, "depth": 12, "height": 8}
    return turn("sniper", ARCHER, {**FOE, "x": 40}, pieces=({**STEP, "y": 31}, screen))


@pytest.mark.parametrize("bot", ["sniper", "tactician"])
def test_an_archer_flies_into_cover_from_an_archer_after_her_shot(bot):
    foe = {**FOE, "x": 40, "weapons": ["brownie_bow"]}
    said = turn(bot, ARCHER, foe, pieces=(SCREEN,))
    assert in_order(said, "attack with weapon 1", "frolic", "take cover", "end turn")
    assert in_order(turn(bot, ARCHER, foe), "attack with weapon 1", "pose")  # there is no cover
    assert in_order(turn(bot, ARCHER, {**foe, "weapons": []}, pieces=(SCREEN,)), "pose")  # and no need


def test_a_tactician_who_can_not_attack_takes_cover():
    """Without Kill there is nothing to do but eat: so out of the archer's sight, unless safety is dear."""
    weak, foe = {**ME, "kill": 0}, {**FOE, "x": 42, "weapons": ["brownie_bow"]}
    assert in_order(turn("tactician:patience=0", weak, foe, pieces=(SCREEN,)), "frolic", "take cover")
    unafraid = turn("tactician:patience=0,safety=99", weak, foe, pieces=(SCREEN,))
    assert "end turn" in unafraid and not any("cover" in text for text in unafraid)


def test_who_carries_a_weapon_uses_it_on_the_dying_too():
    dying = {**FOE, "x": 25, "live": 1, "kill": 0}
    for bot in STYLES:
        assert "attack with weapon 1" in turn(bot, ME, dying), bot


@pytest.mark.parametrize("bot", ["brawler", "tactician"])
def test_a_hair_s_breadth_is_not_fluttered(bot):
    said = turn(bot, ME, {**FOE, "x": 25.3})
    assert in_order(said, "frolic", "go to", "attack with weapon 1")


def test_nobody_is_shielded_before_her_turn():
    friend = {**WITCH, "live": 1, "y": 26, "twinkle": 0}
    foe = {**FOE, "x": 40, "y": 44}
    for bot in ("witch", "tactician:patience=0"):
        said = turn(bot, {**WITCH, "magic": "sweet", "twinkle": 2}, foe, friend)
        assert "cast shimmer" in said and "fairy 1" not in said, bot


def test_bows_are_shot_before_the_move():
    foe = {**FOE, "x": 40}
    for bot in ("brawler", "scavenger"):
        assert in_order(turn(bot, ARCHER, foe), "attack with weapon 1", "frolic", "go to", "end turn"), bot


def test_the_unarmed_among_snipers_and_witches_wait_for_who_comes():
    bare = {**ME, "weapons": []}
    for bot in ("sniper", "witch"):
        assert not any("go to" in text for text in turn(bot, bare, {**FOE, "x": 34})), bot
        assert in_order(turn(bot, bare, FOE), "go to", "attack"), bot


def test_a_sniper_climbs_when_she_sees_nobody():
    said = turn("sniper", ARCHER, {**FOE, "x": 40}, pieces=(STEP, WALL))
    assert in_order(said, "go onto", "piece 0")


def test_a_witch_casts_before_anything_else_and_trades_trumps():
    said = turn("witch", WITCH, FOE)
    assert said[2] == "cast rose prick"
    assert in_order(said, "cast rose prick", "cast rose prick", "attack", "trade")


def test_a_witch_binds_who_comes_when_a_thorn_is_too_dear():
    assert in_order(turn("witch", {**WITCH, "twinkle": 1}, {**FOE, "x": 36}), "cast wing bind")


def test_a_scavenger_eats_twice_where_she_stands():
    said = turn("scavenger", ME, FOE, {**CORPSE, "x": 24, "y": 25})
    assert in_order(said, "instead of attacking", "instead of moving")


def test_a_scavenger_flies_past_the_living_to_the_dead():
    said = turn("scavenger", ME, {**FOE, "x": 26}, {**CORPSE, "x": 19})
    assert in_order(said, "go to", "fairy 7", "eat")
    assert not any(text.startswith("attack") for text in said)


def test_a_tactician_strikes_down_the_dying_before_she_eats():
    dying = {**FOE, "x": 25, "y": 24.0, "live": 0, "kill": 1}
    said = turn("tactician", {**ME, "kill": 6}, {**dying, "x": 25.0}, {**CORPSE, "x": 21})
    assert in_order(said, "attack")


def test_a_tactician_eats_at_a_full_table():
    said = turn("tactician", ME, {**FOE, "x": 44}, {**CORPSE, "x": 24, "y": 25})
    assert in_order(said, "instead of moving", "instead of attacking")


def test_a_tactician_holds_her_card_until_somebody_is_in_reach():
    assert "hold" in turn("tactician", ME, {**FOE, "x": 46})
    assert "act at K down" in turn("tactician", ME, FOE)


def test_bots_are_frozen_as_they_were_measured():
    """Who changes a bot measures again: `make strength` writes the report with its new hash."""
    report = json.loads((ROOT / "evaluation" / "results" / "skirmish_bots.json").read_text("utf-8"))
    for entry in report["agents"]:
        assert make(entry["spec"], "fairy_meat").fingerprint() == entry["fingerprint"], entry["spec"]


# ------------------------------------------------------------------------------------- in play
class Games:
    """Full games with one bot in every seat, each choice made from outside and seen."""

    def __init__(self, bot: str, games: int, scenario: str, **options: Any) -> None:
        game = registry.find("fairy_meat")
        self.engine = engine_of(game)
        self.player = table("fairy_meat")[bot]
        self.dispatch: Any = dispatcher("fairy_meat")
        self.params = np.array([param.default for param in self.player.params.values()] or [0.0])
        self.batch = Batch(game, game.scenario(scenario, **options), games, seed=5)

    def choose(self, k: int, observation: Any, mask: Any) -> int:
        generator = row_for(5, k)
        return int(self.dispatch(self.player.bot_id, observation, mask, self.params, generator))

    def steps(self) -> Any:
        """Yields (games asked, actions) until all games are over; illegal choices raise."""
        batch = self.batch
        batch.reset()
        batch.advance()
        while batch.asked.any():
            actions = np.zeros(len(batch.seat), np.int64)
            asked = np.flatnonzero(batch.asked)
            for i in asked:
                actions[i] = self.choose(int(i), batch.obs[i], batch.mask[i])
            yield asked, actions
            batch.step(actions)


@pytest.mark.parametrize("bot", [*STYLES, "plain", "counter"])
@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("skirmish", {}),
        ("skirmish", {"num_players": 3, "combat": "fast_play", "warbands": "choose", "terrain": "ruins"}),
        ("skirmish-1v1", {"terrain": "kitchen"}),
        ("skirmish-2v2", {"terrain": "meadow"}),
    ],
    ids=["skirmish", "three", "1v1", "2v2"],
)
def test_games_are_legal_and_come_to_an_end(bot, scenario, options):
    games = Games(bot, 6, scenario, **options)
    for step, _ in enumerate(games.steps()):
        assert step < 20_000
    assert (games.batch.seat == TERMINAL).all()


@pytest.mark.parametrize("bot", STYLES)
def test_few_acts_are_wasted(bot):
    games = Games(bot, 24, "skirmish")
    acts = 0
    for asked, actions in games.steps():
        acting = games.batch.states["phase"][asked] == Phase.ACT
        chosen = actions[asked][acting]
        attacks = (chosen >= act.ATTACK) & (chosen <= act.WRESTLE)
        acts += int(attacks.sum() + ((chosen > act.MODE) & (chosen < act.MODE + 4)).sum())
    assert games.batch.states["wasted"].sum() < 0.05 * acts


@pytest.mark.parametrize("bot", STYLES)
def test_choices_depend_on_nothing_hidden(bot):
    games, compared, changed = Games(bot, 4, "skirmish"), 0, 0
    batch, engine = games.batch, games.engine
    spec = batch.scenario.spec
    seen, mask = np.empty(spec.observation_size, np.float32), np.empty(spec.num_actions, np.bool_)
    for step, (asked, actions) in enumerate(games.steps()):
        if step % 7:
            continue
        for i in asked:
            seat = int(batch.seat[i])
            other = batch.states[i : i + 1].copy()
            engine.resample(other, 0, seat, row_for(step, int(i)))
            engine.observe(other, 0, seat, seen)
            engine.legal_mask(other, 0, seat, mask)
            assert games.choose(int(i), seen, mask) == actions[i]
            changed += other.tobytes() != batch.states[i : i + 1].tobytes()
            compared += 1
    assert compared > 100
    assert changed > compared / 4
