"""What the receiving server found out about the sender: Authentication-Results (RFC 8601). Entry: `read`.

Anybody can write such a header into a mail, so it counts only when the server that accepted the mail wrote it:
its authserv-id is configured, or is the host of the topmost Received header. ARC headers are not read; they
only say what another server claims.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gaia_email.cascade.model import Authentication
from gaia_email.cascade.tables import wordset
from gaia_mail_mcp.mime.lazy import lazy_pattern
from gaia_mail_mcp.mime.model import Headers

_BY = lazy_pattern(r"by\s+([^\s;()]{1,255})")
_COMMENT = lazy_pattern(r"\([^()]*\)")
_METHODS = ("spf", "dkim", "dmarc")
_RESULT = lazy_pattern(r"\s*([a-z0-9-]{1,20})\s*(?:/\s*\d+\s*)?=\s*([a-z]{1,20})", re.IGNORECASE)
_RESULTS = wordset("none pass fail softfail neutral temperror permerror policy hardfail bestguesspass")
_MAX_CHARS = 4000
_MAX_HEADERS = 20
_UNKNOWN = Authentication()


def read(headers: Headers, trusted_ids: frozenset[str] = frozenset()) -> Authentication:
    """SPF, DKIM and DMARC as the header that is to be believed states them.

    When no header can be believed the topmost one's words are given with `trusted=False`; they may make the
    user more careful, never less.

    Args:
        headers: The message's header fields.
        trusted_ids: Authserv-ids that the user's provider writes, lower case.
    """
    stated = headers.get_all("authentication-results")
    if not stated:
        return _UNKNOWN
    received = headers.get_all("received")
    first_host = _by_host(received[0]) if received else ""
    for index, value in enumerate(stated[:_MAX_HEADERS]):
        server, believed, _ = _stated(value[:_MAX_CHARS])
        if server in trusted_ids or (
            server and server == first_host and index < _above_foreign(headers, received)
        ):
            return believed
    return _stated(stated[0][:_MAX_CHARS])[2]


def _above_foreign(headers: Headers, received: tuple[str, ...]) -> int:
    """How many such headers stand above the first Received header that another host than the topmost one wrote."""
    if len(received) == 1:
        return _MAX_HEADERS
    topmost = ""
    same = 0
    for value in received:
        host = _by_host(value)
        if topmost and host != topmost:
            break
        topmost = host
        same += 1
    else:
        return _MAX_HEADERS
    above = 0
    for name, _ in headers.fields():
        name = name.lower()
        if name == "received":
            same -= 1
            if same < 0:
                break
        above += name == "authentication-results"
    return above


@lru_cache(maxsize=1024)
def _stated(value: str) -> tuple[str, Authentication, Authentication]:
    """A header's authserv-id, and what it says when it is to be believed and when not."""
    server, results = parse(value)
    return server, _authentication(results, trusted=True), _authentication(results, trusted=False)


def parse(value: str) -> tuple[str, dict[str, str]]:
    """Authserv-id (lower case, without version) and the result of each method; of several the best one counts.

    RFC 8601 §2.2. A mail may carry several DKIM signatures: one that passes is enough.
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


def _by_host(received: str) -> str:
    lowered = received[:2000].lower()
    position = lowered.find("by")
    while position >= 0:
        if not position or lowered[position - 1].isspace():
            match = _BY.match(lowered, position)
            if match:
                return match[1].rstrip(".")
        position = lowered.find("by", position + 2)
    return ""


def _without_comments(text: str) -> str:
    """RFC 5322 comments and quoted strings out, in one pass however deep they nest."""
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
