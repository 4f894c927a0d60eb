"""The index of an IMAP account: conversations, folders, and whose file it is."""

from __future__ import annotations

import asyncio
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.index import views
from gaia_imap_mcp.index.store import ImapIndex, IndexOutdated, open_index
from gaia_imap_mcp.protocol.facts import read_head
from gaia_mail.query.grammar import parse_query
from tests.contract.suite import Mirror, find, look, write_message
from tests.imap.test_sync import reader, run
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient


def filled(index: ImapIndex, *messages: bytes, together: bool = True) -> list[str]:
    """Ids of messages that were put into INBOX, in that order, at once or one after the other."""
    with index.writing():
        index.add_folder("INBOX", "INBOX")
    folder = index.folder("INBOX")
    assert folder is not None
    heads = [read_head(raw, len(raw), b"") for raw in messages]
    with index.writing():
        if together:
            index.add_copies(folder, [(uid, "", head) for uid, head in enumerate(heads, 1)])
        else:
            for uid, head in enumerate(heads, 1):
                index.add_copies(folder, [(uid, "", head)])
    return [head.id for head in heads]


def threads(index: ImapIndex, ids: list[str]) -> list[str]:
    found = views.rows(index, ids)
    return [found[id_].thread_id for id_ in ids]


def answer(number: int, *references: int, subject: str = "") -> bytes:
    extra = (("References", " ".join(f"<{reference}@seed.example>" for reference in references)),)
    return write_message(number, subject=subject, extra=extra if references else ())


def test_answers_find_their_conversation_in_any_order() -> None:
    for order in ((1, 2, 3), (3, 2, 1), (2, 3, 1), (1, 3, 2)):
        raws = {1: answer(1), 2: answer(2, 1), 3: answer(3, 1, 2), 9: answer(9)}
        index, _ = open_index(None, "owner")
        found = threads(index, filled(index, *(raws[number] for number in order), raws[9]))
        index.close()
        assert len(set(found[:3])) == 1 and found[3] != found[0], order


def test_a_message_that_ties_parts_of_a_conversation_makes_them_one() -> None:
    index, _ = open_index(None, "owner")
    ids = filled(index, answer(7, 5, 6), answer(5), answer(6, 5))
    assert len(set(threads(index, ids))) == 1
    assert set(views.thread(index, threads(index, ids)[0])) == set(ids)
    index.close()


def test_a_message_that_names_two_conversations_joins_the_one_it_answers() -> None:
    index, _ = open_index(None, "owner")
    first, second, answering = threads(index, filled(index, answer(5), answer(6), answer(7, 5, 6)))
    index.close()
    assert answering == second != first


def test_a_reply_by_subject_joins_only_if_its_sender_took_part() -> None:
    asked = write_message(1, subject="Boat trip")
    of_a_stranger = write_message(2, subject="Re: Boat trip", sender="Pat Example <pat@other.example>")
    own = write_message(3, subject="Re: Boat trip", sender="me@example.org", to="pat@example.com")
    for order in ((asked, of_a_stranger, own), (own, of_a_stranger, asked), (of_a_stranger, own, asked)):
        index, _ = open_index(None, "owner")
        found = dict(zip(order, threads(index, filled(index, *order)), strict=True))
        index.close()
        assert found[asked] == found[own] != found[of_a_stranger]


def test_one_message_id_of_two_senders_or_two_subjects_is_two_messages() -> None:
    lunch = write_message(1, subject="Lunch", sender="lee@example.org", message_id="<dup@example.org>")
    trap = write_message(2, subject="Your account", sender="x@evil.example", message_id="<dup@example.org>")
    again = write_message(3, subject="Dinner", sender="lee@example.org", message_id="<dup@example.org>")
    for order in ((lunch, trap, again), (again, trap, lunch)):
        for together in (True, False):
            index, _ = open_index(None, "owner")
            found = threads(index, filled(index, *order, together=together))
            index.close()
            assert len(set(found)) == 3


MAILS = st.lists(
    st.tuples(
        st.integers(1, 6), st.lists(st.integers(1, 6), max_size=3), st.sampled_from(["", "Boat", "Re: Boat"])
    ),
    min_size=2,
    max_size=9,
)


@hypothesis_settings(max_examples=25)
@given(MAILS)
def test_many_messages_at_once_become_the_same_conversations_as_one_by_one(
    mails: list[tuple[int, list[int], str]],
) -> None:
    raws = [answer(number, *references, subject=subject) for number, references, subject in mails]
    found: list[list[tuple[object, ...]]] = []
    for together in (True, False):
        index, _ = open_index(None, "owner")
        filled(index, *raws, together=together)
        tables = ("messages", "places", "links")
        found.append([row for table in tables for row in index.database.execute(f"SELECT * FROM {table}")])
        index.close()
    assert found[0] == found[1]


def test_a_reply_without_a_parent_joins_its_subject() -> None:
    for turned in (False, True):
        raws = [write_message(1, subject="Boat trip"), write_message(2, subject="Re: Boat trip")]
        index, _ = open_index(None, "owner")
        ids = filled(index, *(reversed(raws) if turned else raws), write_message(3, subject="Boat"))
        found = threads(index, ids)
        index.close()
        assert found[0] == found[1] != found[2]


def test_work_on_a_folder_that_somebody_else_brought_up_to_date_is_refused(tmp_path: Path) -> None:
    one, _ = open_index(tmp_path / "i.db", "owner")
    other, _ = open_index(tmp_path / "i.db", "owner")
    filled(one, write_message(1))
    mine, theirs = one.folder("INBOX"), other.folder("INBOX")
    assert mine is not None and theirs is not None
    with one.writing():
        one.advance(mine, mine)
    with pytest.raises(IndexOutdated), other.writing():
        other.remove_copies(theirs, [1])
        other.advance(theirs, theirs)
    assert one.count(mine) == 1
    one.close()
    other.close()


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    index, note = open_index(tmp_path / "sub" / "i.db", "owner")
    index.close()
    assert not note
    assert stat.S_IMODE((tmp_path / "sub").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "sub" / "i.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"nonsense" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_index_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "i.db"
    path.write_bytes(content)
    index, note = open_index(path, "owner")
    index.close()
    assert "was rebuilt" in note
    assert (tmp_path / "i.db.old").read_bytes() == content


def test_an_index_of_another_account_is_not_used(tmp_path: Path) -> None:
    index, _ = open_index(tmp_path / "i.db", "owner")
    filled(index, write_message(1))
    index.close()
    index, note = open_index(tmp_path / "i.db", "somebody else")
    assert note and index.folders() == []
    index.close()


def test_an_index_that_breaks_at_work_is_built_anew(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    path = tmp_path / "i.db"
    with OtherClient(dovecot.port, user) as other:
        for number in range(1, 40):
            other.append(write_message(number))
    before: list[str] = []

    async def first(mailbox: ImapMailbox) -> None:
        before.extend(await find(mailbox, ""))

    async def second(mailbox: ImapMailbox) -> None:
        assert await find(mailbox, "") == before

    run(reader(dovecot.port, user, cache=path), first)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    run(reader(dovecot.port, user, cache=path), second)
    assert (tmp_path / "i.db.old").exists()


def test_programs_that_open_a_new_index_at_once_get_the_same_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as programs:
        for number in range(20):
            start = Barrier(4)

            def epoch(path: Path = tmp_path / str(number), start: Barrier = start) -> tuple[str, str]:
                start.wait()
                index, note = open_index(path, "owner")
                found = index.epoch
                index.close()
                return found, note

            found = {programs.submit(epoch) for _ in range(4)}
            assert len({program.result() for program in found}) == 1
            assert {program.result()[1] for program in found} == {""}


def test_two_programs_share_an_index(dovecot: Dovecot, user: str, tmp_path: Path) -> None:
    dovecot.fill(user, [(write_message(number), "") for number in range(1, 1200)])
    with OtherClient(dovecot.port, user) as other:

        async def scenario(one: ImapMailbox) -> None:
            two = reader(dovecot.port, user, cache=tmp_path / "i.db")
            mirrors = [Mirror(), Mirror()]
            try:
                for number in range(4):
                    await asyncio.gather(mirrors[0].follow(one), mirrors[1].follow(two))
                    other.flag(other.uids()[number * 3 : number * 3 + 20], "\\Seen")
                    other.expunge(other.uids()[-5:])
                    other.append(write_message(5000 + number))
                await asyncio.gather(mirrors[0].follow(one), mirrors[1].follow(two))
                assert mirrors[0].state == mirrors[1].state == await look(one)
                assert len(mirrors[0].state) == 1199 - 20 + 4
                assert not mirrors[0].resets and not mirrors[1].resets
            finally:
                await two.aclose()

        run(reader(dovecot.port, user, cache=tmp_path / "i.db"), scenario)


def test_an_attachment_behind_a_long_text_is_seen(dovecot: Dovecot, user: str) -> None:
    long = "A line of text that goes on and on.\n" * 5000
    with OtherClient(dovecot.port, user) as other:
        other.append(write_message(1, body=long, attachment=("plan.pdf", b"x" * 50)))
        other.append(write_message(2, body=long))

    async def scenario(mailbox: ImapMailbox) -> None:
        (id_,) = await find(mailbox, "has:attachment")
        (stored,) = await mailbox.read([id_], raw=True)
        assert stored.summary["message_id"] == "<1@seed.example>"
        assert stored.raw is not None and len(stored.raw) == stored.summary["size"] > 150_000
        assert len(await find(mailbox, '"goes on and on"')) == 2
        page = await mailbox.search(parse_query("zebra"), limit=5)
        assert page.ids == ()

    run(reader(dovecot.port, user), scenario)
