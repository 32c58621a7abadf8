"""Recorded games: the same bytes for the same seed, whole whatever happens, and really those games."""

from __future__ import annotations

import io
import json
import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import fm_env
from agents.api import Agent
from agents.registry import make
from fm_env.cli import app
from fm_env.errors import IllegalActionError, LoadError, SetupError, UnknownNameError
from fm_env.match import Match
from tests.fuzz.damage import damaged, torn
from tests.fuzz.doors import opens
from training.dataset import Dataset, Recording, load, record
from training.dataset.command import record_command
from training.dataset.layout import Header, pack_masks, pack_shard, shape_in, unpack_masks
from training.dataset.resume import shard_name

KUHN = fm_env.load("kuhn").game
SETTING = KUHN.scenario("kuhn")


class Alternating(Agent):
    """Bets at its first, third, ... choice of a game; wrong as soon as two games share one object."""

    name = "alternating"

    def reset(self, spec: Any, seat: int, seed: int) -> None:
        self.choices = 0

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> int:
        self.choices += 1
        return self.choices % 2


def recorded(folder: Path, *specs: str, games: int = 40, seed: int = 1, **choices: Any) -> Dataset:
    agents = [make(spec, KUHN, SETTING) for spec in specs or ("random",)]
    record(folder, KUHN, SETTING, agents, games, seed, **{"games_per_shard": 16, **choices})
    return load(folder)


def files(folder: Path) -> dict[str, bytes]:
    """All that a seed determines."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "provenance.json"}


def test_arrays_are_what_the_header_says(tmp_path: Path) -> None:
    data = recorded(tmp_path / "d", "random", "tests.training.test_dataset:Alternating", chances=True)
    assert data.num_games == 40 and data.header.is_complete
    assert [shard.games for shard in data.header.shards] == [16, 16, 8]
    for shard, part in zip(data.header.shards, data.shards(), strict=True):
        assert set(part) == set(data.header.fields)
        for name, field in data.header.fields.items():
            shape = shape_in(field, shard.rows, shard.games)
            expected = (shard.rows, 2) if name == "mask" else shape
            assert part[name].shape == expected, name
            assert name == "mask" or part[name].dtype == np.dtype(field.dtype), name
    rows = data.read()
    order = np.lexsort((rows["step"], rows["game"]))
    assert (order == np.arange(len(order))).all()
    assert rows["mask"][np.arange(len(order)), rows["action"]].all()
    random = rows["agent"] == 0
    assert random.any() and not random.all()
    assert rows["probability"][random] == pytest.approx(0.5)
    assert rows["chances"][random] == pytest.approx(0.5)
    assert np.isnan(rows["probability"][~random]).all() and np.isnan(rows["chances"][~random]).all()


def test_a_seed_determines_every_byte(tmp_path: Path) -> None:
    names = ("random", "tests.training.test_dataset:Alternating")
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        recorded(tmp_path / folder, *names, seed=seed)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert files(tmp_path / "a").keys() == files(tmp_path / "c").keys()
    assert all(files(tmp_path / "a")[name] != data for name, data in files(tmp_path / "c").items())


@pytest.mark.parametrize("forced", [False, True])
def test_every_game_can_be_played_again_from_its_seed(tmp_path: Path, forced: bool) -> None:
    handle = fm_env.load("fairy_meat")
    setting = handle.scenario("clash", a=2, d=2)
    agents = [make(spec, handle.game, setting) for spec in ("counter", "random")]
    record(tmp_path / "d", handle.game, setting, agents, 12, 5, forced=forced)
    data = load(tmp_path / "d")
    rows, part = data.read(), next(data.shards())
    assert (rows["mask"].sum(axis=1) == 1).any() == forced
    for game in range(12):
        match = handle.new_match(setting, seed=int(part["game_seed"][game]))
        for row in np.flatnonzero(rows["game"] == game):
            play_forced(match, int(rows["seat"][row]), forced)
            seat = int(rows["seat"][row])
            assert (match.observation(seat) == rows["observation"][row]).all()
            assert (match.mask(seat) == rows["mask"][row]).all()
            match.play(seat, int(rows["action"][row]))
            assert rows["agent"][row] == part["game_agent"][game, seat]
            assert rows["return"][row] == np.float32(part["game_return"][game, seat])
        play_forced(match, -1, forced)
        assert match.is_over and match.returns() == tuple(part["game_return"][game])


def play_forced(match: Match, until: int, forced: bool) -> None:
    """Choices with one legal action, which a dataset leaves out unless told otherwise."""
    while not forced and match.pending:
        seat = match.pending[0]
        if len(match.legal_ids(seat)) > 1:
            assert seat == until
            return
        match.play(seat, match.legal_ids(seat)[0])


def test_who_may_remember_has_a_copy_in_every_game(tmp_path: Path) -> None:
    data = recorded(tmp_path / "d", "tests.training.test_dataset:Alternating", games=60)
    assert max(len(episode.actions) for episode in data.episodes()) == 1  # bet, then call: one choice each
    assert set(data.read(["action"])["action"].tolist()) == {1}


def test_who_searches_is_lent_what_its_seat_may_imagine(tmp_path: Path) -> None:
    data = recorded(tmp_path / "d", "search:base=random,simulations=8", games=4)
    assert data.num_games == 4 and data.num_rows >= 8


def test_episodes_are_the_rows_of_a_seat(tmp_path: Path) -> None:
    data = recorded(tmp_path / "d", games=60)
    rows, episodes = data.read(), list(data.episodes())
    assert sum(len(episode.actions) for episode in episodes) == len(rows["action"])
    assert len({(episode.game, episode.seat) for episode in episodes}) == len(episodes) == 120
    for episode in episodes:
        own = (rows["game"] == episode.game) & (rows["seat"] == episode.seat)
        assert (episode.actions == rows["action"][own]).all()
        assert (episode.observations == rows["observation"][own]).all()
        assert not episode.rewards[:-1].any() and episode.rewards[-1] == rows["return"][own][0]
    assert sum(episode.rewards.sum() for episode in episodes) == 0


def test_seats_are_drawn_evenly_and_everybody_plays(tmp_path: Path) -> None:
    agents = [make("random", KUHN, SETTING) for _ in range(3)]
    recording = Recording(tmp_path / "d", KUHN, SETTING, agents, 1, 1)
    rng = np.random.default_rng(0)
    two, five = recording._seated(rng, 6000, 2), recording._seated(rng, 6000, 5)
    assert (two[:, 0] != two[:, 1]).all()
    assert all(len(set(row)) == 3 and max(row.count(k) for k in row) == 2 for row in five.tolist())
    for seated in (two, five):
        shares = np.stack([(seated == k).mean(axis=0) for k in range(3)])
        assert abs(shares - 1 / 3).max() < 0.03


def test_a_killed_recording_goes_on_and_ends_as_if_it_hadn_t_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = recorded(tmp_path / "straight", games=64)
    real = Recording._play
    with monkeypatch.context() as patch:

        def killed(self: Recording, deal: Any, progress: Any) -> Any:
            if deal.first == 32:
                raise KeyboardInterrupt
            return real(self, deal, progress)

        patch.setattr(Recording, "_play", killed)
        with pytest.raises(KeyboardInterrupt):
            recorded(tmp_path / "killed", games=64)
    part = load(tmp_path / "killed")
    assert part.num_games == 32 and not part.header.is_complete
    assert (part.read()["game"] < 32).all()
    recorded(tmp_path / "killed", games=64)
    assert files(tmp_path / "killed") == files(straight.folder)
    starts = json.loads((tmp_path / "killed" / "provenance.json").read_text())
    assert [start["games_before"] for start in starts] == [0, 32]


def test_more_games_are_added_to_those_that_are_there(tmp_path: Path) -> None:
    recorded(tmp_path / "grown", games=40)
    before = files(tmp_path / "grown")
    recorded(tmp_path / "grown", games=64)
    recorded(tmp_path / "at_once", games=64)
    after = files(tmp_path / "grown")
    assert after == files(tmp_path / "at_once")
    assert after[shard_name(0)] == before[shard_name(0)]
    with pytest.raises(SetupError, match=r"games = 40, but .* holds 64 already"):
        recorded(tmp_path / "grown", games=40)


def test_damage_is_named_and_mended(tmp_path: Path) -> None:
    data = recorded(tmp_path / "d")
    before = files(data.folder)
    file = data.folder / shard_name(1)
    whole = file.read_bytes()
    file.write_bytes(whole[:100] + b"x" + whole[101:])
    with pytest.raises(LoadError, match=r"shard-00001\.npz is damaged"):
        load(data.folder).verify()
    file.write_bytes(whole[:-1])
    with pytest.raises(LoadError, match=r"shard-00001\.npz has .* bytes, expected"):
        load(data.folder)
    file.unlink()
    with pytest.raises(LoadError, match=r"shard-00001\.npz is missing"):
        load(data.folder)
    recorded(data.folder)
    assert files(data.folder) == before
    (data.folder / "dataset.json").write_text("{")
    with pytest.raises(LoadError, match="not JSON"):
        load(data.folder)
    with pytest.raises(LoadError, match="can't read"):
        load(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("action", lambda a: a * 0 + 7, "action outside of 0 .. 1"),
        ("action", lambda a: a.astype(np.int64), "action is int64"),
        ("observation", lambda a: a[:-1], "observation is float32"),
        ("mask", lambda a: a * 0, "an action that its mask forbids"),
        ("game_rows", lambda a: a + 1, "game_rows don't add up"),
        ("seat", None, "has no field 'seat'"),
        ("step", lambda a: np.zeros(10**5, np.int64), "step has 800,128 bytes, expected"),
    ],
)
def test_contents_that_make_no_sense_are_refused(tmp_path: Path, field: str, value: Any, words: str) -> None:
    """By a hash that was made for them, too."""
    import hashlib

    data = recorded(tmp_path / "d", games=16)
    part = next(data.shards())
    part["mask"] = pack_masks(part["mask"])
    if value is None:
        del part[field]
    else:
        part[field] = value(part[field])
    forged = pack_shard(part)
    (data.folder / shard_name(0)).write_bytes(forged)
    document = json.loads((data.folder / "dataset.json").read_text())
    document["shards"][0] |= {"sha256": hashlib.sha256(forged).hexdigest(), "bytes": len(forged)}
    (data.folder / "dataset.json").write_text(json.dumps(document))
    with pytest.raises(LoadError, match=words):
        load(data.folder).verify()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    data = recorded(tmp_path / "d")
    for words, change in (
        ("seed is 1 there, now 2", {"seed": 2}),
        ("forced is False there, now True", {"forced": True}),
        ("games_per_shard is 16 there, now 8", {"games_per_shard": 8}),
    ):
        with pytest.raises(LoadError, match=words):
            recorded(data.folder, **change)
    with pytest.raises(LoadError, match="agents are random there, now random, random"):
        recorded(data.folder, "random", "random")
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "x").touch()
    with pytest.raises(SetupError, match="isn't empty and holds no dataset"):
        recorded(tmp_path / "precious")
    assert [file.name for file in (tmp_path / "precious").iterdir()] == ["x"]


def test_too_small_a_disk_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**12, 0, 65 * 2**20))
    with pytest.raises(
        SetupError, match=r"10,000,000 games take about .* GB in .*, where 1.05 MB can be used"
    ):
        recorded(tmp_path / "d", games=10**7)
    assert not (tmp_path / "d").exists()
    recorded(tmp_path / "d", games=40)  # these fit


def test_bad_requests_are_named(tmp_path: Path) -> None:
    for words, change in (
        ("games = 0", {"games": 0}),
        ("seed = -1", {"seed": -1}),
        ("games_per_shard = 0", {"games_per_shard": 0}),
    ):
        with pytest.raises(SetupError, match=words):
            recorded(tmp_path / "d", **change)
    with pytest.raises(SetupError, match="expected at least one"):
        record(tmp_path / "d", KUHN, SETTING, [], 1, 1)
    with pytest.raises(IllegalActionError, match="agent 'cheat' chose action 5"):
        recorded(tmp_path / "d", "tests.training.test_dataset:Cheat")
    data = recorded(tmp_path / "e")
    with pytest.raises(UnknownNameError, match=r"'actions'.*did you mean 'action'"):
        data.read(["actions"])
    with pytest.raises(LoadError, match="recorded with name = 'kuhn'"):
        data.check(fm_env.load("fairy_meat").spec("clash"))


class Cheat(Agent):
    name = "cheat"

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> int:
        return 5


@pytest.mark.parametrize("width", [1, 7, 8, 9, 183])
def test_masks_come_out_as_they_went_in(width: int) -> None:
    masks = np.random.default_rng(width).random((50, width)) < 0.3
    packed = pack_masks(masks)
    assert packed.shape == (50, (width + 7) // 8)
    assert (unpack_masks(packed, width) == masks).all()
    last = width - 1
    assert ((packed[:, last // 8] >> (last % 8) & 1) == masks[:, last]).all()  # as the header has it


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("sound") / "d", games=8).folder


@given(data=st.data())
def test_whatever_a_header_says_is_read_or_refused(sound: Path, data: st.DataObject) -> None:
    document = json.loads((sound / "dataset.json").read_text())
    broken = sound.parent / "broken"
    shutil.copytree(sound, broken, dirs_exist_ok=True)
    (broken / "dataset.json").write_text(json.dumps(data.draw(damaged(document))))
    opens(lambda: load(broken).verify())


@given(data=st.data())
def test_whatever_is_in_a_shard_is_read_or_refused(sound: Path, data: st.DataObject) -> None:
    import hashlib

    broken = sound.parent / "broken"
    shutil.copytree(sound, broken, dirs_exist_ok=True)
    content = data.draw(torn((sound / shard_name(0)).read_bytes()))
    (broken / shard_name(0)).write_bytes(content)
    document = json.loads((sound / "dataset.json").read_text())
    document["shards"][0] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    (broken / "dataset.json").write_text(json.dumps(document))
    opens(lambda: load(broken).verify())


def test_the_command_says_what_it_will_take_and_what_there_is(tmp_path: Path) -> None:
    words = io.StringIO()
    header = record_command(
        ["random"],
        out=tmp_path / "d",
        game="kuhn",
        scenario="kuhn",
        options={},
        games=30,
        seed=4,
        console=Console(file=words, width=200),
    )
    assert isinstance(header, Header) and header.is_complete and len(header.shards) == 1
    assert "30 games of about 2 decisions: about" in words.getvalue()
    assert f"30 games, {load(tmp_path / 'd').num_rows} decisions" in words.getvalue()
    again = ["record", "random", "--game", "kuhn", "--scenario", "kuhn", "--games", "50", "--seed", "4"]
    app([*again, "--out", str(tmp_path / "d")], standalone_mode=False)
    assert load(tmp_path / "d").num_games == 50
