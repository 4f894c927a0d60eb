"""How much of a message is read sentence by sentence, agreed for every room. Entries: `sentences_of`, `requests_of`.

Splitting into sentences and looking for requests is the dearest part of reading a mail. Extraction and the
cascade ask here, so that both read the same stretch of text and the work is done once.
"""

from __future__ import annotations

from gaia_email.extract.requests import RequestSpan, find_requests
from gaia_email.extract.sentences import ANALYSED_CHARS, split_sentences
from gaia_email.prepare.model import Prepared
from gaia_mail_mcp.mime.model import ParsedMessage

BULK_CHARS = 2_000
"""How far a mailing is read: what it wants stands at its top, the rest are more offers and the small print."""

_BULK_PRECEDENCE = ("bulk", "list", "junk")


def is_bulk(message: ParsedMessage) -> bool:
    """Whether this is a mailing to many (RFC 2369 List-Unsubscribe, or Precedence) and not a discussion list."""
    headers = message.headers
    if "list-post" in headers:
        return False
    return "list-unsubscribe" in headers or headers.get("precedence", "").strip().lower() in _BULK_PRECEDENCE


def read_chars(prepared: Prepared) -> int:
    """How many characters of `normalized` are read sentence by sentence; a mailing is cut at a line's end."""
    size = len(prepared.normalized)
    if size > BULK_CHARS and is_bulk(prepared.message):
        line_end = prepared.normalized.rfind("\n", BULK_CHARS // 2, BULK_CHARS)
        return line_end if line_end > 0 else BULK_CHARS
    return min(size, ANALYSED_CHARS)


def sentences_of(prepared: Prepared) -> tuple[str, ...]:
    """The sentences of the part that is read; remembered for the last messages."""
    chars = read_chars(prepared)
    text = prepared.normalized
    return split_sentences(text if chars == len(text) else text[:chars])


def requests_of(prepared: Prepared) -> tuple[RequestSpan, ...]:
    """The requests among `sentences_of`; remembered for the last messages."""
    return find_requests(sentences_of(prepared), prepared.language)
