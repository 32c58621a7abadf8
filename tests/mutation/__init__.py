"""Mutation testing of the rule files: do the tests notice a small change of the rules?

Cosmic Ray lists what can be changed and changes it; a sample of that, drawn by a seed, is tried. Rules run
as plain Python. `python -m tests.mutation` (`make mutate`) says how; a killed one goes on where it was.

* `mutants`: what can be changed, the sample, and how a changed file goes into a running process.
* `selection`: which tests look at a game, and what each of them costs and reaches (measured once).
* `trials`: the tests of one game in one process; each mutant gets a fork of it.
* `report`: rates, intervals, and the survivors with their reasons.
"""
