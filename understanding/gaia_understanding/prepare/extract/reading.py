"""The part of a message that is read sentence by sentence, the same for all packages. Entry: `read`.

Splitting into sentences and finding requests is the most expensive part of reading a mail. Extraction and the
cascade share a `Reading`, so that both see the same part of the text and the work is done once.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.prepare.extract.requests import RequestSpan, find_requests, tidy_sentences
from gaia_understanding.prepare.extract.sentences import ANALYSED_CHARS, placed_sentences
from gaia_understanding.prepare.extract.spelling import Spellings
from gaia_understanding.prepare.extract.vocabulary import KnownWords, heard_in
from gaia_understanding.prepare.model import Prepared

BULK_CHARS = 2_000
"""The characters of a mailing that are read: it says what it wants at its top, then come offers and small print."""

_BULK_PRECEDENCE = ("bulk", "list", "junk")


def is_bulk(message: ParsedMessage) -> bool:
    """Return True for a mailing to many (RFC 2369 List-Unsubscribe, or Precedence), except a discussion list."""
    headers = message.headers
    if "list-post" in headers:
        return False
    return "list-unsubscribe" in headers or headers.get("precedence", "").strip().lower() in _BULK_PRECEDENCE


def read_chars(prepared: Prepared) -> int:
    """Count the characters of `normalized` to read sentence by sentence; a mailing is cut at a line's end."""
    size = len(prepared.normalized)
    if size > BULK_CHARS and is_bulk(prepared.message):
        line_end = prepared.normalized.rfind("\n", BULK_CHARS // 2, BULK_CHARS)
        return line_end if line_end > 0 else BULK_CHARS
    return min(size, ANALYSED_CHARS)


@dataclass(slots=True, kw_only=True)
class Reading:
    """The analysis of a message sentence by sentence, done once for all users. Made by `read`.

    `text` is the part that is read, `sentences` its sentences, and `starts` the position of each of those in
    it; `listening` are further words that a caller needs.
    """

    prepared: Prepared
    text: str
    sentences: tuple[str, ...]
    starts: tuple[int, ...]
    listening: frozenset[str]
    _spellings: Spellings | None = None
    _lower: str | None = None
    _heard: KnownWords | None = None
    _requests: tuple[RequestSpan, ...] | None = None

    @property
    def spellings(self) -> Spellings:
        """The spellings of `text`."""
        if self._spellings is None:
            self._spellings = Spellings(self.text)
        return self._spellings

    @property
    def lower(self) -> str:
        """`text` in lower case, of exactly the same length."""
        if self._lower is None:
            self._lower = self.spellings.lower()
        return self._lower

    @property
    def known(self) -> frozenset[str]:
        """The words of `text` that some finder knows or that are in `listening`, and perhaps others."""
        return self._hear().known

    @property
    def requests(self) -> tuple[RequestSpan, ...]:
        """The sentences that ask the reader for something."""
        if self._requests is None:
            calling = self._by_sentence(self._hear().calling)
            self._requests = find_requests(self.sentences, self.prepared.language, self._plain(), calling)
        return self._requests

    def _hear(self) -> KnownWords:
        """Return the known words, each with the position of its character."""
        if self._heard is None:
            spaced = self.spellings.spaced_bytes()
            heard = heard_in(spaced, self.prepared.language, self.listening)
            if len(spaced) != len(self.text):
                heard = heard._replace(calling=_in_characters(heard.calling, spaced))
            self._heard = heard
        return self._heard

    def _by_sentence(self, placed: list[tuple[int, str]]) -> dict[int, list[str]]:
        """Group words by the number of their sentence."""
        starts = self.starts
        end = starts[-1] + len(self.sentences[-1]) if starts else 0
        found: dict[int, list[str]] = {}
        for position, word in placed:
            if position >= end:
                break
            found.setdefault(bisect_right(starts, position) - 1, []).append(word)
        return found

    def _plain(self) -> list[str]:
        """Return the sentences folded and tidied."""
        folded = self.spellings.fold()
        return tidy_sentences(
            [
                folded[start : start + len(sentence)]
                for start, sentence in zip(self.starts, self.sentences, strict=True)
            ],
            self.spellings.wide,
        )


def _in_characters(placed: list[tuple[int, str]], octets: bytes) -> list[tuple[int, str]]:
    """Return the words of a UTF-8 text, in order, with positions in characters instead of bytes."""
    result: list[tuple[int, str]] = []
    reached = characters = 0
    for position, word in placed:
        characters += len(octets[reached:position].decode("utf-8", "surrogatepass"))
        reached = position
        result.append((characters, word))
    return result


def read(prepared: Prepared, listening: frozenset[str] = frozenset()) -> Reading:
    """Split the part of a message that is read into sentences; its words are found when first asked for.

    `listening` are words to include in the `known` ones if they occur, always the same for the same caller.
    """
    chars = read_chars(prepared)
    text = prepared.normalized
    if chars < len(text):
        text = text[:chars]
    sentences, starts = placed_sentences(text)
    return Reading(prepared=prepared, text=text, sentences=sentences, starts=starts, listening=listening)
