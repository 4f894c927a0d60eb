"""The mailing list that a message came through, for unsubscribing. Entry: `mailing_list_of`.

Reads RFC 2369 (List-Post), RFC 2919 (List-Id), and the headers of older list software.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import parseaddr
from typing import TYPE_CHECKING

from gaia_understanding.cascade.sender.lists import read

if TYPE_CHECKING:
    from gaia_mail.mime.model import Headers

_MAILTO = re.compile(r"mailto:([^?>\s]{1,320})", re.IGNORECASE)
_OLD_LIST = re.compile(r"\blist\s+([^\s;]{1,320}@[^\s;]{1,255})", re.IGNORECASE)
_IDENTIFIER = re.compile(r"<([^<>\s]{1,255})>")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailingList:
    """A newsletter, or a list to which many people post.

    Attributes:
        identifier: Its List-Id in lower case; empty for none.
        name: Its display name; empty for none.
        address: The address that subscribers post to; empty for a newsletter.
    """

    identifier: str = ""
    name: str = ""
    address: str = ""


def mailing_list_of(headers: Headers) -> MailingList | None:
    """Return the list that a message came through; None if it did not come through one."""
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
    """Return the address for posts; empty if no header has it."""
    post = _MAILTO.search(headers.get("list-post") or "")
    old = _OLD_LIST.search(headers.get("mailing-list") or "")
    there = parseaddr(headers.get("x-beenthere") or "")[1]
    return (post[1] if post else there or (old[1] if old else "")).lower()
