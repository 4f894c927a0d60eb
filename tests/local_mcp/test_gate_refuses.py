"""With a gate that refuses, no tool changes a byte of a Maildir."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from gaia_email.actions.account_session import open_account_session
from gaia_email.ledger import open_ledger
from gaia_email.mailbox.ref import MailboxRef
from tests.actions.account import Person
from tests.contract.suite import many
from tests.gate.refusing import CHANGING, allow_one, refuse_everything
from tests.local_mcp.conftest import Fill
from tests.origins import PERSON


def test_with_a_gate_that_refuses_no_tool_changes_a_byte_of_a_maildir(
    tmp_path: Path, home_of_its_own: object, fill_maildir: Fill
) -> None:
    root = tmp_path / "Maildir"
    fill_maildir(root, many(3))
    person = Person("no")

    async def main() -> None:
        before = picture(root)
        with open_ledger() as ledger:
            async with open_account_session(
                MailboxRef(kind="maildir", path=str(root)).spec(os.environ),
                ledger,
                prompt=person,
                environ=os.environ,
                origin=PERSON,
            ) as session:
                first, second, _ = [email["id"] for email in (await session.mail.list_emails())["emails"]]
                await refuse_everything(session, (first, second))
                assert picture(root) == before
                assert len(person.asked) == 2 * len(CHANGING)
                person.answer = "yes"
                await allow_one(session, first)
                assert picture(root) != before

    asyncio.run(main())


def picture(root: Path) -> dict[str, tuple[float, bytes]]:
    return {
        str(path.relative_to(root)): (path.stat().st_mtime, path.read_bytes() if path.is_file() else b"")
        for path in root.rglob("*")
    }
