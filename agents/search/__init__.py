"""Search on top of an agent: information-set tree search over what a seat may imagine."""

from agents.search.agent import SearchAgent

__all__ = ["SearchAgent"]
