"""Limits how much of messages is read at once, to bound memory. Entry: `limits`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_mail.files.model import MAX_MESSAGE_BYTES

MAX_TOGETHER_BYTES = 2 * MAX_MESSAGE_BYTES
"""Approximate limit for all messages of a call together."""

LEAST_BYTES = 256 * 1024
"""Bytes of each message that may be read, however many messages there are."""


def limits(sizes: Mapping[str, int], most: int | None = None) -> dict[str, int]:
    """Return the messages that are too large to be read whole, each with the number of first bytes to read.

    Each gets at most `most` bytes if given, and all together about `MAX_TOGETHER_BYTES`.
    """
    most = MAX_MESSAGE_BYTES if most is None else min(most, MAX_MESSAGE_BYTES)
    if sum(min(size, most) for size in sizes.values()) > MAX_TOGETHER_BYTES:
        most = min(max(MAX_TOGETHER_BYTES // len(sizes), LEAST_BYTES), most)
    return {id_: most for id_, size in sizes.items() if size > most}
