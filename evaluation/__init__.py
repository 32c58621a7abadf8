"""Playing agents against each other and saying honestly what the results show."""

from evaluation.compare import Matchup, RoleGain, evaluate, play_pair, role_points

__all__ = ["Matchup", "RoleGain", "evaluate", "play_pair", "role_points"]
