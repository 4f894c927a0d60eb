"""Learn who writes to whom in a mailbox from its message summaries. Entry point: `ContactGraph`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gaia_email.mailbox.correspondents import Correspondents
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract.wire import Address, Summary
from gaia_mail.exchanged import was_exchanged

OUT_OF_SIGHT = frozenset(("TRASH", "SPAM"))
"""Labels of messages that a listing omits unless asked for them."""


def parse_date(text: str) -> float | None:
    """Return an RFC 3339 time as epoch seconds; None if it is empty or invalid."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return None


def _addresses(people: Sequence[Address]) -> list[str]:
    return [person["address"] for person in people if person["address"]]


class ContactGraph:
    """Fills a `Correspondents` from summaries: `note` each, `close` once, then `learn` later arrivals.

    A message in the inbox, not in sent mail, that names the user as its sender may be forged, or come from a form, a
    scanner or the user's own notes. It counts as having no sender if the mailbox keeps sent mail separately, or if it
    went to the user alone. Without `owner` the user is the account, if that is an address.

    Attributes:
        newest: Date of the newest noted message, epoch seconds; the age of mail is measured from it
            (docs/decisions/0002).
    """

    def __init__(self, account: str, owner: Sequence[str]) -> None:
        own = owner or addresses_in(account)
        self._own = frozenset(address.lower() for address in own)
        self._threads: list[str] = []
        self._doubtful: list[Summary] = []
        self._keeps_sent = False
        self.newest = 0.0
        self.history = Correspondents()

    def note(self, summary: Summary) -> None:
        """Add a message, unless it is a draft or in Spam or Trash."""
        if not was_exchanged(summary):
            return
        self._date(summary)
        self._keeps_sent = self._keeps_sent or "SENT" in summary["labels"]
        if self._is_uncertain(summary):
            self._doubtful.append(summary)
        else:
            self._add(summary, summary["from"]["address"])

    def close(self) -> Correspondents:
        """Return the finished history."""
        for summary in self._doubtful:
            nobody = self._keeps_sent or self._is_to_oneself(summary)
            self._add(summary, "" if nobody else summary["from"]["address"])
        self._doubtful.clear()
        self.history.finish(self._own or None, lambda ordinal: self._threads[ordinal])
        self._threads.clear()
        return self.history

    @classmethod
    def from_history(
        cls, account: str, owner: Sequence[str], history: Correspondents, *, newest: float, keeps_sent: bool
    ) -> ContactGraph:
        """Create a graph from a history that is already closed."""
        made = cls(account, owner)
        made.history, made.newest, made._keeps_sent = history, newest, keeps_sent
        return made

    def digest(self) -> str:
        """Return a text that changes whenever the basis for judging all mail, from any sender, may have changed."""
        return f"{self._keeps_sent} {self.history.digest()}"

    def learn(self, summary: Summary) -> None:
        """Add a message that arrived after `close`, unless it is a draft or in Spam or Trash."""
        if not was_exchanged(summary):
            return
        self._date(summary)
        self._keeps_sent = self._keeps_sent or "SENT" in summary["labels"]
        is_nobodys = self._is_uncertain(summary) and (self._keeps_sent or self._is_to_oneself(summary))
        sender = "" if is_nobodys else summary["from"]["address"]
        recipients = _addresses([*summary["to"], *summary["cc"]])
        self.history.note_live(sender, recipients, parse_date(summary["date"]), summary["thread_id"])

    def age_s(self, date: float | None, now: float) -> float:
        """Return the seconds between a message's date and the newest message's; future dates count as `now`."""
        return 0.0 if date is None else max(0.0, min(self.newest, now) - date)

    def _date(self, summary: Summary) -> None:
        self.newest = max(self.newest, parse_date(summary["date"]) or 0.0)

    def _is_to_oneself(self, summary: Summary) -> bool:
        recipients = {address.lower() for address in _addresses([*summary["to"], *summary["cc"]])}
        return recipients <= self._own

    def _is_uncertain(self, summary: Summary) -> bool:
        labels = summary["labels"]
        return summary["from"]["address"].lower() in self._own and "INBOX" in labels and "SENT" not in labels

    def _add(self, summary: Summary, sender: str) -> None:
        recipients = _addresses([*summary["to"], *summary["cc"]])
        self.history.add(sender.lower(), recipients, parse_date(summary["date"]))
        self._threads.append(summary["thread_id"])
