"""Converts the automatic answer to Outlook's automatic replies, and back. Entries: `vacation_of`, `setting_of`.

https://learn.microsoft.com/graph/api/resources/automaticrepliessetting. Outlook stores HTML and no subject.
"""

from __future__ import annotations

import datetime as dt
import html
import re

from gaia_email_registry.contract.wire import Vacation
from gaia_email_registry.errors import BadArgument
from gaia_graph_mcp.calls import Resource
from gaia_graph_mcp.event_forms import instant_of

_PAGE = re.compile(
    r"\s*<html>\s*(?:<head>.*?</head>\s*)?<body>(.*)</body>\s*</html>\s*", re.DOTALL | re.IGNORECASE
)


def vacation_of(setting: Resource) -> Vacation:
    """Convert Outlook's setting; the text is the one for external senders, if they get a reply."""
    status, audience = setting.get("status"), setting.get("externalAudience")
    inside = str(setting.get("internalReplyMessage") or "")
    outside = str(setting.get("externalReplyMessage") or "")
    message = _inside_page(inside if audience == "none" or not outside else outside)
    text = _text_of(message)
    scheduled = status == "scheduled"
    return Vacation(
        enabled=status in ("alwaysEnabled", "scheduled"),
        subject="",
        body=text,
        html_body="" if text else message,
        start=_shown(setting.get("scheduledStartDateTime")) if scheduled else "",
        end=_shown(setting.get("scheduledEndDateTime")) if scheduled else "",
        contacts_only=audience == "contactsOnly",
        domain_only=audience == "none",
    )


def setting_of(vacation: Vacation, before: Vacation, now: dt.datetime) -> Resource:
    """Return the setting to send. An unchanged text is left out, so that different internal and external texts survive.

    Raises:
        BadArgument: Outlook does not support the combination.
    """
    if vacation["subject"]:
        raise BadArgument(
            "Outlook's automatic replies have no subject of their own; leave subject empty.",
            argument="subject",
        )
    message = vacation["html_body"] or _html_of(vacation["body"])
    if vacation["enabled"] and not message:
        raise BadArgument("An automatic answer needs a text.", argument="body")
    audience = "none" if vacation["domain_only"] else "contactsOnly" if vacation["contacts_only"] else "all"
    setting: Resource = {"status": "disabled", "externalAudience": audience}
    if vacation["enabled"]:
        setting |= _times(vacation, now)
    if (vacation["body"], vacation["html_body"]) != (before["body"], before["html_body"]):
        setting |= {"internalReplyMessage": message, "externalReplyMessage": message}
    return setting


def _times(vacation: Vacation, now: dt.datetime) -> Resource:
    if not vacation["start"] and not vacation["end"]:
        return {"status": "alwaysEnabled"}
    if not vacation["end"]:
        raise BadArgument("Outlook wants to know when automatic replies end; give end too.", argument="end")
    start = dt.datetime.fromisoformat(vacation["start"]) if vacation["start"] else now
    end = dt.datetime.fromisoformat(vacation["end"])
    return {"status": "scheduled", "scheduledStartDateTime": _utc(start), "scheduledEndDateTime": _utc(end)}


def _utc(time: dt.datetime) -> Resource:
    wall = time.astimezone(dt.UTC).replace(tzinfo=None)
    return {"dateTime": wall.isoformat(timespec="seconds"), "timeZone": "UTC"}


def _shown(time: object) -> str:
    instant = instant_of(time)
    return instant.isoformat(timespec="seconds") if instant is not None else ""


def _html_of(text: str) -> str:
    return html.escape(text, quote=False).replace("\r\n", "\n").replace("\n", "<br>\n")


def _text_of(message: str) -> str:
    """Return the text from which `_html_of` makes this HTML; empty for any other HTML."""
    text = html.unescape(message.replace("<br>\n", "\n"))
    return text if _html_of(text) == message else ""


def _inside_page(message: str) -> str:
    """Remove the HTML page that Exchange wraps around the text."""
    found = _PAGE.fullmatch(message)
    return (found[1] if found else message).strip()
