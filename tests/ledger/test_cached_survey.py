"""What all mail says together is kept, and a message is looked up by it as by listing all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.cascade.builtin_tier import BuiltinTier
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.keeping import SURVEY_DOCUMENT
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import MailReader
from gaia_email.triage import surveying
from gaia_email.triage.inbox import FoundMessage, look_up_all, triage
from gaia_email_registry.contract.wire import ListEmailsResult
from gaia_email_registry.errors import MailError, NotFound
from gaia_mail_mcp.memory import MemoryMailbox
from tests.ledger.conftest import START, Clock
from tests.ledger.post import ME, Direct, letter

OTHER = "me@elsewhere.example"
PEOPLE = (ME, OTHER, "Ann <ann@example.com>", "bob@example.net", "Cleo <CLEO@Example.com>", "")
LABELS: tuple[list[str], ...] = (
    ["INBOX"],
    ["INBOX", "UNREAD"],
    ["SENT"],
    ["SPAM"],
    ["TRASH"],
    ["INBOX", "TRASH"],
    [],
)

LETTER = st.tuples(
    st.sampled_from(PEOPLE),
    st.sampled_from(PEOPLE),
    st.integers(1, 6),
    st.booleans(),
    st.sampled_from(LABELS),
)
"""Sender, recipient, the day it is dated (6: none), whether it is an answer to the first, and its labels."""


@dataclass
class Copy(MailCopy):
    """Counts how often it is listed."""

    post: MemoryMailbox
    ledger: Ledger
    listed: list[str | None] = field(default_factory=list[str | None])

    def __post_init__(self) -> None:
        super().__init__(Direct(self.post), self.ledger, account=ME)

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        self.listed.append(query)
        return await super().list_emails(query=query, limit=limit, cursor=cursor)


def looked_up(mail: MailReader, ids: Sequence[str], owner: Sequence[str] = ()) -> list[FoundMessage]:
    return asyncio.run(look_up_all(mail, BuiltinTier(), ids, now=START, owner=owner))


def put(post: MemoryMailbox, number: int, made: tuple[str, str, int, bool, list[str]]) -> str:
    sender, to, day, answers, labels = made
    date = f"{day:02} Mar 2026 1{number % 10}:00:00 +0000" if day < 6 else "some day"
    first = "<0@example.com>"
    more = (("In-Reply-To", first), ("References", first)) if answers else ()
    raw = letter(f"Re: S{number}", "Could you send me the plan?", sender=sender, to=to, date=date, more=more)
    return post.put(raw, labels)


@pytest.fixture(scope="module", name="empty")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """One ledger for all examples, emptied before each."""
    url = f"sqlite:///{tmp_path_factory.mktemp('survey') / 'ledger.db'}"
    with open_ledger(url=url, clock=Clock()) as opened:
        yield opened


@settings(max_examples=25)
@given(
    letters=st.lists(LETTER, min_size=1, max_size=9),
    later=st.lists(LETTER, max_size=2),
    owner=st.sampled_from([(), (ME,), (ME, OTHER)]),
    sorts=st.booleans(),
)
def test_what_was_kept_says_what_listing_all_mail_says(
    empty: Ledger,
    letters: list[tuple[str, str, int, bool, list[str]]],
    later: list[tuple[str, str, int, bool, list[str]]],
    owner: Sequence[str],
    sorts: bool,
) -> None:
    empty.purge("mail")
    post = MemoryMailbox(ME)
    ids: list[str] = []
    for part in (letters, later):
        ids += [put(post, len(ids) + number, one) for number, one in enumerate(part)]
        if sorts:
            asyncio.run(triage(Copy(post, empty), BuiltinTier(), now=START, owner=owner))
        else:
            looked_up(Copy(post, empty), ids[:1], owner)
        copy = Copy(post, empty)
        found = looked_up(copy, ids, owner)
        assert copy.listed == []
        assert found == looked_up(Direct(post), ids, owner)


@pytest.fixture(name="post")
def posted(ledger: Ledger) -> MemoryMailbox:
    made = MemoryMailbox(ME)
    for number, sender in enumerate((PEOPLE[2], PEOPLE[2], ME)):
        put(made, number, (sender, ME, number + 1, False, ["SENT"] if sender == ME else ["INBOX"]))
    looked_up(Copy(made, ledger), ["m1"])
    return made


def test_any_change_of_the_mail_its_owner_or_the_program_has_it_listed_again(
    ledger: Ledger, post: MemoryMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lists(owner: Sequence[str] = ()) -> bool:
        copy = Copy(post, ledger)
        assert looked_up(copy, ["m2"], owner) == looked_up(Direct(post), ["m2"], owner)
        return copy.listed != []

    assert not lists()
    put(post, 5, (PEOPLE[2], ME, 1, False, ["INBOX"]))
    assert lists() and not lists()
    asyncio.run(post.trash(["m1"]))
    assert lists() and not lists()
    assert lists((ME, OTHER)) and not lists((ME, OTHER)) and lists()
    monkeypatch.setattr(surveying, "fingerprint", lambda: "another build")
    assert lists() and not lists()


def test_what_changed_while_it_was_listed_is_not_kept(ledger: Ledger, post: MemoryMailbox) -> None:
    put(post, 5, (PEOPLE[2], ME, 1, False, ["INBOX"]))

    class Overtaken(Copy):
        async def list_emails(
            self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
        ) -> ListEmailsResult:
            page = await super().list_emails(query=query, limit=limit, cursor=cursor)
            put(post, 6, (PEOPLE[2], ME, 1, False, ["INBOX"]))
            await MailCopy(Direct(post), ledger, account=ME).refresh()
            return page

    looked_up(Overtaken(post, ledger), ["m2"])
    copy = Copy(post, ledger)
    assert looked_up(copy, ["m2"]) == looked_up(Direct(post), ["m2"])
    assert copy.listed


@pytest.mark.parametrize("damaged", ["history", "newest"])
def test_what_no_program_of_ours_wrote_is_gathered_anew(
    ledger: Ledger, post: MemoryMailbox, damaged: str
) -> None:
    with ledger.write() as tx:
        found = ledger.documents.read(tx, SURVEY_DOCUMENT + ME)
        assert found is not None
        ledger.documents.write(tx, found.name, {**found.value, damaged: {"count": "many"}}, found.version)
    copy = Copy(post, ledger)
    assert looked_up(copy, ["m2"]) == looked_up(Direct(post), ["m2"])
    assert copy.listed


@pytest.mark.parametrize("id_", ["x", "m", ""])
def test_a_wrong_id_is_told_as_without_what_was_kept(ledger: Ledger, post: MemoryMailbox, id_: str) -> None:
    told: list[str] = []
    for mail in (Copy(post, ledger), Direct(post)):
        with pytest.raises(NotFound) as error:
            looked_up(mail, ["m1", id_])
        told.append(str(error.value))
    assert told[0] == told[1]


def test_it_goes_with_the_copy_of_the_mail(ledger: Ledger, post: MemoryMailbox) -> None:
    ledger.purge("mail")
    with ledger.read() as tx:
        assert SURVEY_DOCUMENT + ME not in ledger.documents.names(tx)
    with pytest.raises(MailError):
        looked_up(Copy(post, ledger), ["x"])
