"""The mailbox of `convention_server.py`: written, listed, and looked into. Entry: `ConventionBox`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from gaia_email_registry.paths import servers_file

PROGRAM = str(Path(__file__).with_name("convention_server.py"))
ME = "me@example.org"

MAIL: dict[str, dict[str, Any]] = {
    "m4": {
        "subject": "Bill for the roof",
        "from": "Roof Works <office@example.com>",
        "text": "Please find the bill attached.",
        "labels": ["INBOX", "UNREAD"],
        "date": "Wed, 4 Mar 2026 09:00:00 +0000",
        "files": [["bill.pdf", "application/pdf"]],
    },
    "m3": {
        "subject": "Weekly news",
        "from": "Garden News <news@lists.example.net>",
        "text": "[Note: This email is HTML-formatted. Plain text version not available.]\n\n"
        "<p>Ten plants for spring.</p><p>Unsubscribe here</p><p style='display:none'>fence paint</p>",
        "labels": ["INBOX"],
        "date": "Tue, 3 Mar 2026 09:00:00 +0000",
    },
    "m2": {
        "subject": "Can you call me?",
        "from": "Ann Lee <ann@example.com>",
        "text": "Could you call me today about the fence?",
        "labels": ["INBOX", "STARRED", "Label_1"],
        "date": "Mon, 2 Mar 2026 09:00:00 +0000",
    },
    "m1": {
        "subject": "Re: Fence",
        "from": ME,
        "text": "I will.",
        "labels": ["SENT"],
        "date": "Sun, 1 Mar 2026 09:00:00 +0000",
    },
}


class ConventionBox:
    """A mailbox in a file, and the server of it under the name `post`."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "box.json"
        mail = {id_: {"to": ME, **one} for id_, one in MAIL.items()}
        self.write({"mail": mail, "labels": {"Label_1": "Family matters"}})

    def write(self, held: dict[str, Any]) -> None:
        self.file.write_text(json.dumps(held), encoding="utf-8")

    def held(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8"))
        return found

    def labels(self, id_: str) -> set[str]:
        """The names of a message's labels."""
        held = self.held()
        return {held["labels"].get(one, one) for one in held["mail"][id_]["labels"]}

    def arrives(self, id_: str, subject: str) -> None:
        """A new message in the inbox."""
        held = self.held()
        new = {**held["mail"]["m2"], "subject": subject, "labels": ["INBOX", "UNREAD"]}
        self.write({**held, "mail": {id_: new, **held["mail"]}})

    def serve(self, fault: str = "") -> None:
        """List the server in `mcp_servers.json`."""
        path = servers_file(os.environ)
        path.parent.mkdir(parents=True, exist_ok=True)
        entry = {"command": sys.executable, "args": ["-I", "-S", PROGRAM, str(self.file), fault]}
        path.write_text(json.dumps({"mcpServers": {"post": entry}}), encoding="utf-8")

    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Every call that the server was given so far."""
        noted = self.file.with_suffix(".calls")
        lines = noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []
        return [(tool, given) for tool, given in map(json.loads, lines)]
