"""What is sent to an IMAP server and how its answers are read."""

from __future__ import annotations

import socket
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email_registry.errors import BadArgument, NeedsAuth, ProviderError
from gaia_imap_mcp.index.cursor import ImapCursor, read_cursor
from gaia_imap_mcp.protocol.arguments import (
    ImapLiteral,
    flag_list,
    folder_name,
    mailbox,
    string,
    uid_set,
    uid_sets,
)
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import ConnectionDropped, ExcessiveResponse
from gaia_imap_mcp.protocol.facts import content_id, read_head, read_internal_date, thread_number, thread_text
from gaia_imap_mcp.protocol.fetch import read_search, read_vanished_uids
from gaia_imap_mcp.protocol.folders import ImapFolder, choose
from gaia_imap_mcp.protocol.labels_from_flags import join, labels_and_flags, split
from gaia_imap_mcp.protocol.link import HeldConnection
from gaia_imap_mcp.protocol.numbers import read_uid_set
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.protocol.wire import ResponseLine, Wire, response_code, tokens
from gaia_imap_mcp.settings import ImapSettings, LoginSecret


def secret(_: bool) -> LoginSecret:
    return LoginSecret(value="secret")


def test_nothing_that_could_end_a_command_gets_into_one() -> None:
    for text in ("a\r\nx LOGOUT", "a\nb", "a\rb", "nul\0"):
        for write in (string, mailbox):
            with pytest.raises(BadArgument):
                write(text)
        with pytest.raises(BadArgument):
            flag_list([text])
    for flag in ("two words", "(", "", '"', "ünder", "{3}", "a*"):
        with pytest.raises(BadArgument):
            flag_list([flag])
    assert string("{12}") == b'"{12}"'
    assert string('say "\\"') == b'"say \\"\\\\\\""'
    assert isinstance(string("grüße"), ImapLiteral)


@given(st.text())
def test_a_folder_name_survives_the_way_there_and_back(name: str) -> None:
    try:
        written = mailbox(name)
    except BadArgument:
        assert set(name) & set("\0\r\n") or any("\ud800" <= character <= "\udfff" for character in name)
        return
    coded = (
        written
        if isinstance(written, ImapLiteral)
        else written[1:-1].replace(b'\\"', b'"').replace(b"\\\\", b"\\")
    )
    assert folder_name(coded) == name


@given(st.sets(st.integers(1, 4_000_000_000), min_size=1))
def test_sets_of_uids_say_what_they_hold(uids: set[int]) -> None:
    assert set(read_uid_set(uid_set(uids))) == uids
    pieces = uid_sets(uids, size=60)
    assert {uid for piece in pieces for uid in read_uid_set(piece)} == uids
    assert all(len(piece) <= 60 for piece in pieces)


def test_no_command_is_about_more_messages_than_can_be_answered_one_by_one() -> None:
    assert uid_sets(range(1, 120_001)) == [b"1:50000", b"50001:100000", b"100001:120000"]
    with pytest.raises(ValueError, match="empty"):
        uid_sets([])


def test_a_response_is_taken_apart() -> None:
    parts = [
        b'* 1 FETCH (UID 7 FLAGS (\\Seen $X) X "a \\"b\\"" Y NIL BODY[]<0> ',
        b"raw )(",
        b" Z ((1 2) NIL))",
    ]
    assert tokens(parts) == [
        b"*",
        b"1",
        b"FETCH",
        [
            *(b"UID", b"7", b"FLAGS", [b"\\Seen", b"$X"], b"X", b'a "b"', b"Y", None),
            *(b"BODY[]<0>", b"raw )(", b"Z", [[b"1", b"2"], None]),
        ],
    ]
    assert response_code(b"[COPYUID 1 2 3] done") == ("COPYUID", b"1 2 3", "done")
    assert response_code(b"plain [x]") == ("", b"", "plain [x]")


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=4))
def test_taking_nonsense_apart_never_fails(parts: list[bytes]) -> None:
    assert isinstance(tokens(parts), list)


def test_lines_and_literals_are_read_however_they_are_cut() -> None:
    sent = b"* 1 FETCH (BODY[] {5}\r\na\r\nb{ X {0}\r\n)\r\ng1 OK done\r\n"
    for size in (1, 2, 7, 100):
        here, there = socket.socketpair()
        with here, there:
            wire = Wire(SocketStream(here, sent[:size]))
            there.sendall(sent[size:])
            assert wire.read().parts == [b"* 1 FETCH (BODY[] ", b"a\r\nb{", b" X ", b"", b")"]
            assert wire.read().start == b"g1 OK done"
            there.close()
            with pytest.raises(ConnectionDropped):
                wire.read()


def test_a_literal_waits_for_the_servers_word_unless_it_need_not() -> None:
    here, there = socket.socketpair()
    with here, there:
        wire = Wire(SocketStream(here))
        there.sendall(b"+ go on\r\n")
        wire.send((b"APPEND", b"x", ImapLiteral(b"abc")))
        assert there.recv(100) == b"g1 APPEND x {3}\r\nabc\r\n"
        wire.literal_plus = 100
        wire.send((b"APPEND", b"x", ImapLiteral(b"abc"), b"y"))
        assert there.recv(100) == b"g2 APPEND x {3+}\r\nabc y\r\n"


def test_an_absurd_literal_ends_the_connection() -> None:
    here, there = socket.socketpair()
    with here, there:
        there.sendall(b"* 1 FETCH (BODY[] {99999999999}\r\n")
        with pytest.raises(ExcessiveResponse, match="99,999,999,999"):
            Wire(SocketStream(here)).read()


def test_what_search_and_vanished_say_is_read() -> None:
    assert list(read_search(ResponseLine([b"* SEARCH 3 1 2 (MODSEQ 9)"]))) == [3, 1, 2]
    assert list(read_search(ResponseLine([b'* ESEARCH (TAG "g1") UID ALL 1:3,9']))) == [1, 2, 3, 9]
    assert not read_search(ResponseLine([b'* ESEARCH (TAG "g1") UID']))
    assert list(read_vanished_uids(ResponseLine([b"* VANISHED (EARLIER) 4:5,1"]))) == [(4, 5), (1, 1)]
    assert list(read_vanished_uids(ResponseLine([b"* 4 EXISTS"]))) == []


def test_dates_of_arrival_are_read_or_are_nothing() -> None:
    assert read_internal_date(b"17-Jul-1996 02:44:25 -0700") == 837596665.0
    assert read_internal_date(b" 7-Jul-1996 02:44:25 +0000") == 836707465.0
    for nonsense in (b"", b"yesterday", b"17-Foo-1996 02:44:25 -0700", b"\xff"):
        assert read_internal_date(nonsense) == 0.0


def test_the_id_of_a_message_is_its_header_and_size() -> None:
    head = b"Subject: a\r\n\r\n"
    assert content_id(head + b"body", 9) == content_id(head + b"BODY", 9)
    assert content_id(head + b"body", 9) != content_id(head + b"body", 10)
    assert read_head(head, 9, b"").id == content_id(head, 9)
    assert read_head(head, 9, b"", server_id="17").id != content_id(head, 9)


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_the_id_of_a_conversation_leads_back_to_it(number: int) -> None:
    assert thread_number(thread_text(number)) == number


def test_a_cursor_comes_back_and_a_damaged_one_does_not() -> None:
    cursor = ImapCursor(owner="a", epoch="e", base=1, target=5, at=3, folders={"Entwürfe": (1, 2, 3)})
    text = str(cursor)
    assert read_cursor(text) == cursor
    for wrong in ("", "i1.", "i1.!!", text[:-4], text[3:], "i1." + "A" * 40, "i1.eJyLjgUAARUAuQ"):
        assert read_cursor(wrong) is None


def folder(name: str, *attributes: str, delimiter: str = "/") -> ImapFolder:
    return ImapFolder(name=name, attributes=frozenset(attributes), delimiter=delimiter)


def labels(*folders: ImapFolder, gmail: bool = False, others: tuple[str, ...] = ()) -> dict[str, str]:
    return {found.name: found.label for found in choose(folders, gmail=gmail, others=others)}


def test_folders_stand_for_what_the_server_says() -> None:
    found = labels(
        folder("INBOX"),
        folder("Weg", "\\trash"),
        folder("Trash"),
        folder("Alles", "\\all"),
        folder("Ablage", "\\archive"),
        folder("Plans", "\\noselect"),
        folder("Plans/New"),
    )
    assert found == {
        "INBOX": "INBOX",
        "Weg": "TRASH",
        "Trash": "Trash (folder)",
        "Ablage": "",
        "Plans/New": "Plans/New",
    }


def test_folders_without_a_word_of_the_server_go_by_their_names() -> None:
    found = labels(
        folder("INBOX", delimiter="."),
        folder("INBOX.Gesendete Objekte", delimiter="."),
        folder("INBOX.Papierkorb", delimiter="."),
        folder("INBOX.Work.Plans", delimiter="."),
        folder("unread"),
    )
    assert found["INBOX.Gesendete Objekte"] == "SENT"
    assert found["INBOX.Papierkorb"] == "TRASH"
    assert found["INBOX.Work.Plans"] == "INBOX/Work/Plans"
    assert found["unread"] == "unread (folder)"


def test_gmails_messages_are_in_three_folders_and_other_peoples_in_none() -> None:
    gmail = [
        folder("INBOX"),
        folder("[Gmail]/Alle", "\\all"),
        folder("[Gmail]/Spam", "\\junk"),
        folder("Work"),
    ]
    assert labels(*gmail, gmail=True) == {"[Gmail]/Alle": "", "[Gmail]/Spam": "SPAM"}
    assert labels(folder("INBOX"), folder("Shared/x"), others=("Shared/",)) == {"INBOX": "INBOX"}


def test_copies_make_labels_and_flags() -> None:
    def made(*copies: tuple[str, str]) -> tuple[set[str], set[str]] | None:
        found = labels_and_flags(copies)
        return None if found is None else (set(split(found.labels)), set(split(found.flags)))

    assert made(("INBOX", "")) == ({"INBOX", "UNREAD"}, set())
    assert made(("", join(["\\seen", "$Important", "$Forwarded", "Garden"]))) == (
        {"IMPORTANT", "Garden"},
        {"\\Seen"},
    )
    assert made(("INBOX", ""), ("Work", "\\Seen")) == ({"INBOX", "Work"}, {"\\Seen"})
    assert made(("INBOX", "\\DELETED")) is None
    assert made(("INBOX", "\\Deleted"), ("TRASH", "\\Seen")) == ({"TRASH"}, {"\\Seen"})
    assert made(("DRAFT", "\\Seen")) == ({"DRAFT"}, {"\\Seen", "\\Draft"})
    assert made(("INBOX", "inbox\x1fUnread\x1f\\Seen")) == ({"INBOX"}, {"\\Seen"})
    assert made(("", "+\\Inbox\x1f+Work\x1f\\Seen")) == ({"INBOX", "Work"}, {"\\Seen"})


def test_passwords_cross_no_network_openly() -> None:
    with pytest.raises(BadArgument, match="encryption"):
        ImapSettings(host="mail.example.org", user="me", security="none", secret=secret)
    with pytest.raises(BadArgument):
        ImapSettings(host="mail.example.org\r\nx", user="me", secret=secret)
    assert "secret" not in repr(LoginSecret(value="secret"))


def test_pauses_between_attempts_grow_and_a_new_password_is_tried_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gaia_imap_mcp.protocol.link.FIRST_PAUSE_S", 1.0)
    now = [0.0]
    attempts: list[float] = []
    failures: list[ProviderError | NeedsAuth] = [ConnectionDropped("away")] * 4
    word = ["first"]

    def opener(_: ImapSettings) -> Connection:
        attempts.append(now[0])
        raise failures.pop(0) if failures else NeedsAuth("no")

    settings = ImapSettings(host="localhost", user="me", secret=lambda _: LoginSecret(value=word[0]))
    link = HeldConnection(settings, opener=opener, clock=lambda: now[0])
    while len(attempts) < 4:
        with pytest.raises(ConnectionDropped, match="away"):
            link.connection()
        now[0] += 0.05
    gaps = [later - earlier for earlier, later in pairwise(attempts)]
    assert gaps == sorted(gaps) and gaps[0] >= 0.75 and gaps[-1] <= 5.1
    now[0] += 100
    for _ in range(5):
        with pytest.raises(NeedsAuth):
            link.connection()
    assert len(attempts) == 5
    word[0] = "second"
    with pytest.raises(NeedsAuth):
        link.connection()
    assert len(attempts) == 6
