"""A server that takes no new keywords: labels are folders, and a message with two lies in both."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from gaia_imap_mcp.protocol.connection import Selected, read_select_reply
from gaia_imap_mcp.protocol.wire import CommandReply
from tests.contract.suite import find, look, write_message
from tests.imap.truth import opened, settings
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

Holding = dict[str, list[tuple[bytes, list[str]]]]


@pytest.fixture(autouse=True)
def no_keywords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dovecot takes keywords always; this has it say that it does not."""

    def without(name: str, reply: CommandReply, *, examined: bool) -> Selected:
        found = read_select_reply(name, reply, examined=examined)
        kept = frozenset(flag for flag in found.permanent_flags if flag.startswith("\\") and flag != "\\*")
        return replace(found, permanent_flags=kept)

    monkeypatch.setattr("gaia_imap_mcp.protocol.connection.read_select_reply", without)


def holding(other: OtherClient) -> Holding:
    """What lies in which folder, empty ones left out, by content and flags."""
    folders = other.everything()
    found = {
        name: sorted((held.raw, sorted(held.flags)) for held in messages.values())
        for name, messages in folders.items()
    }
    return {name: messages for name, messages in found.items() if messages}


def test_a_label_is_a_copy_in_its_folder_and_taken_off_leaves_the_message_as_it_was(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1), flags=["\\Flagged"])
    other.append(write_message(2), "Archive")
    before = holding(other)

    async def main() -> None:
        async with opened(settings(dovecot.port, user)) as mailbox:
            ids = await find(mailbox, "in:anywhere")
            state = await look(mailbox)
            for name in ("Plans", "Boats"):
                await mailbox.create_label(name, {})
            assert {"Plans", "Boats"} <= set(other.folders())
            applied = await mailbox.modify(ids, add=["Plans", "Boats"], remove=[])
            assert not applied.failed
            assert all({"Plans", "Boats"} <= labels for labels, _ in (await look(mailbox)).values())
            held = holding(other)
            assert [len(held[name]) for name in ("INBOX", "Plans", "Boats")] == [1, 2, 2]
            assert all(flag.startswith("\\") for rows in held.values() for _, flags in rows for flag in flags)
            applied = await mailbox.modify(ids, add=[], remove=["Plans", "Boats"])
            assert not applied.failed
            assert await look(mailbox) == state

    asyncio.run(main())
    assert holding(other) == before


def test_what_only_a_keyword_could_say_is_refused_in_a_sentence(
    dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1))
    before = holding(other)

    async def main() -> None:
        async with opened(settings(dovecot.port, user)) as mailbox:
            applied = await mailbox.modify(await find(mailbox, ""), add=["IMPORTANT"], remove=[])
            (failed,) = applied.failed
            assert "keeps no labels on its messages" in failed["error"]

    asyncio.run(main())
    assert holding(other) == before
