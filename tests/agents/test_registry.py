"""Specs: what they make, and what is said about wrong ones."""

import importlib.metadata

import numpy as np
import pytest

import agents
from agents import registry
from agents.api import Agent
from agents.compiled import CompiledAgent
from agents.registry import ForeignAgent, dispatcher, table
from fm_env.errors import LoadError, SetupError, UnknownNameError

HERE = "tests.agents.bots_for_tests"


def test_a_compiled_bot_carries_its_number_and_parameters(game, scenario):
    bot = agents.make("mixed:call=0.25", game, scenario)
    assert isinstance(bot, CompiledAgent)
    assert (bot.bot_id, bot.params, bot.name) == (3, (0.0, 0.25), "mixed:call=0.25")


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("mixed", "mixed"),
        ("mixed:bluff=0", "mixed"),
        (" mixed : call = 1 , bluff = 0.3333333333333333 ", "mixed:bluff=0.3333333333333333,call=1"),
    ],
)
def test_the_canonical_spec_makes_the_same_bot(game, spec, canonical):
    bot = agents.make(spec, game)
    assert bot.spec == canonical
    assert agents.make(canonical, game).params == bot.params


def test_a_game_without_a_table_has_the_random_bot():
    assert list(table("some_game")) == ["random"]
    assert dispatcher("some_game") is None
    bot = agents.make("random", "some_game")
    mask = np.array([False, True, False, True])
    chosen = [bot.act(np.zeros(1, np.float32), mask) for _ in range(200)]
    assert set(chosen) == {1, 3}
    assert 70 < chosen.count(1) < 130


def test_an_outsiders_class_is_made(game, scenario):
    bot = agents.make(f"{HERE}:FirstLegal", game, scenario)
    assert (bot.name, bot.spec) == ("firstlegal", f"{HERE}:FirstLegal")
    assert bot.act(np.zeros(10, np.float32), np.array([False, True])) == 1


def test_an_outsiders_class_gets_its_arguments(game):
    bot = agents.make(f"{HERE}:Tuned:rate=0.25,mode=slow", game)
    assert (bot.rate, bot.mode) == (0.25, "slow")


def test_a_class_without_the_base_class_will_do(game):
    bot = agents.make(f"{HERE}:Duck", game)
    assert isinstance(bot, ForeignAgent)
    assert bot.name == "duck"
    assert bot.act(np.zeros(10, np.float32), np.array([False, True])) == 1


def test_an_entry_point_is_found(game, monkeypatch):
    point = importlib.metadata.EntryPoint("tuned", f"{HERE}:Tuned", "fm_env.agents")
    monkeypatch.setattr("agents.registry.entry_points", lambda group: [point] if group == point.group else [])
    assert agents.make("tuned:rate=0.75", game).rate == 0.75
    assert "tuned" in agents.names("kuhn")


def test_names_lists_the_bots_with_a_line_of_text():
    lines = agents.describe("kuhn")
    assert set(agents.names("kuhn")) == set(lines) >= {"random", "passive", "eager", "mixed"}
    assert lines["mixed"].startswith("bets the king")
    assert "bluff=0 (0 to 1" in lines["mixed"]


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("pasive", UnknownNameError, ["pasive", "did you mean 'passive'", "kuhn"]),
        ("", UnknownNameError, ["unknown agent"]),
        ("mixed:bluf=1", UnknownNameError, ["bluf", "did you mean 'bluff'", "mixed"]),
        ("mixed:bluff=1.5", SetupError, ["bluff = 1.5", "from 0 to 1"]),
        ("mixed:bluff=nan", SetupError, ["bluff = nan", "from 0 to 1"]),
        ("mixed:bluff=often", SetupError, ["bluff = often", "expected a number"]),
        ("mixed:bluff", SetupError, ["'bluff' is not key=value"]),
        ("mixed:bluff=1,bluff=0", SetupError, ["bluff is given twice"]),
        ("random:rate=1", UnknownNameError, ["rate", "random"]),
        ("policy:", SetupError, ["policy:NAME_OR_PATH"]),
        ("policy:nowhere/nothing", UnknownNameError, ["nowhere/nothing"]),
        ("no_such_module:Bot", SetupError, ["no_such_module"]),
        ("tests.no_such:Bot", SetupError, ["tests.no_such"]),
        (f"{HERE}:FirstLega", UnknownNameError, ["FirstLega", "did you mean 'FirstLegal'"]),
        (f"{HERE}:number", SetupError, ["number", "int", "expected a class"]),
        (f"{HERE}:Broken", SetupError, ["RuntimeError", "no luck today"]),
        (f"{HERE}:Tuned:speed=1", SetupError, ["speed"]),
        (f"{HERE}:NoAct", SetupError, ["no act(observation, action_mask)"]),
    ],
)
def test_a_bad_spec_is_named(game, scenario, spec, error, words):
    with pytest.raises(error) as caught:
        agents.make(spec, game, scenario)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_module_that_fails_to_import_is_named(game, tmp_path, monkeypatch):
    (tmp_path / "half_written_bot.py").write_text("import a_package_that_is_not_there\n")
    (tmp_path / "mistyped_bot.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(LoadError, match=r"half_written_bot failed.*a_package_that_is_not_there"):
        agents.make("half_written_bot:Bot", game)
    with pytest.raises(LoadError, match="mistyped_bot failed: ZeroDivisionError"):
        agents.make("mistyped_bot:Bot", game)


def test_a_fingerprint_tells_parameters_apart(game):
    prints = {
        agents.make(spec, game).fingerprint() for spec in ("mixed", "mixed:call=1", "passive", "random")
    }
    assert len(prints) == 4
    assert agents.make("mixed", game).fingerprint() == agents.make("mixed:call=0", game).fingerprint()


def test_a_fingerprint_follows_every_file_of_a_packages_bots(tmp_path, monkeypatch):
    package = tmp_path / "many_bots"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from agents.api import BotInfo\nBOTS = {'random': BotInfo('random', 0, 'any')}\n"
        "def dispatch(bot_id, obs, mask, params, rng):\n    return 0\n"
    )
    (package / "style.py").write_text("BOLD = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(registry._tables, "many", "many_bots")
    before = agents.make("random", "many").fingerprint()
    (package / "style.py").write_text("BOLD = 2\n")
    assert agents.make("random", "many").fingerprint() != before


def test_a_fingerprint_follows_the_file_an_outsiders_bot_is_written_in(game, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    body = "class Bot:\n    def act(self, observation, action_mask):\n        return {}\n"
    (tmp_path / "one_bot.py").write_text(body.format(0))
    (tmp_path / "other_bot.py").write_text(body.format(1))
    one, other = agents.make("one_bot:Bot", game), agents.make("other_bot:Bot", game)
    one.spec = other.spec = ""
    assert one.fingerprint() != other.fingerprint()


def test_a_compiled_bot_answers_alone_as_it_is_meant_to(game, scenario):
    bot = agents.make("mixed:bluff=0.3", game, scenario)
    jack = np.zeros(10, np.float32)
    jack[0] = jack[9] = 1
    mask = np.ones(2, np.bool_)
    bot.reset(scenario.spec, 0, seed=5)
    first = [bot.act(jack, mask) for _ in range(2000)]
    bot.reset(scenario.spec, 0, seed=5)
    assert first == [bot.act(jack, mask) for _ in range(2000)]
    assert 0.25 < np.mean(first) < 0.35
    many = bot.act_batch(np.tile(jack, (2000, 1)), np.ones((2000, 2), np.bool_), np.random.default_rng(3))
    assert 0.25 < many.mean() < 0.35


def test_an_agent_reaches_no_game():
    """All an agent is ever given are arrays and the facts of the scenario."""
    assert not any(
        word in Agent.act.__code__.co_varnames for word in ("state", "game", "match", "batch", "engine")
    )
