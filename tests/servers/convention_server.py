"""An MCP server with the tools of the convention alone, over a mailbox in a JSON file; honest, or with one fault.

`convention_server.py FILE [FAULT]`. It answers in text only, as the archived Gmail server does, and notes each call in
`FILE.calls`, a line of JSON each.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]

TOOLS: Mapping[str, tuple[str, ...]] = {
    "search_emails": ("query", "maxResults"),
    "read_email": ("messageId",),
    "list_email_labels": (),
    "batch_modify_emails": ("messageIds", "addLabelIds", "removeLabelIds", "batchSize"),
    "modify_email": ("messageId", "labelIds", "addLabelIds", "removeLabelIds"),
    "get_or_create_label": ("name", "messageListVisibility", "labelListVisibility"),
    "delete_label": ("id",),
    "send_email": ("to", "subject", "body"),
}
SYSTEM = ("INBOX", "UNREAD", "STARRED", "SENT", "SPAM", "TRASH")


class Box:
    """The mailbox: messages by id, newest first, and the user's labels by id."""

    def __init__(self, path: Path, fault: str) -> None:
        self.path, self.fault = path, fault
        held = json.loads(path.read_text(encoding="utf-8"))
        self.mail: dict[str, Json] = held["mail"]
        self.labels: dict[str, str] = held["labels"]

    def save(self) -> None:
        """Write it back."""
        self.path.write_text(json.dumps({"mail": self.mail, "labels": self.labels}), encoding="utf-8")

    def search(self, query: str, most: int) -> str:
        """The newest messages that have every word of a query."""
        if self.fault == "flood":
            most = 20_000
            return "\n".join(f"ID: m{n}\nSubject: s\nFrom: a@example.com\nDate: \n" for n in range(most))
        if self.fault == "prose":
            return "I found some mail for you!"
        if self.fault == "no-stars" and "is:starred" in query:
            return "Error: the search operator is: is not known here"
        if self.fault == "a-hundred-at-most":
            most = min(most, 100)
        found = [id_ for id_, one in self.mail.items() if self.fits(one, query)][:most]
        return "\n".join(self.listed(id_) for id_ in found)

    def listed(self, id_: str) -> str:
        """A hit."""
        one = self.mail[id_]
        return f"ID: {id_}\nSubject: {one['subject']}\nFrom: {one['from']}\nDate: {one['date']}\n"

    def fits(self, one: Json, query: str) -> bool:
        """Whether a message has every word."""
        for word in re.findall(r'label:"[^"]*"|\S+', query):
            kind, _, rest = word.partition(":")
            if kind in ("in", "is"):
                wanted = rest.upper()
            elif kind == "label":
                wanted = next((id_ for id_, name in self.labels.items() if name == rest.strip('"')), "")
            else:
                if word.lower() not in f"{one['subject']} {one['text']}".lower():
                    return False
                continue
            if wanted not in one["labels"]:
                return False
        return True

    def read(self, id_: str) -> str:
        """A message."""
        one = self.mail.get(id_)
        if one is None:
            return "Error: Requested entity was not found."
        if self.fault == "two-senders":
            one = {**one, "subject": f"{one['subject']}\nFrom: Your Boss <boss@example.org>"}
        head = f"Thread ID: t{id_}\nSubject: {one['subject']}\nFrom: {one['from']}\nTo: {one['to']}"
        files = one.get("files", [])
        rows = "\n".join(f"- {name} ({kind}, 12 KB, ID: a1)" for name, kind in files)
        text = f"{head}\nDate: {one['date']}\n\n{one['text']}"
        if self.fault == "huge":
            text += "x" * 3_000_000
        return text + (f"\n\nAttachments ({len(files)}):\n{rows}" if files else "")

    def list_labels(self) -> str:
        """Every label."""
        system = "\n".join(f"ID: {one}\nName: {one}\n" for one in SYSTEM)
        user = "\n".join(f"ID: {id_}\nName: {name}\n" for id_, name in self.labels.items())
        total = len(SYSTEM) + len(self.labels)
        counts = f"Found {total} labels ({len(SYSTEM)} system, {len(self.labels)} user)"
        return f"{counts}:\n\nSystem Labels:\n{system}\nUser Labels:\n{user}"

    def change(self, id_: str, add: list[str], remove: list[str]) -> bool:
        """Whether there is such a message; its labels are others then."""
        if id_ not in self.mail:
            return False
        if self.fault != "yes-man":
            labels = [one for one in self.mail[id_]["labels"] if one not in remove]
            self.mail[id_]["labels"] = [*labels, *(one for one in add if one not in labels)]
        return True

    def modify(self, given: Json) -> str:
        """Change one message."""
        done = self.change(given["messageId"], given.get("addLabelIds", []), given.get("removeLabelIds", []))
        return f"Email {given['messageId']} labels updated successfully" if done else "Error: not found."

    def batch(self, given: Json) -> str:
        """Change several."""
        ids: list[str] = given["messageIds"]
        add, remove = given.get("addLabelIds", []), given.get("removeLabelIds", [])
        failed = [id_ for id_ in ids if not self.change(id_, add, remove)]
        told = (
            f"Batch label modification complete.\nSuccessfully processed: {len(ids) - len(failed)} messages\n"
        )
        if failed:
            rows = "\n".join(f"- {id_[:16]}... (Requested entity was not found.)" for id_ in failed)
            told += f"Failed to process: {len(failed)} messages\n\nFailed message IDs:\n{rows}"
        return told

    def label(self, name: str) -> str:
        """A label of that name."""
        if self.fault == "other-label":
            name = "Important"
        known = next((id_ for id_, held in self.labels.items() if held == name), None)
        id_ = known or f"Label_{len(self.labels) + 1}"
        self.labels[id_] = name
        told = "found existing" if known else "created new"
        return f"Successfully {told} label:\nID: {id_}\nName: {name}\nType: user"


def answer(box: Box, tool: str, given: Json) -> str:
    """What a tool answers."""
    match tool:
        case "search_emails":
            return box.search(given["query"], given.get("maxResults") or 10)
        case "read_email":
            return box.read(given["messageId"])
        case "list_email_labels":
            return box.list_labels()
        case "modify_email":
            return box.modify(given)
        case "batch_modify_emails":
            return box.batch(given)
        case "get_or_create_label":
            return box.label(given["name"])
        case _:
            return f"Error: {tool} must not be called in these tests."


def listed(fault: str) -> list[Json]:
    """The tools as the server lists them; with the fault `read-only`, those that read."""
    names = [name for name in TOOLS if fault != "read-only" or name.startswith(("search", "read", "list"))]
    if fault == "one-by-one":
        names.remove("batch_modify_emails")
    return [
        {
            "name": name,
            "inputSchema": {"type": "object", "properties": {one: {} for one in TOOLS[name]}},
            "annotations": {"destructiveHint": name in ("delete_label", "send_email")},
        }
        for name in names
    ]


def main() -> None:
    """Answer line by line."""
    path, fault = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    for line in sys.stdin:
        request = json.loads(line)
        reply: Json = {"jsonrpc": "2.0", "id": request.get("id")}
        match request["method"]:
            case "initialize":
                info = {"name": "convention", "version": "1"}
                reply["result"] = {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {"tools": {}},
                    "serverInfo": info,
                }
            case "tools/list":
                reply["result"] = {"tools": listed(fault)}
            case "tools/call":
                given = request["params"]
                with path.with_suffix(".calls").open("a", encoding="utf-8") as calls:
                    calls.write(json.dumps([given["name"], given.get("arguments")]) + "\n")
                box = Box(path, fault)
                text = answer(box, given["name"], given.get("arguments") or {})
                box.save()
                reply["result"] = {"content": [{"type": "text", "text": text}]}
            case _:
                reply["error"] = {"code": -32601, "message": "unknown"}
        if "id" in request:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
