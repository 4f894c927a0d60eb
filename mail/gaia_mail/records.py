"""Dataclasses that are frozen to the type checkers but cheap to make: `record`.

What is made for every message and every finding in it is made some hundred times a message, and a dataclass
that is frozen at run time sets each field through a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool = False, slots: bool = False, kw_only: bool = False):
        """Like `dataclass`; a frozen one can be compared and hashed, but only mypy and pyright refuse to set it."""
        return dataclass(slots=slots, kw_only=kw_only, unsafe_hash=frozen)


__all__ = ["record"]
