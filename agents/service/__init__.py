"""Agents as a service: one JSON protocol over stdio, HTTP and WebSocket.

    protocol.py, protocol_hosted.py, protocol_view.py   the messages, as pydantic models; JSON Schema in docs/
    choose.py                         the stateless half: a position in, an action out
    engine.py                         `fm-env engine`: the protocol line by line over stdio
    external.py                       an external program as an agent (`engine:COMMAND`)
    running.py, hosted.py, hall.py    hosted games: the rules' side, seats and clocks, all games
    store.py                          games in SQLite
    app.py                            HTTP and WebSocket

Needs the extra `service` for `store.py` and `app.py`; the rest needs nothing more.
"""
