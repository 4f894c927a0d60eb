"""What is made of the convention's texts, and how news are found without a cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gaia_email.mailbox.convention import texts
from gaia_email.mailbox.convention.mailbox import POLL_S, WHOLE_LOOK_S, ConventionMailbox, ConventionReply
from gaia_email.mailbox.convention.message import build_message
from gaia_email.mailbox.convention.texts import ServerDeclined
from gaia_mail.mime.read import parse_message
from tests.servers.convention_box import ConventionBox
from tests.servers.convention_server import TOOLS, Box, answer

HEAD = "Thread ID: t\nSubject: Roof\nFrom: Ann <ann@example.com>\nTo: me@example.org\nDate: \n\n"
OFFERED = {name: frozenset(arguments) for name, arguments in TOOLS.items()}


class Looks:
    """The mailbox of a box in this process, with the calls that were made and a clock that is set by hand."""

    def __init__(self, box: ConventionBox, fault: str = "") -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.paused: list[float] = []
        self.now = 0.0
        self.meanwhile: Callable[[], None] = lambda: None

        async def call(tool: str, arguments: dict[str, object]) -> ConventionReply:
            self.calls.append((tool, arguments))
            found = Box(box.file, fault)
            text = answer(found, tool, arguments)
            found.save()
            return ConventionReply(text=text)

        async def pause(seconds: float) -> None:
            self.paused.append(seconds)
            self.meanwhile()

        self.mail = ConventionMailbox("post", OFFERED, call, pause=pause, clock=lambda: self.now)

    async def ask(self, tool: str, **arguments: object) -> dict[str, Any]:
        return dict((await self.mail.reply(tool, arguments, timeout_s=5)).data)

    @property
    def queries(self) -> list[str]:
        return [given["query"] for tool, given in self.calls if tool == "search_emails"]


def looking(box: ConventionBox, use: Callable[[Looks], Awaitable[None]], fault: str = "") -> None:
    asyncio.run(use(Looks(box, fault)))  # type: ignore[arg-type]


@pytest.fixture
def box(tmp_path: Path) -> ConventionBox:
    return ConventionBox(tmp_path)


def test_a_message_is_made_of_what_is_told() -> None:
    told = texts.message(f"{HEAD}Hello\r\nthere\n\nAttachments (1):\n- é.pdf (application/pdf, 3 KB, ID: a)")
    message = parse_message(build_message(told).raw)
    assert (message.subject, message.text.strip()) == ("Roof", "Hello\nthere")
    assert [(one.filename, one.content_type) for one in message.attachments] == [("é.pdf", "application/pdf")]
    assert build_message(told) == build_message(told)


def test_a_list_of_files_that_does_not_add_up_stays_in_the_text() -> None:
    told = texts.message(f"{HEAD}Hello\n\nAttachments (2):\n- a.pdf (application/pdf, 3 KB, ID: a)")
    assert not told.files and "a.pdf" in told.body


@pytest.mark.parametrize(
    "text",
    [
        HEAD.replace("Roof", "Roof\nFrom: boss@example.org"),
        HEAD.replace("Roof", "Roof\n\nFrom: boss@example.org"),
        "Sure, here it is: Hello",
        "",
    ],
)
def test_a_message_without_one_clear_sender_is_declined(text: str) -> None:
    with pytest.raises(ServerDeclined):
        texts.message(text)


def test_a_header_that_the_sender_wrote_into_the_text_is_text() -> None:
    told = texts.message(f"{HEAD}Authentication-Results: mx.example.org; dmarc=pass\n\nHello")
    message = parse_message(build_message(told).raw)
    assert message.headers.get("authentication-results") is None and "dmarc=pass" in message.text


def test_a_line_break_in_a_subject_makes_no_other_sender_of_a_hit() -> None:
    listed = (
        "ID: m1\nSubject: hi\nFrom: boss@example.org\nFrom: ann@example.com\nDate: x\n\nID: m2\nSubject: b\n"
    )
    first, second = texts.hits(listed, most=10)
    assert (first.id, first.sender, first.subject) == ("m1", "", "") and second.subject == "b"


def test_what_a_change_did_is_taken_only_where_it_is_clear() -> None:
    done = "Batch label modification complete.\nSuccessfully processed: 1 messages\nFailed to process: 1 messages\n\n"
    failed = f"{done}Failed message IDs:\n- m2... (not found)"
    assert texts.outcome(failed, ["m1", "m2"]) == {"m2": "not found"}
    for text, ids in ((failed, ["m1", "m3"]), (done, ["m1", "m2", "m3"]), ("Done!", ["m1"])):
        with pytest.raises(ServerDeclined):
            texts.outcome(text, ids)


def test_a_watch_looks_at_the_inbox_alone_while_nothing_comes(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        cursor = (await looks.ask("sync_emails"))["cursor"]
        looks.calls.clear()
        assert not (await looks.ask("wait_for_changes", cursor=cursor, timeout_s=240.0))["changed"]
        page = await looks.ask("sync_emails", cursor=cursor)
        assert (page["added"], page["removed"], page["cursor"]) == ([], [], cursor)
        assert looks.queries == ["in:inbox"] and looks.paused == [POLL_S]

    looking(box, use)


def test_what_comes_and_goes_is_told_by_comparing_two_looks(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        cursor = (await looks.ask("sync_emails"))["cursor"]

        def meanwhile() -> None:
            box.arrives("m5", "The gate is broken")
            held = box.held()
            held["mail"]["m3"]["labels"] = []
            held["mail"]["m2"]["labels"] = ["INBOX"]
            box.write(held)

        looks.meanwhile = meanwhile
        assert (await looks.ask("wait_for_changes", cursor=cursor, timeout_s=240.0))["changed"]
        page = await looks.ask("sync_emails", cursor=cursor)
        assert [one["id"] for one in page["added"]] == ["m5"] and page["removed"] == ["m3"]
        assert page["changed"] == [{"id": "m2", "labels": ["INBOX"], "flags": ["\\Seen"]}]
        assert not page["reset"]

    looking(box, use)


def test_labels_are_asked_again_after_an_hour(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        cursor = (await looks.ask("sync_emails"))["cursor"]
        looks.now = WHOLE_LOOK_S + 1
        await looks.ask("sync_emails", cursor=cursor)
        assert looks.queries.count("is:starred in:inbox") == 2

    looking(box, use)


def test_another_program_goes_on_where_the_mailbox_is_as_it_was(box: ConventionBox) -> None:
    async def use(looks: Looks) -> None:
        cursor = (await looks.ask("sync_emails"))["cursor"]
        again = await Looks(box).ask("sync_emails", cursor=cursor)
        assert (again["added"], again["reset"]) == ([], False)
        box.arrives("m5", "The gate is broken")
        anew = await Looks(box).ask("sync_emails", cursor=cursor)
        assert anew["reset"] and len(anew["added"]) == 5

    looking(box, use)


def test_a_large_inbox_is_asked_for_in_growing_steps(box: ConventionBox) -> None:
    one = box.held()["mail"]["m3"]
    box.write({"mail": {f"n{number}": one for number in range(620)}, "labels": {}})

    async def use(looks: Looks) -> None:
        page = await looks.ask("sync_emails", limit=500)
        assert len(page["added"]) == 500 and page["more"]
        rest = await looks.ask("sync_emails", cursor=page["cursor"], limit=500)
        assert len(rest["added"]) == 120 and not rest["more"]
        asked = [given["maxResults"] for _, given in looks.calls if given.get("query") == "in:inbox"]
        assert asked == [100, 500, 2000] and not looks.mail.remarks

    looking(box, use)


def test_a_server_that_stops_at_a_hundred_is_said_to(box: ConventionBox) -> None:
    one = box.held()["mail"]["m3"]
    box.write({"mail": {f"n{number}": one for number in range(620)}, "labels": {}})

    async def use(looks: Looks) -> None:
        assert len((await looks.ask("sync_emails"))["added"]) == 100
        assert "server:post lists 100 messages" in looks.mail.remarks[0]

    looking(box, use, "a-hundred-at-most")
