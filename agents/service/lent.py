"""What a server offers: games, agents for a scenario, and which of them gives hints."""

from __future__ import annotations

from importlib.metadata import version as package_version

from agents.levels import levels_of
from agents.registry import describe
from agents.service.choose import Lending
from agents.service.protocol_hosted import AgentInfo, Catalog, GameInfo, ScenarioInfo
from agents.service.setting import Setting
from agents.sitting import best_agent
from fm_env import registry
from fm_env.errors import FmEnvError


def catalog() -> Catalog:
    """Games and scenarios that can be hosted: everything registered."""
    found = []
    for name in registry.names():
        game = registry.find(name)
        specs = [game.scenario(scenario).spec for scenario in game.scenario_names()]
        scenarios = [
            ScenarioInfo(
                name=spec.scenario,
                num_seats=spec.num_seats,
                num_actions=spec.num_actions,
                observation_size=spec.observation_size,
                observation_version=spec.observation_version,
            )
            for spec in specs
        ]
        found.append(
            GameInfo(
                name=name,
                rules_version=specs[0].rules_version,
                default_scenario=game.default_scenario,
                scenarios=scenarios,
            )
        )
    return Catalog(version=package_version("fm-env"), games=found)


def agents_for(setting: Setting, lending: Lending) -> list[AgentInfo]:
    """Levels first, easiest first; then bots and policies that can play the scenario."""
    game, scenario = setting.game.name, setting.spec.scenario
    offered = [
        AgentInfo(spec=f"level:{level.name}", title=level.name.capitalize(), about=level.about, level=k)
        for k, level in enumerate(levels_of(game, scenario), start=1)
    ]
    lines = describe(game) | dict.fromkeys(sorted(lending.allowed), "added by this server")
    for spec, line in lines.items():
        if can_play(spec, setting, lending):
            offered.append(
                AgentInfo(spec=spec, title=spec.removeprefix("policy:"), about=line.partition(";")[0])
            )
    return offered


def hint_agent(setting: Setting, lending: Lending) -> str:
    """The strongest agent known for the scenario."""
    levels = levels_of(setting.game.name, setting.spec.scenario)
    if levels:
        return f"level:{levels[-1].name}"
    best = best_agent(setting.game, setting.scenario)
    return best if can_play(best, setting, lending) else "random"


def can_play(spec: str, setting: Setting, lending: Lending) -> bool:
    """Whether it is lent and fits."""
    try:
        lending.get(spec, setting)
    except FmEnvError:
        return False
    return True
