"""Bots, learned policies and the registry that makes them from a line of text."""

from agents.api import Agent, BotInfo, Param
from agents.registry import describe, make, names

__all__ = ["Agent", "BotInfo", "Param", "describe", "make", "names"]
