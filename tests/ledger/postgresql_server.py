"""A PostgreSQL server of the tests' own, on a free port of this machine. Entry point: `started`."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

NEEDED = ("initdb", "pg_ctl", "createdb")


def _binaries() -> Path | None:
    """The newest folder that has all of them; Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if all((folder / name).exists() for name in NEEDED)), None)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def started() -> Generator[str, None, None]:
    """The URL of the database `ledger`; `runs` is beside it. Skips the test where there is no server."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql, or brew install postgresql)")
    user = "nobody" if os.geteuid() == 0 else None  # the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="gaia-pg-", dir="/tmp"))
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    port = _free_port()

    def tool(name: str, *arguments: str) -> None:
        command = [str(binaries / name), *arguments]
        subprocess.run(
            command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )

    data = str(folder / "data")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    try:
        tool("initdb", "-D", data, "-U", "gaia", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        tool("pg_ctl", "-D", data, "-l", str(folder / "log"), "-w", "-o", options, "start")
        try:
            for name in ("ledger", "runs"):
                tool("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "gaia", name)
            yield f"postgresql://gaia@127.0.0.1:{port}/ledger"
        finally:
            tool("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
