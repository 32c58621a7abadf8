"""Agents as a service: one JSON protocol over stdio, HTTP and WebSocket.

    protocol.py, protocol_hosted.py, protocol_view.py   the messages, as pydantic models; JSON Schema in docs/
    choose.py                         the stateless half: a position in, an action out
    engine.py                         `fm-env engine`: the protocol line by line over stdio
    external.py                       an external program as an agent (`engine:COMMAND`)
    running.py, seats.py, hosted.py   one hosted game: the rules' side, who sits there, both together
    viewing.py, keeping.py, store.py  ... as a viewer sees it, as it is made anew, in SQLite
    players.py, floor.py, hall.py     agents at seats with their fallback; all games, driven and asked for
    guard.py, app.py, sockets.py      limits, HTTP, WebSocket

Needs the extra `service` for `store.py` and `app.py`; the rest needs nothing more.
"""
