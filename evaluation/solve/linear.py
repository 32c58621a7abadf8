"""The value of a tiny two-player zero-sum game by linear programming in sequence form (HiGHS).

Koller, Megiddo and von Stengel's programme: the first seat picks a realisation plan, the second
answers each of its information sets at its best. Needs SciPy (extra `test`).
"""

from __future__ import annotations

import importlib.util

import numpy as np

from evaluation.solve.tree import Floats, Tree
from fm_env.errors import SetupError


def solve_linear(tree: Tree) -> tuple[float, Floats, Floats]:
    """Value for seat 0 and optimal realisation plans of both seats.

    Raises:
        SetupError: not two seats and zero-sum, or SciPy isn't installed.
    """
    if tree.num_seats != 2 or not np.allclose(tree.returns.sum(1), 0.0):
        raise SetupError("expected a zero-sum game of two seats")
    value, first = _plan_of(tree, 0)
    _, second = _plan_of(tree, 1)
    return value, first, second


def _plan_of(tree: Tree, seat: int) -> tuple[float, Floats]:
    """What `seat` can be sure of, and a plan that is."""
    if importlib.util.find_spec("scipy") is None:
        raise SetupError("linear programming needs SciPy; install it with: pip install 'fm-env[judge]'")
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack

    other = 1 - seat
    mine, hers = tree.num_sequences(seat), tree.num_sequences(other)
    worth = csr_matrix(
        (tree.chance * tree.returns[:, seat], (tree.sequences[:, other], tree.sequences[:, seat])),
        shape=(hers, mine),
    )
    # Variables: my plan x, and the worth q of each of her sets (q[0]: of the game).
    # For each of her sequences: worth of her set <= what the sequence gives + her later sets.
    rows, columns, data = [0], [0], [1.0]
    for k, s in enumerate(tree.sets[other], start=1):
        rows.append(s.parent)
        columns.append(k)
        data.append(-1.0)
        for j in range(len(s.actions)):
            rows.append(s.first + j)
            columns.append(k)
            data.append(1.0)
    sets = 1 + len(tree.sets[other])
    tied = csr_matrix((data, (rows, columns)), shape=(hers, sets))
    limits = hstack([-worth, tied]).tocsr()
    rows, columns, data = [0], [0], [1.0]
    for k, s in enumerate(tree.sets[seat], start=1):
        rows += [k] * (1 + len(s.actions))
        columns += [s.parent, *range(s.first, s.first + len(s.actions))]
        data += [-1.0] + [1.0] * len(s.actions)
    flow = csr_matrix((data, (rows, columns)), shape=(1 + len(tree.sets[seat]), mine + sets))
    found = linprog(
        -np.eye(1, mine + sets, mine)[0],
        A_ub=limits,
        b_ub=np.zeros(hers),
        A_eq=flow,
        b_eq=np.eye(1, 1 + len(tree.sets[seat]))[0],
        bounds=[(0, None)] * mine + [(None, None)] * sets,
        method="highs",
    )
    if not found.success:
        raise SetupError(f"linear programme: {found.message}")
    return float(-found.fun), found.x[:mine]
