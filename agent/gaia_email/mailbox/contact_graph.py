"""Who writes to whom in a mailbox, learned from its summaries. Entry point: `ContactGraph`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gaia_email.mailbox.correspondents import Correspondents
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract.wire import Address, Summary
from gaia_mail.exchanged import was_exchanged

OUT_OF_SIGHT = frozenset(("TRASH", "SPAM"))
"""Labels of messages that a listing leaves out unless it is asked for them."""


def parse_date(text: str) -> float | None:
    """Epoch seconds of an RFC 3339 time; None when it is empty or broken."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return None


def _addresses(people: Sequence[Address]) -> list[str]:
    return [person["address"] for person in people if person["address"]]


class ContactGraph:
    """Fills a `Correspondents` from summaries: `note` each, `close` once, then `learn` what comes later.

    A message that names the user as its sender but lies in the inbox, not among sent mail, may be forged, or be of a
    form, a scanner, the user's own notes. Where the mailbox keeps sent mail apart, or it went to the user alone, such a
    message counts as nobody's. Without `owner` the user is
    the account, where that is an address.

    Attributes:
        newest: When the newest message that was noted is dated, in epoch seconds; by it old
            mail fades (docs/decisions/0002).
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
        """Take one message in, unless it is a draft or lies in Spam or Trash."""
        if not was_exchanged(summary):
            return
        self._date(summary)
        self._keeps_sent = self._keeps_sent or "SENT" in summary["labels"]
        if self._is_uncertain(summary):
            self._doubtful.append(summary)
        else:
            self._add(summary, summary["from"]["address"])

    def close(self) -> Correspondents:
        """The finished history."""
        for summary in self._doubtful:
            nobody = self._keeps_sent or self._is_to_oneself(summary)
            self._add(summary, "" if nobody else summary["from"]["address"])
        self._doubtful.clear()
        self.history.finish(self._own or None, lambda ordinal: self._threads[ordinal])
        self._threads.clear()
        return self.history

    @classmethod
    def known(
        cls, account: str, owner: Sequence[str], history: Correspondents, *, newest: float, keeps_sent: bool
    ) -> ContactGraph:
        """What is closed already."""
        made = cls(account, owner)
        made.history, made.newest, made._keeps_sent = history, newest, keeps_sent
        return made

    def digest(self) -> str:
        """Another text whenever all mail may be judged by something else, whoever sent it."""
        return f"{self._keeps_sent} {self.history.digest()}"

    def learn(self, summary: Summary) -> None:
        """Take in a message that came after `close`, unless it is a draft or lies in Spam or Trash."""
        if not was_exchanged(summary):
            return
        self._date(summary)
        self._keeps_sent = self._keeps_sent or "SENT" in summary["labels"]
        is_nobodys = self._is_uncertain(summary) and (self._keeps_sent or self._is_to_oneself(summary))
        sender = "" if is_nobodys else summary["from"]["address"]
        recipients = _addresses([*summary["to"], *summary["cc"]])
        self.history.note_live(sender, recipients, parse_date(summary["date"]), summary["thread_id"])

    def age_s(self, date: float | None, now: float) -> float:
        """How much older a message of `date` is than the newest; what claims to be from the future counts as `now`."""
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
