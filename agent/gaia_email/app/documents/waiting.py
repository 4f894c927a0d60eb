"""The types of what can wait for the user's answer, for who only names them."""

from __future__ import annotations

WAITING = ("confirmation", "question", "review", "notify")
