"""Numbers 64-bit hashes in order of first appearance, in flat arrays. Entry: `IdTable`."""

from __future__ import annotations

import secrets
from array import array

_WORD = (1 << 64) - 1


class IdTable:
    """A set of hashes with dense numbers: about 17 bytes each, compared with 130 in a dictionary of integers.

    Open addressing with linear probing. Slots are salted, so a sender who chooses the hashed texts cannot make them
    collide. Numbers do not depend on the salt.
    """

    __slots__ = ("_bits", "_salt", "_slots", "hashes")

    def __init__(self) -> None:
        self.hashes = array("Q")
        self._salt = secrets.randbits(64) | 1
        self._bits = 8
        self._slots = array("I", bytes(4 << self._bits))

    def __len__(self) -> int:
        """Return the number of distinct hashes."""
        return len(self.hashes)

    def number(self, hashed: int) -> int:
        """Return the number of a hash; an unseen hash gets the next number."""
        hashes, slots = self.hashes, self._slots
        mask = len(slots) - 1
        slot = (hashed * self._salt & _WORD) >> (64 - self._bits)
        while occupant := slots[slot]:
            if hashes[occupant - 1] == hashed:
                return occupant - 1
            slot = (slot + 1) & mask
        hashes.append(hashed)
        slots[slot] = len(hashes)
        if len(hashes) * 3 > len(slots) * 2:
            self._grow()
        return len(hashes) - 1

    def _grow(self) -> None:
        self._bits += 1
        slots = self._slots = array("I", bytes(4 << self._bits))
        mask, shift, salt = len(slots) - 1, 64 - self._bits, self._salt
        for number, hashed in enumerate(self.hashes, 1):
            slot = (hashed * salt & _WORD) >> shift
            while slots[slot]:
                slot = (slot + 1) & mask
            slots[slot] = number
