"""An MCP server with the tools of a mailbox, and one absurdity in its answers, named by its argument."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

NAMES = ("server_status", "list_emails", "read_emails", "list_email_labels")
TEXT = "From: ann@example.com\r\nTo: me@example.org\r\nSubject: Roof\r\n\r\nCan you call me today?\r\n"
ODD: Mapping[str, Json] = {
    "date-broken": {"date": "9999-99-99"},
    "date-first": {"date": "0001-01-01T00:00:00+14:00"},
    "date-last": {"date": "9999-12-31T23:59:59-14:00"},
    "size-below": {"size": -5},
    "size-beyond": {"size": 10**30},
    "subject-long": {"subject": "x" * 3_000_000},
    "labels-many": {"labels": ["INBOX", *("x" * 100 for _ in range(20_000))]},
}
"""What is odd about a message that can be read all the same."""


def summary(number: int, **more: object) -> Json:
    """A message in a list."""
    return {
        "id": f"m{number}",
        "account": "me@example.org",
        "thread_id": f"t{number}",
        "message_id": f"<{number}@example.com>",
        "subject": "Roof",
        "from": {"name": "Ann", "address": "ann@example.com"},
        "to": [],
        "cc": [],
        "date": "2026-03-02T09:00:00+00:00",
        "snippet": "",
        "labels": ["INBOX"],
        "flags": [],
        "size": len(TEXT),
        "has_attachments": False,
        **more,
    }


def page(fault: str, asked: int) -> Json:
    """A page of the list; `asked` counts them."""
    match fault:
        case "circles":
            return {"emails": [summary(asked)], "next_cursor": "again"}
        case "rounds":
            return {"emails": [summary(asked)], "next_cursor": "abc"[asked % 3]}
        case "endless":
            return {"emails": [], "next_cursor": str(asked)}
        case "more":
            return {"emails": [summary(number) for number in range(20_000)], "next_cursor": None}
        case "types":
            return {"emails": [summary(1, labels="INBOX")], "next_cursor": None}
        case _:
            return {"emails": [summary(1, **ODD.get(fault, {}))], "next_cursor": None}


def read(fault: str, ids: list[str]) -> Json:
    """Messages with their bytes."""
    raw = base64.urlsafe_b64encode(TEXT.encode()).decode()
    given = {"others": ["m9"], "double": ids * 2}.get(fault, ids)
    if fault == "nothing":
        return {"emails": [], "missing": [], "left_out": ids}
    return {
        "emails": [{**summary(1, **ODD.get(fault, {})), "id": one, "raw": raw} for one in given],
        "missing": [],
    }


def answer(fault: str, tool: str, arguments: Json, asked: int) -> Json:
    """What a tool answers."""
    match tool:
        case "list_emails":
            return page(fault, asked)
        case "read_emails":
            return read(fault, arguments["ids"])
        case "list_email_labels":
            return {"labels": [{"id": "INBOX", "name": "INBOX", "type": "system"}]}
        case _:
            status: Json = {"account": "me@example.org", "provider": "odd", "connected": True, "scopes": []}
            return {**status, "read_only": True, "last_sync": None, "errors": []}


def main() -> None:
    """Answer line by line."""
    for asked, line in enumerate(sys.stdin):
        request = json.loads(line)
        reply: Json = {"jsonrpc": "2.0", "id": request.get("id")}
        match request["method"]:
            case "initialize":
                info = {"name": "odd", "version": "1"}
                result: Json = {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {"tools": {}},
                    "serverInfo": info,
                }
                reply["result"] = result
            case "tools/list":
                reply["result"] = {
                    "tools": [{"name": one, "inputSchema": {"type": "object"}} for one in NAMES]
                }
            case "tools/call":
                given = request["params"]
                found = answer(sys.argv[1], given["name"], given.get("arguments") or {}, asked)
                reply["result"] = {"content": [], "structuredContent": found}
            case _:
                reply["error"] = {"code": -32601, "message": "unknown"}
        if "id" in request:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
