"""Templates, and the HTTP headers of pages. Entries: `render`, `fragment`, `shell`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any
from urllib.parse import quote, unquote

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from gaia_email.app.documents.cards.threads import message_card, thread_card
from gaia_email.app.documents.cards.waiting import call_card, item_card, recipient_chip
from gaia_email.app.documents.cards.wording import HEADINGS, age, one_line
from gaia_email.app.documents.mail_types import SECTIONS
from gaia_email.app.documents.states import STATES, state_command, state_sentence
from gaia_email.app.languages.formats import date_text, day_text, number_text
from gaia_email.app.languages.speaking import current_language, gettext, ngettext
from gaia_email.interfaces.keys import page_keys
from gaia_email.interfaces.web.plugged import page_links, page_parts, slots
from gaia_email_registry.errors import BadArgument
from gaia_mail.printable import visible_block
from gaia_understanding.cascade.verdict import BUCKETS

SAFE = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-dns-prefetch-control": "off",
    "permissions-policy": "microphone=(self), camera=(), geolocation=(), display-capture=(), usb=()",
}

FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; sandbox"
)
"""Policy for a mail as its sender formatted it: its own styles and pictures, no scripts, no network access."""

STATIC = {
    "app.css": "text/css",
    "forms.css": "text/css",
    "writing.css": "text/css",
    "aloud.js": "text/javascript",
    "app.js": "text/javascript",
    "chat.js": "text/javascript",
    "dictating.js": "text/javascript",
    "forms.js": "text/javascript",
    "keys.js": "text/javascript",
    "live.js": "text/javascript",
    "rows.js": "text/javascript",
    "writing.js": "text/javascript",
    "vendor/htmx.min.js": "text/javascript",
    "vendor/hx-csp.min.js": "text/javascript",
}
"""The files that pages load, with their types."""

MODULES = tuple(name for name in STATIC if name.endswith(".js") and "/" not in name and name != "app.js")
"""The modules imported by `app.js`, which the browser preloads."""


def policy(nonce: str) -> str:
    """Return the content security policy of a page; htmx follows only elements with its nonce."""
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types htmx"
    )


@cache
def _templates() -> Environment:
    plugged = [PackageLoader(part.package) for part in page_parts()]
    env = Environment(
        loader=ChoiceLoader([PackageLoader("gaia_email.interfaces.web"), *plugged]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
    env.filters.update(_FILTERS)
    env.globals.update(_SHARED)
    return env


def reference(account: str, id_: str) -> str:
    """Return a message's reference for pages, safe in URLs and forms."""
    return f"{quote(account, safe='')}/{quote(id_, safe='')}"


def parse_reference(text: str) -> tuple[str, str]:
    """Return the account and message id of a reference.

    Raises:
        BadArgument: It is not a reference.
    """
    account, slash, id_ = text.partition("/")
    if not slash or not id_:
        raise BadArgument("of: a message as a page names it.", argument="/of")
    return unquote(account), unquote(id_)


_SHARED: dict[str, Any] = {
    "BUCKETS": BUCKETS,
    "SECTIONS": SECTIONS,
    "HEADINGS": HEADINGS,
    "STATES": STATES,
    "call_card": call_card,
    "item_card": item_card,
    "message_card": message_card,
    "page_keys": page_keys,
    "page_links": page_links,
    "recipient_chip": recipient_chip,
    "reference": reference,
    "slots": slots,
    "state_command": state_command,
    "state_sentence": state_sentence,
    "thread_card": thread_card,
}
"""Functions and tables available to every template."""


def render(template: str, **values: Any) -> str:
    """Render a template; each value is escaped where it is inserted."""
    return _templates().get_template(template).render(**values)


def fragment(template: str, *, changed: bool = False, **values: Any) -> Response:
    """Return a part of a page; `changed` makes the page reload its content."""
    nonce = secrets.token_urlsafe(16)
    headers = {**SAFE, "content-security-policy": policy(nonce)}
    if changed:
        headers["hx-trigger"] = "gaia:changed"
    return HTMLResponse(render(template, nonce=nonce, **values), headers=headers)


def shell(api: str) -> Response:
    """Return the empty frame of all pages; it shows nothing without a session."""
    nonce = secrets.token_urlsafe(16)
    return HTMLResponse(
        render("shell.html", nonce=nonce, api=api, language=current_language(), modules=MODULES),
        headers={**SAFE, "content-security-policy": policy(nonce)},
    )


def mail_frame(html: str) -> Response:
    """Return a mail as its sender formatted it, for a sandboxed frame."""
    headers = {**SAFE, "content-security-policy": FRAME_POLICY}
    return HTMLResponse(html, headers=headers)


def static_file(name: str) -> Response:
    """Return a file that pages load."""
    raw = (files("gaia_email.interfaces.web") / "static" / name).read_bytes()
    return Response(raw, media_type=STATIC[name], headers=SAFE)


def _date(text: str | None) -> str:
    """Format an RFC 3339 time in this machine's time zone; empty for None."""
    return "" if not text else date_text(datetime.fromisoformat(text).astimezone())


def _day(text: str) -> str:
    """Format a day (RFC 3339) for reading."""
    return day_text(datetime.fromisoformat(text))


def _clock(text: str) -> str:
    """Return hour and minute of an RFC 3339 time in this machine's time zone."""
    return f"{datetime.fromisoformat(text).astimezone():%H:%M}"


def _translated(text: str) -> str:
    """Translate a text of the program's own tables; the result is escaped like any other."""
    return gettext(text.replace("_", " "))


def _marked(text: str, marks: Sequence[Sequence[int]]) -> Markup:
    """Return an escaped text with the search words marked."""
    found, last = Markup(), 0
    for start, end in marks:
        found += escape(one_line(text[last:start])) + Markup(" <mark>") + escape(one_line(text[start:end]))
        found += Markup("</mark> ")
        last = end
    return found + escape(one_line(text[last:]))


def _row_id(text: str) -> str:
    """Return an element id for a reference, always the same, so that a row keeps its identity through a swap."""
    return f"r{blake2b(text.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


def _json_text(value: object) -> str:
    """Format a JSON value for reading; a text stays as it is."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


_FILTERS: dict[str, Any] = {
    "age": age,
    "block": visible_block,
    "clock": _clock,
    "date": _date,
    "day": _day,
    "json_text": _json_text,
    "marked": _marked,
    "number": number_text,
    "one_line": one_line,
    "row_id": _row_id,
    "translated": _translated,
}
"""Template filters, applied before escaping."""
