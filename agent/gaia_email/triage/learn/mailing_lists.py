"""The mailing list that a message came through: whom to unsubscribe from. Entry: `mailing_list_of`.

RFC 2369 (List-Post), RFC 2919 (List-Id), and the headers of older list software.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import parseaddr
from typing import TYPE_CHECKING

from gaia_email.cascade.sender.lists import read

if TYPE_CHECKING:
    from gaia_mail.mime.model import Headers

_MAILTO = re.compile(r"mailto:([^?>\s]{1,320})", re.IGNORECASE)
_OLD_LIST = re.compile(r"\blist\s+([^\s;]{1,320}@[^\s;]{1,255})", re.IGNORECASE)
_IDENTIFIER = re.compile(r"<([^<>\s]{1,255})>")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailingList:
    """A list with a sender of its own, or one to which many people write.

    Attributes:
        identifier: Its List-Id in lower case; empty where it has none.
        name: How it calls itself; empty where it does not.
        address: Where its readers write to; empty for a list that only its owner writes to.
    """

    identifier: str = ""
    name: str = ""
    address: str = ""


def mailing_list_of(headers: Headers) -> MailingList | None:
    """Return the list that a message came through; None for mail that came through none."""
    facts = read(headers)
    list_id = " ".join(facts.list_id.split())
    if facts.unsubscribe is None and not list_id and not facts.discussion:
        return None
    identifier = _IDENTIFIER.search(list_id)
    named = list_id.partition("<")[0].strip(" \"'")
    return MailingList(
        identifier=(identifier[1] if identifier else list_id).lower()[:255],
        name=named[:120] if identifier else "",
        address=_address(headers) if facts.discussion else "",
    )


def _address(headers: Headers) -> str:
    """Where people write to; the beginning of a list's id stands for it where no header says it."""
    post = _MAILTO.search(headers.get("list-post") or "")
    old = _OLD_LIST.search(headers.get("mailing-list") or "")
    there = parseaddr(headers.get("x-beenthere") or "")[1]
    return (post[1] if post else there or (old[1] if old else "")).lower()
