"""An MCP server that writes down what it was given: its variables, its command line, and that of who started it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.servers.stranger import server


def main() -> None:
    """Write it to the file that is named, then serve."""
    lines = [Path(f"/proc/{process}/cmdline").read_bytes().decode() for process in ("self", os.getppid())]
    Path(sys.argv[1]).write_text(json.dumps({"environ": dict(os.environ), "lines": lines}), encoding="utf-8")
    server.run(show_banner=False)


if __name__ == "__main__":
    main()
