"""Requests for automations made in a conversation. Entry: `CHAT`.

They become proposals in the Agent Inbox; a conversation never saves an automation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.app.documents.fields import texts_of
from gaia_email.app.documents.short import plain
from gaia_email.interfaces.chat.plugged import PluginChat
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from gaia_email.app import App

_BEGINS = re.compile(r"(?:please )?(?:when|whenever|if|as soon as|every|each|once) \S+ .*, ", re.IGNORECASE)
MOST_SAID = 20_000
"""Maximum characters of a sentence; a step is shown in full, including all its recipients."""


def is_sentence(line: str) -> bool:
    """Return True if a line asks for an automation and all of it is clear."""
    if not _BEGINS.match(line.strip()):
        return False
    from gaia_email_automations.authoring.sentences import read_sentence

    try:
        return not read_sentence(line).unclear
    except BadArgument:
        return False


def propose(app: App, words: str, *, origin: RequestOrigin) -> dict[str, object]:
    """Propose an automation and return its summary and the fields that are still open.

    Raises:
        MailError: The text was not understood, or too many proposals are waiting.
    """
    from gaia_email.app.documents.origins import origin_text
    from gaia_email.document import json_of
    from gaia_email_automations.draft_documents import describe_draft
    from gaia_email_automations.draft_use_cases import DraftWish, propose_to_person

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


def proposal_text(data: Mapping[str, object]) -> str:
    """Return the text about a proposed automation."""
    asked = [f"  open: {one}" for one in texts_of(data, "open")]
    return "\n".join(
        [
            f"It waits in your Agent Inbox as a proposal: {data['name']}.",
            *(f"  {one}" for one in texts_of(data, "summary")),
            *asked,
            "Nothing is saved before you do: gaia email automations drafts",
        ]
    )


CHAT = PluginChat(
    kind="automate",
    tool="propose",
    render="automation",
    example="when a newsletter arrives, archive it",
    pattern=r"(?:automate|propose(?: an automation)?|(?:make|set up) an automation):? (?:that |so that )?(?P<about>.+)",
    is_request=is_sentence,
    perform=propose,
    text=proposal_text,
)
