"""How good is a bot? Equal luck for both, every seat, intervals; and what a best response would win.

python examples/evaluate_bot.py
python examples/evaluate_bot.py --agent counter --games 20000
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import agents
import fm_env
from evaluation import play_pair
from evaluation.compare import role_points


def main() -> None:
    """Play an agent against some bots and print what can be said."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", default="my_bot:TrueColours", help="as `fm-env agents` explains")
    parser.add_argument("--games", type=int, default=2000, help="against each bot, fixed in advance")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    sys.path.append(str(Path(__file__).parent))  # where my_bot is
    game = fm_env.load("fairy_meat")
    bots = [agents.make(name, game) for name in ("random", "plain", "median", "counter")]

    duel = game.scenario("duel")
    mine = agents.make(args.agent, game, duel)
    print(f"{mine.name} in a duel, win rate with a draw as half a win [95 % interval]")
    for bot in bots:
        result = play_pair(game, duel, mine, bot, args.games, args.seed)
        print(f"  against {bot.name:<8} {result.score}  {result.verdict}")

    # In a clash luck is larger than skill: compare with what the bot gets in the same place, deal by deal.
    clash = game.scenario("clash", a=3, d=3)
    mine = agents.make(args.agent, game, clash)
    print("\npoints a clash over what the bot itself gets in that role, from the same cards")
    for bot in bots:
        for gain in role_points(game, clash, mine, bot, args.games, args.seed):
            print(f"  against {bot.name:<8} {('attacking', 'defending')[gain.role]}  {gain.gain}")


if __name__ == "__main__":
    main()
