"""Configs: the shipped ones are sound, and a bad one is told which field is wrong."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, get_args

import pytest

from fm_env.errors import SetupError
from training.config import CONFIGS, TrainingConfig, check_config, load_config

NO_SECTION = (type(None), Ellipsis)


def test_shipped_configs_load() -> None:
    found = sorted(CONFIGS.glob("*.toml"))
    assert found
    for file in found:
        assert load_config(file) == load_config(file.stem)


def test_every_field_has_a_line_of_doc() -> None:
    kinds = [field.annotation for field in TrainingConfig.model_fields.values()]
    sections = [TrainingConfig]
    for kind in kinds:  # `Section | None` where a section may be left out, `tuple[Section, ...]` of many
        sections += [kind] if isinstance(kind, type) else [k for k in get_args(kind) if k not in NO_SECTION]
    assert len(sections) == len(kinds) + 1
    for section in sections:
        for name, field in section.model_fields.items():
            assert field.description, f"{section.__name__}.{name}"


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        ("learner", "learning_rate", -1.0),
        ("learner", "games", "many"),
        ("learner", "batch_size", 100_000),
        ("learner", "magnet", -0.1),
        ("learner", "speed", 3),
        ("run", "seed", 2**40),
        ("run", "device", "abacus"),
        ("network", "hidden", []),
        ("network", "activation", "sine"),
        ("opponents", "weights", {"random": -1.0}),
        ("opponents", "weights", {}),
        ("game", "scenario", None),
    ],
)
def test_a_bad_entry_is_named(table: dict[str, Any], section: str, field: str, value: object) -> None:
    table[section][field] = value
    with pytest.raises(SetupError, match=f"{section}.{field}"):
        check_config(table)


def test_all_bad_entries_are_named_at_once(table: dict[str, Any]) -> None:
    table["learner"]["clip"] = 0
    table["run"]["threads"] = -2
    with pytest.raises(SetupError, match=r"run\.threads.*learner\.clip"):
        check_config(table)


def test_a_limit_is_needed(table: dict[str, Any]) -> None:
    del table["run"]["decisions"]
    with pytest.raises(SetupError, match=r"run\.minutes or run\.decisions"):
        check_config(table)


def test_past_selves_alone_are_not_enough(table: dict[str, Any]) -> None:
    table["opponents"]["weights"] = {"past": 1.0}
    with pytest.raises(SetupError, match="'past' alone"):
        check_config(table)


def test_overrides_replace_only_what_is_given(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('[game]\nscenario = "duel"\n[run]\nname = "x"\nminutes = 5\nseed = 3\n')
    assert load_config(file, minutes=None, seed=None).run.seed == 3
    config = load_config(file, minutes=0.5, seed=9)
    assert (config.run.minutes, config.run.seed) == (0.5, 9)


@pytest.mark.parametrize(("text", "message"), [(None, "shipped configs"), ("a = = 1", "not valid TOML")])
def test_unreadable_files(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "x.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SetupError, match=message):
        load_config(file)


def test_checking_changes_nothing(table: dict[str, Any]) -> None:
    before = copy.deepcopy(table)
    check_config(table)
    assert table == before
