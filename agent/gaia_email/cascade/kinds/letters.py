"""What one person writes to others: their own words, or what they pass on. Entries: `is_letter`, `is_own_word`."""

from __future__ import annotations

from gaia_email.cascade.facts import RuleFacts
from gaia_mail.lazy import lazy_pattern

_FORWARD = lazy_pattern(r"(?:fwd?|wg|tr|rv|enc|doorst|i|vs)\s?:")


def is_letter(facts: RuleFacts) -> bool:
    """Whether a person wrote it, without any of the headers of mailings; a discussion over a list is one, too."""
    lists = facts.lists
    if facts.sender.kind != "person" or lists.automatic:
        return False
    mailing = lists.bulk or bool(lists.list_id) or lists.unsubscribe is not None or lists.service
    return lists.discussion or not mailing


def is_passed_on(facts: RuleFacts) -> bool:
    """Whether its subject says that it was forwarded."""
    return _FORWARD.match(facts.view.folded_subject) is not None


def is_own_word(facts: RuleFacts) -> bool:
    """Whether it is written to the reader, among a few at most, and not passed on."""
    return facts.sender.audience in ("me", "few") and not is_passed_on(facts)
