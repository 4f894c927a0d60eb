"""Requests for automations made in a conversation. Entries: `automation_in`, `proposed`.

They become proposals in the Agent Inbox; a conversation never saves an automation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gaia_email.app.documents.short import plain
from gaia_email.interfaces.chat.grammar import Request
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from gaia_email.app import App

_BEGINS = re.compile(r"(?:please )?(?:when|whenever|if|as soon as|every|each|once) \S+ .*, ", re.IGNORECASE)
MOST_SAID = 20_000
"""Maximum characters of a sentence; a step is shown in full, including all its recipients."""


def automation_in(line: str) -> Request | None:
    """Return the request for an automation in this line; None if there is none or part of it is unclear."""
    if not _BEGINS.match(line.strip()):
        return None
    from gaia_email.automations.authoring.sentences import read_sentence

    try:
        read = read_sentence(line)
    except BadArgument:
        return None
    return None if read.unclear else Request(kind="automate", about=line.strip())


def proposed(app: App, words: str, *, origin: RequestOrigin) -> dict[str, object]:
    """Propose an automation and return its summary and the fields that are still open.

    Raises:
        MailError: The text was not understood, or too many proposals are waiting.
    """
    from gaia_email.app.documents.automation_drafts import describe_draft
    from gaia_email.app.documents.origins import origin_text
    from gaia_email.app.services.automation_authoring import DraftWish, propose_to_person
    from gaia_email.document import json_of

    draft = propose_to_person(
        app, DraftWish(words=words, model="never"), why=origin_text(origin), origin=origin
    )
    document = json_of(describe_draft(draft))
    recipients = [one["says"] for one in document["checks"] if one["topic"] == "recipients"]
    return {
        "name": document["name"],
        "summary": [plain(one, MOST_SAID) for one in (*document["summary"], *recipients)],
        "open": [plain(str(draft.template.fields[name]["title"]), 300) for name in document["missing"]],
    }
