"""The rows of the copy say who writes to whom as a listing of all mail does, and nothing is listed for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_email.ledger import Ledger, open_ledger
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import MailReader
from gaia_email.triage.inbox import FoundMessage, look_up_all, triage
from gaia_email_registry.contract.wire import ListEmailsResult
from gaia_email_registry.errors import NotFound
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import START, Clock
from tests.ledger.post import ME, Direct, letter
from tests.ledger.test_mail_copy import same

OTHER = "me@elsewhere.example"
PEOPLE = (ME, OTHER, "Ann <ann@example.com>", "bob@example.net", "Cleo <CLEO@Example.com>", "")
LABELS: tuple[list[str], ...] = (
    ["INBOX"],
    ["INBOX", "UNREAD"],
    ["SENT"],
    ["SPAM"],
    ["TRASH"],
    ["INBOX", "TRASH"],
    ["DRAFT"],
    ["INBOX", "DRAFT"],
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
    held: Ledger
    listed: list[str | None] = field(default_factory=list[str | None])

    def __post_init__(self) -> None:
        super().__init__(Direct(self.post), self.held, account=self.post.account)

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


CHANGE = st.tuples(st.sampled_from(("delete", "relabel", "read")), st.integers(0, 8), st.sampled_from(LABELS))
"""What happens to which message, and the labels it has then."""


def change(post: MemoryMailbox, id_: str, what: str, labels: list[str]) -> None:
    if what == "delete":
        asyncio.run(post.delete([id_]))
        return
    add = ["UNREAD"] if what == "read" else [label for label in labels if label not in ("SENT", "DRAFT")]
    remove = [] if what == "read" else [label for label in ("INBOX", "SPAM", "TRASH") if label not in labels]
    asyncio.run(post.modify([id_], add=add, remove=remove))


@settings(max_examples=40)
@given(
    letters=st.lists(LETTER, min_size=1, max_size=9),
    changes=st.lists(CHANGE, max_size=4),
    later=st.lists(LETTER, max_size=2),
    owner=st.sampled_from([(), (ME,), (ME, OTHER)]),
    account=st.sampled_from([ME, "maildir:/mail"]),
    sorts=st.booleans(),
)
def test_the_rows_say_what_listing_all_mail_says_whatever_happened(
    empty: Ledger,
    letters: list[tuple[str, str, int, bool, list[str]]],
    changes: list[tuple[str, int, list[str]]],
    later: list[tuple[str, str, int, bool, list[str]]],
    owner: Sequence[str],
    account: str,
    sorts: bool,
) -> None:
    empty.purge("mail")
    post = MemoryMailbox(account)
    ids = [put(post, number, one) for number, one in enumerate(letters)]
    if sorts:
        asyncio.run(triage(Copy(post, empty), BuiltinTier(), now=START, owner=owner))
    else:
        looked_up(Copy(post, empty), ids[:1], owner)
    for what, number, labels in changes:
        if number < len(ids):
            change(post, ids[number], what, labels)
            ids = [id_ for id_ in ids if not (what == "delete" and id_ == ids[number])]
    ids += [put(post, len(letters) + number, one) for number, one in enumerate(later)]
    copy = Copy(post, empty)
    found = looked_up(copy, ids, owner)
    assert copy.listed == []
    assert found == looked_up(Direct(post), ids, owner)
    if all(
        day < 6 for _, _, day, _, _ in (*letters, *later)
    ):  # where what has no date is listed, accounts differ
        same(
            asyncio.run(triage(Copy(post, empty), BuiltinTier(), now=START, owner=owner)),
            asyncio.run(triage(Direct(post), BuiltinTier(), now=START, owner=owner)),
        )


@pytest.fixture(name="post")
def posted(ledger: Ledger) -> MemoryMailbox:
    made = MemoryMailbox(ME)
    for number, sender in enumerate((PEOPLE[2], PEOPLE[2], ME)):
        put(made, number, (sender, ME, number + 1, False, ["SENT"] if sender == ME else ["INBOX"]))
    looked_up(Copy(made, ledger), ["m1"])
    return made


@pytest.mark.parametrize("id_", ["x", "m", ""])
def test_a_wrong_id_is_told_as_where_all_mail_is_listed(
    ledger: Ledger, post: MemoryMailbox, id_: str
) -> None:
    told: list[str] = []
    for mail in (Copy(post, ledger), Direct(post)):
        with pytest.raises(NotFound) as error:
            looked_up(mail, ["m1", id_])
        told.append(str(error.value))
    assert told[0] == told[1]


def test_it_goes_with_the_copy_of_the_mail(ledger: Ledger, post: MemoryMailbox) -> None:
    def recipients() -> int:
        with ledger.read() as tx:
            return int(tx.exec_driver_sql("SELECT count(*) FROM recipients").scalar_one())

    assert recipients() == 3
    asyncio.run(post.delete(["m1"]))
    looked_up(Copy(post, ledger), ["m2"])
    assert recipients() == 2
    ledger.purge("mail")
    assert recipients() == 0


NEW_SINCE_0007 = (
    *("recipients", "inbox_threads", "inbox_shown", "inbox_state", "inbox_marks"),
    *("inbox_verdicts", "plugin_versions"),
)


def test_an_older_ledger_is_brought_to_the_rows_without_its_mail_being_copied_anew() -> None:
    post = MemoryMailbox(ME)
    for number in range(5):
        put(
            post,
            number,
            (PEOPLE[number], PEOPLE[(number + 1) % 5], number + 1, number > 2, LABELS[number % 3]),
        )
    with open_ledger(clock=Clock()) as ledger:
        before = asyncio.run(triage(Copy(post, ledger), BuiltinTier(), now=START))
        with ledger.write() as tx:
            owner = ledger.cache.contacts.owner(tx, ME)
            for name in NEW_SINCE_0007:
                tx.exec_driver_sql(f"DROP TABLE {name}")
            tx.exec_driver_sql("DROP INDEX messages_by_sender")
            for name in ("confirmations", "pending"):
                tx.exec_driver_sql(f"ALTER TABLE {name} DROP COLUMN origin")
            tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0007'")
    with open_ledger(clock=Clock()) as ledger:
        copy = Copy(post, ledger)
        assert asyncio.run(triage(copy, BuiltinTier(), now=START)).buckets == before.buckets
        with ledger.read() as tx:
            assert ledger.cache.contacts.owner(tx, ME) == owner != ""
