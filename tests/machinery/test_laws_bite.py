"""Every law can fail: Kuhn poker is broken in one way at a time and the law has to notice.

The broken rules run as plain Python, so nothing is compiled for them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fm_env import compiled, engine
from fm_env.contract import CHANCE, TERMINAL
from tests import kuhn
from tests.laws import test_bytes, test_course, test_facts, test_knowledge
from tests.laws.cases import CASES
from tests.laws.world import World

CALLS = {"n": 0}


def query_writes(s, seat, out):
    kuhn.observe(s, seat, out)
    s.bets[2] = 0


def apply_at_random(s, seat, action):
    CALLS["n"] += 1
    kuhn.apply(s, seat, CALLS["n"] % 2)


def apply_nothing(s, seat, action):
    if action == 0:
        kuhn.apply(s, seat, action)


def reset_partly(s, setup):
    s.first = setup.first
    s.num_bets = 0
    s.cards = setup.cards


def idle_mask_untouched(s, seat, out):
    return kuhn.legal_mask(s, seat, out) if kuhn.to_act(s) == seat else 0


def kuhn_mask_one_too_many(s, seat, out):
    kuhn.legal_mask(s, seat, out)
    return 2


def sparse_observe(s, seat, out):
    if s.cards[seat] >= 0:
        out[s.cards[seat]] = 1


def leaking_observe(s, seat, out):
    kuhn.observe(s, seat, out)
    out[0] = s.cards[1 - seat] / 4


def loud_observe(s, seat, out):
    kuhn.observe(s, seat, out)
    out[9] = 1.5


def nan_observe(s, seat, out):
    kuhn.observe(s, seat, out)
    out[9] = np.nan


def blind_observe(s, seat, out):
    out[:] = 0


def short_key(s, seat, out):
    out[:] = 0
    out[0] = s.cards[seat] + 1


def leaking_key(s, seat, out):
    kuhn.info_key(s, seat, out)
    out[3] = s.cards[1 - seat] + 1


def wrong_total(s, out):
    return kuhn.chance_weights(s, out) + 1


def negative_weight(s, out):
    kuhn.chance_weights(s, out)
    out[0] = -1
    return out.sum()


def deals_same_card(s, out):
    out[:] = 1
    return 3


def unfair_returns(s, out):
    kuhn.returns(s, out)
    out[0] += kuhn.to_act(s) == TERMINAL


def large_returns(s, out):
    kuhn.returns(s, out)
    out *= 9


def early_returns(s, out):
    kuhn.returns(s, out)
    if kuhn.to_act(s) == CHANCE:
        out[:] = 1, -1


def both_pending(s):
    return 3 if kuhn.to_act(s) != TERMINAL else 0


def nobody_pending(s):
    return 0


def never_faulty(s):
    return 0


def always_faulty(s):
    return 1


def resample_own(s, seat, rng):
    kuhn.resample(s, 1 - seat, rng)


def resample_from_hidden(s, seat, rng):
    if s.cards[0] >= 0 and s.cards[1] >= 0:
        s.cards[1 - seat] = 3 - s.cards[0] - s.cards[1]


def resample_nothing(s, seat, rng):
    pass


def resample_unsound(s, seat, rng):
    if s.cards[1 - seat] >= 0:
        s.cards[1 - seat] = s.cards[seat]


def resample_unfair(s, seat, rng):
    if s.cards[0] >= 0 and s.cards[1] >= 0:
        s.cards[1 - seat] = (s.cards[seat] + 1) % 3


def first_seat_by_number(s, seat, out):
    kuhn.observe(s, seat, out)
    out[9] = seat


BREAKS: list[tuple[Callable[..., None], dict[str, Callable]]] = [
    (test_bytes.test_queries_change_no_byte, {"observe": query_writes}),
    (test_bytes.test_same_bytes_and_action_give_the_same_bytes, {"apply": apply_at_random}),
    (test_bytes.test_a_choice_changes_the_state, {"apply": lambda s, seat, action: None}),
    (test_bytes.test_reset_overwrites_the_whole_state, {"reset": reset_partly}),
    (test_bytes.test_buffers_are_wholly_overwritten, {"observe": sparse_observe}),
    (test_bytes.test_buffers_are_wholly_overwritten, {"legal_mask": idle_mask_untouched}),
    (test_course.test_exactly_one_of_seat_chance_end, {"pending": both_pending}),
    (test_course.test_masks_match_who_owes_a_choice, {"legal_mask": kuhn_mask_one_too_many}),
    (test_course.test_weights_sum_to_their_total, {"chance_weights": wrong_total}),
    (test_course.test_weights_sum_to_their_total, {"chance_weights": negative_weight}),
    (test_course.test_every_outcome_of_positive_weight_can_be_taken, {"chance_weights": deals_same_card}),
    (test_course.test_returns_keep_their_promise, {"returns": unfair_returns}),
    (test_course.test_returns_keep_their_promise, {"returns": large_returns}),
    (test_course.test_returns_keep_their_promise, {"returns": early_returns}),
    (test_course.test_no_faults_in_reachable_states, {"faults": always_faulty}),
    (test_course.test_every_fault_flag_can_be_raised, {"faults": never_faulty}),
    (test_knowledge.test_observations_are_finite_and_within_bounds, {"observe": loud_observe}),
    (test_knowledge.test_observations_are_finite_and_within_bounds, {"observe": nan_observe}),
    (test_knowledge.test_every_entry_of_the_observation_is_used, {"observe": blind_observe}),
    (test_knowledge.test_equal_keys_mean_equal_observations_and_masks, {"info_key": short_key}),
    (test_knowledge.test_resample_keeps_the_seats_own_view, {"observe": leaking_observe}),
    (test_knowledge.test_resample_keeps_the_seats_own_view, {"info_key": leaking_key}),
    (test_knowledge.test_resample_keeps_the_seats_own_view, {"resample": resample_own}),
    (test_knowledge.test_resample_keeps_the_seats_own_view, {"resample": resample_nothing}),
    (test_knowledge.test_resampled_states_are_sound, {"resample": resample_unsound}),
    (test_knowledge.test_resample_depends_only_on_view_and_generator, {"resample": resample_from_hidden}),
    (test_knowledge.test_resample_is_as_likely_as_the_listed_states, {"resample": resample_unfair}),
    (test_knowledge.test_resample_is_as_likely_as_the_listed_states, {"resample": resample_unsound}),
    (test_knowledge.test_rotating_the_seats_rotates_everything, {"observe": first_seat_by_number}),
]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "JIT_DISABLED", True)
    monkeypatch.setattr(engine, "_engines", {})


def _world(**changes: object) -> World:
    game = copy.copy(kuhn.GAME)
    uncompiled = {name: compiled.python_of(f) for name, f in engine.kernel_functions(kuhn.KERNEL).items()}
    game.kernel = replace(kuhn.KERNEL, **{**uncompiled, **changes})
    return World(replace(CASES[0], games=20, nodes=90), game)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("law", sorted({law for law, _ in BREAKS}, key=lambda law: law.__name__))
def test_unbroken_kuhn_keeps_the_law(law: Callable[..., None]) -> None:
    law(_world())


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("law", "changes"),
    BREAKS,
    ids=[f"{law.__name__[5:]}-{'-'.join(c)}{k}" for k, (law, c) in enumerate(BREAKS)],
)
def test_broken_kuhn_breaks_the_law(law: Callable[..., None], changes: dict[str, Callable]) -> None:
    with pytest.raises(AssertionError):
        law(_world(**changes))


@pytest.mark.usefixtures("plain")
def test_wrong_facts_are_noticed() -> None:
    def world(**facts: object) -> World:
        made = _world()
        made.spec = replace(made.spec, **facts)
        return made

    padded = np.dtype([("a", "i1"), ("b", "i4")], align=True)
    with pytest.raises(ValueError, match="packed"):
        test_facts.test_state_has_no_padding(world(state_dtype=padded))
    for facts, law in (
        ({"observation_size": 11}, test_facts.test_observation_labels_name_every_entry),
        ({"num_chance_outcomes": 4}, test_facts.test_number_of_outcomes_is_one_for_all_scenarios),
        ({"max_decisions": 1}, test_course.test_games_end_within_their_bounds),
        ({"max_chance_events": 1}, test_course.test_games_end_within_their_bounds),
        ({"game": "poker"}, test_facts.test_spec_is_sensible),
    ):
        with pytest.raises(AssertionError):
            law(world(**facts))
