"""What a game says about itself is true."""

from __future__ import annotations

import json

from fm_env.records import require_packed
from tests.laws.world import World


def test_state_has_no_padding(world: World) -> None:
    require_packed(world.spec.state_dtype)


def test_spec_is_sensible(world: World) -> None:
    spec = world.spec
    assert spec.game == world.game.name
    assert spec.scenario == world.case.scenario in world.game.scenario_names()
    assert world.game.default_scenario in world.game.scenario_names()
    assert 1 <= spec.num_seats <= 31
    assert min(spec.num_actions, spec.observation_size, spec.info_key_size, spec.max_decisions) >= 1
    assert spec.min_return <= spec.max_return
    assert spec.rules_version >= 1 <= spec.observation_version


def test_number_of_outcomes_is_one_for_all_scenarios(world: World) -> None:
    default = world.game.scenario(world.game.default_scenario)
    assert default.spec.num_chance_outcomes == world.spec.num_chance_outcomes


def test_options_make_an_equal_scenario(world: World) -> None:
    options = json.loads(json.dumps(dict(world.scenario.options)))
    again = world.game.scenario(**options)
    assert again.spec == world.spec
    assert again.setup.tobytes() == world.scenario.setup.tobytes()


def test_action_texts_round_trip(world: World) -> None:
    texts = [world.game.action_text(world.spec, a) for a in range(world.spec.num_actions)]
    assert len(set(texts)) == len(texts)
    assert all(text and text == text.strip() for text in texts)


def test_outcome_texts_round_trip(world: World) -> None:
    texts = [world.game.outcome_text(world.spec, c) for c in range(world.spec.num_chance_outcomes)]
    assert len(set(texts)) == len(texts)
    assert all(text and text == text.strip() for text in texts)


def test_observation_labels_name_every_entry(world: World) -> None:
    labels = world.game.observation_labels(world.spec)
    assert len(labels) == world.spec.observation_size
    assert len(set(labels)) == len(labels)


def test_state_texts_exist_for_every_seat(world: World) -> None:
    for i in range(0, len(world), 7):
        for seat in (None, *world.seats):
            assert world.game.state_text(world.record(i), seat)
