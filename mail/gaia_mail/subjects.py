"""Strips the prefixes that replies and lists add to subjects (RFC 5256 §2.1, more languages). Entry: `base_subject`."""

from __future__ import annotations

import re

REPLY_PREFIXES = (
    "re", "aw", "antw", "antwort", "sv", "vs", "ref", "rif", "r", "res", "resp", "odp", "ynt", "atb", "بخصوص",
    "回复", "回覆", "答复", "答覆", "返信", "답장", "회신", "отв", "на", "απ", "σχετ", "hv",
)  # fmt: skip
FORWARD_PREFIXES = (
    "fw", "fwd", "wg", "tr", "rv", "enc", "i", "doorst", "vl", "vb", "pd", "iln", "转发", "轉寄", "転送", "전달",
    "пересл", "πρθ", "továbbítás",
)  # fmt: skip

_PREFIX = re.compile(
    rf"\s*(?:(?P<word>{'|'.join(map(re.escape, (*REPLY_PREFIXES, *FORWARD_PREFIXES)))})"
    r"(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:：]|(?P<tag>\[[^\[\]\n]{1,60}\]))\s*",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"\s*\(fwd\)\s*$", re.IGNORECASE)
_MOST_PREFIXES = 20


def base_subject(subject: str) -> tuple[str, bool]:
    """Return the case-folded subject without prefixes and list tags, and True if it had a reply prefix.

    `Re: [team] AW: Budget 2026 (fwd)` gives `("budget 2026", True)`. A list tag alone does not make a reply; a subject
    that consists of nothing but a tag keeps it.
    """
    rest, answers = subject[:1000], False
    if ")" in rest:
        rest = _TRAILER.sub("", rest)
    for _ in range(_MOST_PREFIXES if ":" in rest or "：" in rest or "[" in rest else 0):
        match = _PREFIX.match(rest)
        if match is None or (match["tag"] and match.end() == len(rest)):
            break
        answers = answers or match["word"] is not None
        rest = rest[match.end() :]
    return " ".join(rest.casefold().split()), answers
