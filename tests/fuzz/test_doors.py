"""Whatever is put through a door of text, JSON or bytes, the answer is success or a clear error.

CI tries a hundred of each; `make fuzz` tries thousands (HYPOTHESIS_PROFILE=fuzz), and `make fuzz-guided`
lets coverage guide what is tried.
"""

from __future__ import annotations

import asyncio
import functools
import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fm_env
from agents import registry
from agents.service.choose import Lending
from agents.service.engine import StdioEngine
from agents.service.protocol import ChooseReply, ErrorReply
from agents.service.seat_record import seat_record
from tests.fuzz import documents
from tests.fuzz.damage import JUNK, damaged, torn
from tests.fuzz.doors import DOORS, opens, scenario
from training.config import CONFIGS, check_config

FOUND = Path(__file__).with_name("found")
JSON = [
    "matches", "views", "replays", "engine_lines", "requests", "policy_cards", "belief_cards", "clash_tables"
]  # fmt: skip


@functools.cache
def sound(name: str) -> st.SearchStrategy[bytes]:
    return st.sampled_from(DOORS[name].sound())


@pytest.mark.parametrize("name", documents.SETTINGS)
@given(data=st.data())
def test_options_of_a_scenario(name: str, data: st.DataObject) -> None:
    game, options = documents.SETTINGS[name]
    broken = data.draw(damaged(options))
    opens(lambda: scenario([game, broken]))


@pytest.mark.parametrize("name", JSON)
@given(data=st.data())
def test_damaged_documents(name: str, data: st.DataObject) -> None:
    broken = data.draw(damaged(json.loads(data.draw(sound(name)))))
    opens(lambda: DOORS[name].open(json.dumps(broken).encode()))


@given(data=st.data())
def test_damaged_lines_of_tournaments(data: st.DataObject) -> None:
    lines = [json.loads(line) for line in documents.tournament().splitlines()]
    broken = data.draw(damaged(lines))
    if isinstance(broken, list):
        text = "\n".join(json.dumps(line) for line in broken) + "\n"
        opens(lambda: DOORS["tournaments"].open(text.encode()))


CONFIG = tomllib.loads((CONFIGS / "duel.toml").read_text(encoding="utf-8"))


@given(broken=damaged(CONFIG))
def test_damaged_training_configs(broken: Any) -> None:
    if isinstance(broken, dict):
        opens(lambda: check_config(broken))


@pytest.mark.parametrize("name", DOORS)
@given(data=st.data())
def test_torn_documents(name: str, data: st.DataObject) -> None:
    text = data.draw(torn(data.draw(sound(name))))
    opens(lambda: DOORS[name].open(text))


@given(action=st.one_of(st.text(max_size=30), JUNK))
def test_actions_in_words(action: Any) -> None:
    match = fm_env.load("fairy_meat").new_match(scenario="clash", seed=3)
    if isinstance(action, str | int) and not isinstance(action, bool):
        before = match.state_hash
        if not opens(lambda: match.play(match.pending[0], action)):
            assert match.state_hash == before


SPEC_PARTS = st.sampled_from(
    ["random", "bluffer", "policy", "equilibrium", ":", ",", "=", "rate", "0.3", "nan", "1e999", "-1",
     "clash", "duel", "..", "/", "agents.api", "Agent", "json", "JSONDecoder", " ", ";", "é"]
)  # fmt: skip


@given(spec=st.one_of(st.text(max_size=20), st.lists(SPEC_PARTS, max_size=6).map("".join)))
def test_agent_specs(spec: str) -> None:
    opens(lambda: registry.make(spec, "fairy_meat", "duel"))


@pytest.mark.parametrize("name", DOORS)
def test_the_sound_documents_open(name: str) -> None:
    """Otherwise all of the above could be refusals."""
    for document in DOORS[name].sound():
        if name == "engine_lines":
            reply: Any = DOORS[name].open(document)
            assert reply is None or reply.type != "error" or b'"observation"' in document, reply
        elif name == "requests":
            said: Any = DOORS[name].open(document)
            assert said.status_code == 200, said.text
        else:
            assert opens(lambda document=document: DOORS[name].open(document)), document
    assert opens(lambda: check_config(CONFIG))


@pytest.mark.parametrize(
    "file", sorted(FOUND.glob("*/*")), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_what_was_found_once_is_used_or_refused_in_words(file: Path) -> None:
    """Inputs that once ended in a traceback, by `make fuzz` or `make fuzz-guided`."""
    opens(lambda: DOORS[file.parent.name].open(file.read_bytes()))


def test_coverage_guided_damage_to_every_door() -> None:
    """`make fuzz-guided` forgets none."""
    report = json.loads(
        (Path(__file__).parents[2] / "docs" / "quality" / "fuzz_guided.json").read_text("utf-8")
    )
    assert {row["door"] for row in report["doors"]} == set(DOORS)


@functools.cache
def seen_of(name: str) -> Any:
    match = documents.played(name, steps=3)
    record = seat_record(match.game, match.scenario, match.events, match.pending[0])
    return json.loads(record.model_dump_json())


@pytest.mark.parametrize("name", ["clash", "joust"])
@given(data=st.data())
def test_records_of_seats(name: str, data: st.DataObject) -> None:
    """Over stdio, where a message of another shape is refused, and one of this shape in words."""
    broken = data.draw(damaged(seen_of(name)))
    line = json.dumps({"type": "choose", "id": 1, "seat_record": broken}).encode()
    told = asyncio.run(StdioEngine("random", Lending()).answer(line))
    assert isinstance(told, ChooseReply) or (isinstance(told, ErrorReply) and told.code != "internal")


TABLES = {
    "warbands": b'[[fairies]]\ntype = "wild"\nmagic = "mean"\nweapons = ["ripper"]\n',
    "terrain": b'size = 48\n[[pieces]]\nkind = "box"\nx = 9\ny = 9.5\nwidth = 4\ndepth = 3\nheight = 2\n',
}
"""Files that options of `skirmish` take, by option."""


def skirmish_from(option: str, text: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "given.toml"
        file.write_bytes(text)
        return scenario(["fairy_meat", {"scenario": "skirmish", "tables": 1, option: str(file)}])


@pytest.mark.parametrize("option", TABLES)
@given(data=st.data())
def test_files_of_a_table(option: str, data: st.DataObject) -> None:
    text = data.draw(torn(TABLES[option]))
    opens(lambda: skirmish_from(option, text))


@given(broken=damaged({"warbands": tomllib.loads(TABLES["warbands"].decode())}))
def test_warbands_for_everybody(broken: Any) -> None:
    if isinstance(broken, dict):
        opens(lambda: scenario(["fairy_meat", {"scenario": "skirmish", "tables": 1, **broken}]))
