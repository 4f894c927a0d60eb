"""Finds the last mail exchanged with a person. Entry point: `exchange_with`."""

from __future__ import annotations

from dataclasses import dataclass

from gaia_email.app import App
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.threads import every_summary
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email_registry.contract.wire import Address, Summary
from gaia_mail.exchanged import was_exchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The last mail each way with a person.

    `people` are all matches for the name; the other fields are set only if there is exactly one.
    """

    people: tuple[Address, ...]
    theirs: Summary | None = None
    yours: Summary | None = None
    looked_at: int = 0

    @property
    def they_answered(self) -> bool:
        """True if their last mail is newer than the user's last mail to them."""
        return self.theirs is not None and (self.yours is None or _date(self.theirs) > _date(self.yours))


def exchange_with(app: App, source: SourceSpec, name: str) -> Exchange:
    """Return the last mail each way with a person, given by an address or words of a name."""
    own = {address.lower() for address in owner_of(app, source)}
    words = name.casefold().split()
    every = list(filter(was_exchanged, with_copy(app, source, every_summary, now=app.clock())))
    people: dict[str, Address] = {}
    for summary in every:
        for person in (summary["from"], *summary["to"]):
            address = person["address"].lower()
            known = f"{person['name']} {address}".casefold()
            if address not in own and all(word in known for word in words):
                people.setdefault(address, person)
    found = tuple(people.values())
    if len(found) != 1:
        return Exchange(people=found, looked_at=len(every))
    wanted = next(iter(people))
    theirs = [one for one in every if one["from"]["address"].lower() == wanted]
    yours = [one for one in every if _is_to(one, wanted) and one["from"]["address"].lower() in own]
    return Exchange(
        people=found,
        theirs=max(theirs, key=_date, default=None),
        yours=max(yours, key=_date, default=None),
        looked_at=len(every),
    )


def _is_to(summary: Summary, address: str) -> bool:
    return any(person["address"].lower() == address for person in summary["to"])


def _date(summary: Summary) -> float:
    return parse_date(summary["date"]) or 0.0
