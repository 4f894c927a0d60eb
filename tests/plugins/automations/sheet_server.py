"""An MCP server of others: a sheet in a file. The row `die` ends it after it was written; `full` is refused."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def answer(request: Json) -> Json | None:
    match request.get("method"):
        case "initialize":
            return {
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "sheet", "version": "1"},
            }
        case "tools/list":
            schema = {"type": "object", "properties": {"row": {"type": "string"}}}
            hints = {"readOnlyHint": False, "destructiveHint": False}
            tool = {
                "name": "add_row",
                "description": sys.argv[2],
                "inputSchema": schema,
                "annotations": hints,
            }
            return {"tools": [tool]}
        case "tools/call":
            return added(request["params"]["arguments"]["row"])
        case _:
            return None


def added(row: str) -> Json:
    if row == "full":
        return {"content": [{"type": "text", "text": "The sheet is full."}], "isError": True}
    sheet = Path(sys.argv[1])
    rows = [*(sheet.read_text().split("\n") if sheet.exists() else ()), row]
    sheet.write_text("\n".join(rows))
    if row == "die":
        os._exit(1)
    return {"content": [], "structuredContent": {"rows": len(rows)}}


for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = answer(asked)
        unknown = {"error": {"code": -32601, "message": "There is no such method."}}
        told = {"jsonrpc": "2.0", "id": asked["id"], **(unknown if result is None else {"result": result})}
        print(json.dumps(told), flush=True)  # noqa: T201
