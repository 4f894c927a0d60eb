"""Sentences of a conversation that ask for an automation. Entries: `automation_in`, `proposed`.

They become a question of the Agent Inbox; nothing that is said in a conversation saves one.
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
"""Characters of a sentence: a step is told whole, whoever it writes to."""


def automation_in(line: str) -> Request | None:
    """The request for an automation that a line is; None where it is none, or not understood as a whole."""
    if not _BEGINS.match(line.strip()):
        return None
    from gaia_email.automations.authoring.sentences import read_sentence

    try:
        read = read_sentence(line)
    except BadArgument:
        return None
    return None if read.unclear else Request(kind="automate", about=line.strip())


def proposed(app: App, words: str, *, origin: RequestOrigin) -> dict[str, object]:
    """What was proposed, in sentences, and what it leaves open.

    Raises:
        MailError: It was not understood, or too many wait.
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
