"""Bots, learned policies and the registry that makes them from a line of text."""

from agents.api import Agent, BotInfo, Param

__all__ = ["Agent", "BotInfo", "Param"]
