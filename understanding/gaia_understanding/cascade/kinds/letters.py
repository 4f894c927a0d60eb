"""Mail from one person to others: their own words, or forwarded ones. Entries: `is_letter`, `is_own_word`."""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts

_FORWARD = lazy_pattern(r"(?:fwd?|wg|tr|rv|enc|doorst|i|vs)\s?:")


def is_letter(facts: RuleFacts) -> bool:
    """Return True if a person wrote it, without any of the headers of mailings; a discussion over a list counts."""
    lists = facts.lists
    if facts.sender.kind != "person" or lists.automatic:
        return False
    mailing = lists.bulk or bool(lists.list_id) or lists.unsubscribe is not None or lists.service
    return lists.discussion or not mailing


def is_passed_on(facts: RuleFacts) -> bool:
    """Return True if the subject says that the mail was forwarded."""
    return _FORWARD.match(facts.view.folded_subject) is not None


def is_own_word(facts: RuleFacts) -> bool:
    """Return True if the mail is written to the reader, among a few at most, and not forwarded."""
    return facts.sender.audience in ("me", "few") and not is_passed_on(facts)
