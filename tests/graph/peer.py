"""Softeria's Microsoft 365 server, fetched by npm, on the emulator. Entries: `install`, `server`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from fastmcp.client.transports import StdioTransport

NAME = "@softeria/ms-365-mcp-server"
PACKAGE = f"{NAME}@0.155.0"

_LOOPBACK = """
const fetched = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = String(typeof input === 'object' && 'url' in input ? input.url : input);
  if (!url.startsWith('https://graph.microsoft.com/')) {
    return Promise.reject(new Error('only the emulator is asked, not ' + url));
  }
  return fetched(url.replace('https://graph.microsoft.com', process.env.LOOPBACK_ROOT), init);
};
"""
"""Sends what the server asks of Microsoft Graph to the emulator, and nothing anywhere else."""


def install(folder: Path) -> None:
    """Fetch the server and what it needs.

    Raises:
        CalledProcessError: npm cannot.
    """
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def server(folder: Path, home: Path, root: str, token: str, *options: str) -> StdioTransport:
    """The installed server over stdio, its home in `home`, talking to the emulator whose API root is `root`."""
    preload = folder / "loopback.cjs"
    preload.write_text(_LOOPBACK, encoding="utf-8")
    environment = {
        **os.environ,
        "HOME": str(home),
        "NODE_OPTIONS": f"--require {preload}",
        "LOOPBACK_ROOT": root.removesuffix("/v1.0"),
        "MS365_MCP_OAUTH_TOKEN": token,
        "MS365_MCP_LOG_DIR": str(home / "logs"),
    }
    script = folder / "node_modules" / NAME / "dist" / "index.js"
    return StdioTransport("node", [str(script), *options], env=environment, cwd=str(home))
