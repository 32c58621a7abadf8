"""Tournaments: all agents against all, results that survive a kill, and what they allow us to say."""
