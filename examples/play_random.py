"""A duel between two players who choose at random, told move by move.

python examples/play_random.py
python examples/play_random.py --scenario clash --seed 4
python examples/play_random.py --game sword_and_shield --scenario joust
"""

from __future__ import annotations

import argparse
import random

import fm_env
from fm_env.contract import CHANCE


def main() -> None:
    """Play one game and print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="fairy_meat")
    parser.add_argument("--scenario", default="duel")
    parser.add_argument("--seed", type=int, default=7, help="settles the luck and the choices")
    args = parser.parse_args()

    chooser = random.Random(args.seed)
    match = fm_env.load(args.game).new_match(args.scenario, seed=args.seed)
    while not match.is_over:
        seat = match.pending[0]  # others may owe a choice, too; nobody sees what another chose
        match.play(seat, chooser.choice(match.legal(seat)))

    for event in match.log:
        who = "     - " if event.seat == CHANCE else f"seat {event.seat} "
        print(f"{who} {event.words}")
    print("returns:", match.returns())


if __name__ == "__main__":
    main()
