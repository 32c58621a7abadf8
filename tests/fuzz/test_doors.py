"""Whatever is put through a door of text or JSON, the answer is success or a clear error.

CI tries a hundred of each; `make fuzz` tries thousands (HYPOTHESIS_PROFILE=fuzz).
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fm_env
from agents import registry
from agents.policy import MODELS, load_policy
from evaluation.tournament.files import ResultsFile, load_results
from evaluation.tournament.play import play_tournament, prepare
from fm_env import views
from fm_env.match import Match
from tests.fuzz.damage import JUNK, damaged, opens, torn
from training.config import CONFIGS, check_config, load_config

SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "clash": ("fairy_meat", {"scenario": "clash", "a": 3, "d": 2, "combat": "fast_play"}),
    "duel": ("fairy_meat", {"scenario": "duel", "combat": "unclevl", "rounds": 3}),
    "scuffle": ("fairy_meat", {"scenario": "scuffle"}),
    "skirmish": (
        "fairy_meat",
        {
            "scenario": "skirmish",
            "num_players": 3,
            "points": 60,
            "rounds": 2,
            "terrain": {
                "size": 48,
                "pieces": [
                    {"kind": "box", "x": 10, "y": 10, "width": 4, "depth": 3, "height": 2},
                    {"kind": "cylinder", "x": 30, "y": 30, "radius": 2, "height": 5},
                ],
            },
            "setup": {
                "figures": [{"seat": k, "x": 12 + k, "y": 12, "live": 1, "kill": 1} for k in range(3)],
            },
        },
    ),
    "fairy_tale": ("fairy_tale", {"scenario": "expert", "num_players": 3}),
    "joust": ("sword_and_shield", {"scenario": "joust", "deck": "deeds"}),
    "miniatures": ("angry_miniatures", {"scenario": "skirmish", "board": "crossing"}),
}


def scenario_of(game: str, options: Any) -> object:
    assert isinstance(options, dict)
    return fm_env.load(game).scenario(
        options.get("scenario"), **{k: options[k] for k in options if k != "scenario"}
    )


@pytest.mark.parametrize("name", SETTINGS)
@given(data=st.data())
def test_options_of_a_scenario(name: str, data: st.DataObject) -> None:
    game, options = SETTINGS[name]
    broken = data.draw(damaged(options))
    if isinstance(broken, dict) and all(isinstance(key, str) and key.isidentifier() for key in broken):
        if isinstance(broken.get("scenario", ""), str | None):
            opens(lambda: scenario_of(game, broken))


TABLES = {
    "warbands": b'[[fairies]]\ntype = "wild"\nmagic = "mean"\nweapons = ["ripper"]\n',
    "terrain": b'size = 48\n[[pieces]]\nkind = "box"\nx = 9\ny = 9.5\nwidth = 4\ndepth = 3\nheight = 2\n',
}
"""Files that options of `skirmish` take, by option."""


def skirmish_from(option: str, text: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "given.toml"
        file.write_bytes(text)
        return scenario_of("fairy_meat", {"scenario": "skirmish", "tables": 1, option: str(file)})


@pytest.mark.parametrize("option", TABLES)
@given(data=st.data())
def test_files_of_a_table(option: str, data: st.DataObject) -> None:
    text = data.draw(torn(TABLES[option]))
    opens(lambda: skirmish_from(option, text))


@given(broken=damaged({"warbands": tomllib.loads(TABLES["warbands"].decode())}))
def test_warbands_for_everybody(broken: Any) -> None:
    if isinstance(broken, dict) and all(isinstance(key, str) and key.isidentifier() for key in broken):
        options = {"scenario": "skirmish", "tables": 1, **broken}
        if isinstance(options["scenario"], str | None):
            opens(lambda: scenario_of("fairy_meat", options))


def played(game: str, options: dict[str, Any], steps: int = 12) -> Match:
    match = fm_env.load(game).new_match(seed=3, **options)
    rng = np.random.default_rng(3)
    for _ in range(steps):
        if match.is_over:
            break
        seat = match.pending[0]
        match.play(seat, int(rng.choice(match.legal_ids(seat))))
    return match


SAVED = {
    name: json.loads(played(*SETTINGS[name]).to_json())
    for name in ("clash", "duel", "fairy_tale", "joust", "miniatures")
}


@pytest.mark.parametrize("name", SAVED)
@given(data=st.data())
def test_saved_matches(name: str, data: st.DataObject) -> None:
    broken = data.draw(damaged(SAVED[name]))
    opens(lambda: Match.from_json(json.dumps(broken)))


@given(text=torn(json.dumps(SAVED["clash"]).encode()))
def test_torn_matches(text: bytes) -> None:
    opens(lambda: Match.from_json(text))


def running_view() -> Any:
    env = views.makers("fairy_meat").raw_env(scenario="clash")
    env.reset(seed=1)
    return json.loads(env.to_json())


VIEW = running_view()


@given(broken=damaged(VIEW))
def test_saved_views(broken: Any) -> None:
    opens(lambda: views.from_json(json.dumps(broken)))


@given(text=st.one_of(st.text(max_size=30), JUNK))
def test_actions_in_words(text: Any) -> None:
    match = played("fairy_meat", {"scenario": "clash"}, 0)
    if isinstance(text, str | int) and not isinstance(text, bool):
        before = match.state_hash
        if not opens(lambda: match.play(match.pending[0], text)):
            assert match.state_hash == before


SPEC_PARTS = st.sampled_from(
    ["random", "bluffer", "policy", "equilibrium", ":", ",", "=", "rate", "0.3", "nan", "1e999", "-1",
     "clash", "duel", "..", "/", "agents.api", "Agent", "json", "JSONDecoder", " ", ";", "é"]
)  # fmt: skip


@given(spec=st.one_of(st.text(max_size=20), st.lists(SPEC_PARTS, max_size=6).map("".join)))
def test_agent_specs(spec: str) -> None:
    opens(lambda: registry.make(spec, "fairy_meat", "duel"))


CARD = json.loads((MODELS / "clash.json").read_text(encoding="utf-8"))
WEIGHTS = (MODELS / "clash.safetensors").read_bytes()


def policy_from(card: Any, weights: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "p"
        base.with_suffix(".json").write_text(json.dumps(card), encoding="utf-8")
        base.with_suffix(".safetensors").write_bytes(weights)
        return load_policy(base, fm_env.load("fairy_meat").spec("clash"))


@given(card=damaged({key: value for key, value in CARD.items() if key not in ("training", "results")}))
def test_cards_of_policies(card: Any) -> None:
    opens(lambda: policy_from(card, WEIGHTS))


@given(head=torn(WEIGHTS[:2000]))
def test_weights_of_policies(head: bytes) -> None:
    unchecked = CARD | {"weights_sha256": ""}
    opens(lambda: policy_from(unchecked, head + WEIGHTS[2000:]))


CONFIG = tomllib.loads((CONFIGS / "duel.toml").read_text(encoding="utf-8"))


@given(broken=damaged(CONFIG))
def test_training_configs(broken: Any) -> None:
    if isinstance(broken, dict):
        opens(lambda: check_config(broken))


@given(text=torn((CONFIGS / "duel.toml").read_bytes()))
def test_torn_configs(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.toml"
        file.write_bytes(text)
        opens(lambda: load_config(file))


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The lines of a small tournament's file."""
    path = tmp_path_factory.mktemp("tournament") / "t.jsonl"
    handle = fm_env.load("fairy_meat")
    field = prepare(handle.game, handle.scenario("clash"), ["random", "plain"], rounds=4, seed=1)
    with ResultsFile(path, field.header) as out:
        play_tournament(field, out)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@given(data=st.data())
def test_files_of_tournaments(tournament: list[Any], data: st.DataObject) -> None:
    lines = data.draw(damaged(tournament))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "t.jsonl"
        if isinstance(lines, list):
            file.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
            opens(lambda: load_results(file))


def test_the_sound_documents_open() -> None:
    """Otherwise all of the above could be refusals."""
    for name, (game, options) in SETTINGS.items():
        assert opens(lambda game=game, options=options: scenario_of(game, options)), name
    for option, text in TABLES.items():
        assert opens(lambda option=option, text=text: skirmish_from(option, text)), option
    for name, saved in SAVED.items():
        assert opens(lambda saved=saved: Match.from_json(json.dumps(saved))), name
    assert opens(lambda: views.from_json(json.dumps(VIEW)))
    assert opens(lambda: policy_from(CARD, WEIGHTS))
    assert opens(lambda: check_config(CONFIG))
