"""The archived Node Gmail server, fetched by npm, on the emulator. Entries: `install`, `script`, `node_server`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from fastmcp.client.transports import StdioTransport

PACKAGE = "@gongrzhe/server-gmail-autoauth-mcp@1.1.11"

_LOOPBACK = """
const {Gaxios} = require(process.env.GAXIOS_DIR);
const request = Gaxios.prototype.request;
Gaxios.prototype.request = function (options) {
  options.url = String(options.url).replace(/^https:\\/\\/[a-z.]*googleapis\\.com/, process.env.LOOPBACK_ROOT);
  delete options.baseURL;
  options.retry = false;
  return request.call(this, options);
};
"""
"""Sends what the Node server asks of Google to the emulator."""


def install(folder: Path) -> None:
    """Fetch the server and what it needs.

    Raises:
        CalledProcessError: npm cannot.
    """
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def script(folder: Path) -> Path:
    """What Node runs of the server that was fetched into the folder."""
    return folder / "node_modules" / "@gongrzhe" / "server-gmail-autoauth-mcp" / "dist" / "index.js"


def node_server(
    folder: Path, home: Path, root: str, environ: Mapping[str, str] | None = None
) -> StdioTransport:
    """The installed server over stdio, with the `~/.gmail-mcp` of `home`, talking to the emulator at `root`."""
    preload = folder / "loopback.cjs"
    preload.write_text(_LOOPBACK, encoding="utf-8")
    environment = {
        **(os.environ if environ is None else environ),
        "HOME": str(home),
        "NODE_OPTIONS": f"--require {preload}",
        "GAXIOS_DIR": str(folder / "node_modules" / "gaxios"),
        "LOOPBACK_ROOT": root,
    }
    return StdioTransport("node", [str(script(folder))], env=environment, cwd=str(folder / "node_modules"))
