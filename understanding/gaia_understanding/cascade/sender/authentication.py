"""The receiving server's findings about the sender: Authentication-Results (RFC 8601). Entry: `read`.

Anyone can write such a header into a mail, so it counts only if the server that received the mail is known to
write it: by a table of providers, by the user's configuration, or because nearly all mail of this mailbox has
it in the same place. ARC headers are not read; they only say what another server claims.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import Headers
from gaia_mail.mime.receiving import FieldPosition, stated_results
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.verdict import Authentication

_COMMENT = lazy_pattern(r"\([^()]*\)")
_METHODS = ("spf", "dkim", "dmarc")
_RESULT = lazy_pattern(r"\s*([a-z0-9-]{1,20})\s*(?:/\s*\d+\s*)?=\s*([a-z]{1,20})", re.IGNORECASE)
_RESULTS = wordset("none pass fail softfail neutral temperror permerror policy hardfail bestguesspass")
_MAX_CHARS = 4000
_UNKNOWN = Authentication()


def read(
    headers: Headers,
    trusted_ids: frozenset[str] = frozenset(),
    receivers: frozenset[FieldPosition] = frozenset(),
) -> Authentication:
    """Return SPF, DKIM and DMARC as stated by the first header that can be believed.

    If no header can be believed, the topmost one is returned with `trusted=False`; its results may make the
    user more careful, never less.

    Args:
        headers: The message's header fields.
        trusted_ids: Authserv-ids of the user's server, as the user configured them, lower case.
        receivers: Header positions at which this mailbox's server was seen to write.
    """
    stated = headers.get_all("authentication-results")
    if not stated:
        return _UNKNOWN
    for found in stated_results(headers):
        if found.known or found.server in trusted_ids or found.place in receivers:
            return _read_value(found.value)[1]
    return _read_value(stated[0][:_MAX_CHARS])[2]


@lru_cache(maxsize=1024)
def _read_value(value: str) -> tuple[str, Authentication, Authentication]:
    """Return a header's authserv-id, and its results as a trusted and as an untrusted header."""
    server, results = parse(value)
    return server, _authentication(results, trusted=True), _authentication(results, trusted=False)


def parse(value: str) -> tuple[str, dict[str, str]]:
    """Return the authserv-id (lower case, without version) and the best result of each method.

    RFC 8601 §2.2. A mail may have several DKIM signatures: one that passes is enough.
    """
    parts = _without_comments(value[:_MAX_CHARS]).split(";")
    words = parts[0].split()
    server = words[0].strip('"').lower() if words and "=" not in words[0] else ""
    results: dict[str, str] = {}
    for part in parts[1:] if server else parts:
        match = _RESULT.match(part)
        if match is None:
            continue
        method, result = match[1].lower(), match[2].lower()
        if method in _METHODS and result in _RESULTS and results.get(method) != "pass":
            results[method] = "fail" if result == "hardfail" else result
    return server, results


def _authentication(results: dict[str, str], *, trusted: bool) -> Authentication:
    return Authentication(
        spf=results.get("spf", "none"),
        dkim=results.get("dkim", "none"),
        dmarc=results.get("dmarc", "none"),
        trusted=trusted,
    )


def _without_comments(text: str) -> str:
    """Remove RFC 5322 comments and quoted strings in one pass, however deep they nest."""
    if "(" not in text and '"' not in text:
        return text
    if '"' not in text:
        plain = _COMMENT.sub("", text)
        if "(" not in plain and ")" not in plain:
            return plain
    kept: list[str] = []
    depth = 0
    quoted = False
    for char in text:
        if char == '"' and not depth:
            quoted = not quoted
        elif quoted:
            continue
        elif char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(char)
    return "".join(kept)
