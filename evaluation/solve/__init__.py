"""Exact values of a clash: its equilibrium, and what a best response gains against any agent.

`deal` counts hands and the cards they take from each other, `moves` lists what may be laid, `ends` and
`wild` say what a finished exchange is worth, `layout` puts all information sets in arrays, `cfr` solves.
`drive` brings the kernel to any information set, `response` and `late` ask a policy there and answer it
best, `exploit` reports. `grid`, `tables`, `survey` and `pictures` make what is committed.

`tree` and `linear` do the same for any tiny game straight from its kernel, with none of this, and are
what the rest is held against.
"""
