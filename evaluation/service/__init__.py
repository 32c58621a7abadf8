"""The service under load and under the axe: `make load`, `make kill-drill`.

server.py     `fm-env serve` in a process of its own
players.py    simulated people who play duels over WebSockets and remember what was acknowledged
check.py      what they remember against what the database has
load.py       a thousand of them for ten minutes
drill.py      kill -9 again and again while they play
"""
