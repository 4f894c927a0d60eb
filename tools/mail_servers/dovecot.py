"""A real Dovecot on a free loopback port, from a temporary directory, as any user. Entry: `Dovecot`.

`python -m tools.mail_servers.dovecot` makes sure that Dovecot is installed, for `make test`.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal

from tools.debian import install
from tools.mail_servers.dovecot_config import PASSWORD, Options, account, config
from tools.mail_servers.dovecot_config_24 import config_24

START_S = 10.0

ADVICE = (
    "The IMAP tests need Dovecot 2.3 or 2.4, which is not installed here. On Debian or Ubuntu: "
    "sudo apt-get install dovecot-imapd; on macOS: brew install dovecot; on Fedora: sudo dnf install dovecot."
)

__all__ = ["PASSWORD", "Dovecot", "Missing", "executable", "problem"]


class Missing(Exception):
    """Dovecot is not installed, or another one; the message says how to get it."""


def executable(name: Literal["dovecot", "doveadm"] = "dovecot") -> str | None:
    """Where the program is, also where it is not on the PATH of ordinary users."""
    places = os.pathsep.join(
        (
            os.environ.get("PATH", ""),
            "/usr/sbin",
            "/usr/local/sbin",
            "/opt/homebrew/sbin",
            "/opt/homebrew/bin",
        )
    )
    return shutil.which(name, path=places)


@cache
def problem() -> str:
    """Why the tests cannot use Dovecot here, and what to do; empty when they can."""
    program = executable()
    if program is None:
        return ADVICE
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    if said.startswith(("2.3.", "2.4.")):
        return ""
    return (
        f"The IMAP tests configure Dovecot 2.3 and 2.4 and found {said[:40] or 'another'}, whose configuration may be "
        "written differently."
    )


@cache
def is_24(program: str) -> bool:
    """Whether the installed Dovecot wants the configuration of 2.4."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return said.startswith("2.4.")


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Dovecot:
    """One server process with its mail below a directory of its own; a context manager.

    Attributes:
        port: Where IMAP (with STARTTLS where `options.tls`) answers; the same after a restart.
        tls_port: IMAP over TLS; 0 without `options.tls`.
        options: What was asked for.
    """

    def __init__(self, options: Options | None = None) -> None:
        program = executable()
        if program is None or problem():
            raise Missing(problem())
        self.options = options or Options()
        self._program = program
        self.base = Path(tempfile.mkdtemp(prefix="gaia-dovecot-", dir=_roomy_memory()))
        self.base.chmod(0o755)
        self.port = free_port()
        self.tls_port = free_port() if self.options.tls else 0
        self._process: subprocess.Popen[bytes] | None = None
        self._prepare()

    def __enter__(self) -> Dovecot:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.base, ignore_errors=True)

    def _prepare(self) -> None:
        for name in ("run", "state", "mail", "home", "tls"):
            (self.base / name).mkdir()
        if self.options.tls:
            _certificate(self.base / "tls")
        for name in ("mail", "home"):
            os.chown(self.base / name, *account())
        write = config_24 if is_24(self._program) else config
        text = write(self.base, self.port, self.tls_port, self.options)
        (self.base / "dovecot.conf").write_text(text)

    @property
    def certificate(self) -> Path:
        """The authority that signed the server's certificate (itself)."""
        return self.base / "tls" / "cert.pem"

    def start(self) -> None:
        """Start and wait until it greets.

        Raises:
            RuntimeError: It does not come up; the log is in the message.
        """
        command = [self._program, "-F", "-c", str(self.base / "dovecot.conf")]
        # Whatever kills the tests, the server goes with them: with the thread that started it, to be exact.
        setpriv = shutil.which("setpriv")
        if setpriv and threading.current_thread() is threading.main_thread():
            command = [setpriv, "--pdeathsig", "TERM", *command]
        with open(self.base / "output", "wb") as output:
            self._process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True
            )
        deadline = time.monotonic() + START_S
        while not self._greets():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"Dovecot did not start: {(self.base / 'output').read_text()}{self.log()}")
            time.sleep(0.01)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=2).close()
        except OSError:
            return False
        return True

    def _greets(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as probe:
                return probe.recv(100).startswith(b"* OK")
        except OSError:
            return False

    def stop(self) -> None:
        """End it in order; sessions are closed. Harmless when it does not run."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            self.kill()

    def kill(self) -> None:
        """End it and every session at once, as a power cut would. Harmless when it does not run."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        while self._listens():  # its children die on their own, a moment later
            time.sleep(0.005)
        shutil.rmtree(
            self.base / "run", ignore_errors=True
        )  # what a dead server leaves keeps the next one out
        (self.base / "run").mkdir(exist_ok=True)

    def restart(self) -> None:
        """Stop and start again at the same ports with the same mail."""
        self.stop()
        self.start()

    def kill_sessions(self) -> None:
        """Kill the processes that serve logged-in (or logging-in) clients; the server stays up."""
        for pid in self._descendants():
            if _is_session(pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _descendants(self) -> list[int]:
        if self._process is None:
            return []
        listing = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
        ).stdout
        pairs = [(int(pid), int(parent)) for pid, parent in (line.split() for line in listing.splitlines())]
        family = {self._process.pid}
        for pid, parent in pairs:
            if parent in family:
                family.add(pid)
        return sorted(family - {self._process.pid})

    def log(self, since: int = 0) -> str:
        """What the server logged, from byte `since` on."""
        path = self.base / "dovecot.log"
        return path.read_bytes()[since:].decode("utf-8", "replace") if path.exists() else ""

    def log_size(self) -> int:
        """How long the log is now; for `log(since)`."""
        path = self.base / "dovecot.log"
        return path.stat().st_size if path.exists() else 0

    def folder(self, user: str, name: str = "INBOX") -> Path:
        """Where a Maildir folder lies on disk."""
        root = self.base / "mail" / user
        return root if name == "INBOX" else root / name

    def fill(self, user: str, messages: Iterable[tuple[bytes, str]], folder: str = "INBOX") -> int:
        """Put many messages (bytes, Maildir flag letters) into a folder directly, without IMAP; how many.

        For Maildir storage only; names sort in the order given, which becomes the order of UIDs.
        """
        place = self.folder(user, folder)
        count = 0
        for part in ("cur", "new", "tmp"):
            (place / part).mkdir(parents=True, exist_ok=True)
        for raw, letters in messages:
            count += 1
            path = place / "cur" / f"{1_700_000_000 + count}.M{count}P1.host,S={len(raw)}:2,{letters}"
            path.write_bytes(raw)
        self.own(user)
        return count

    def own(self, user: str) -> None:
        """Give what the tests wrote below a user's mail to whom the server runs as."""
        if os.getuid() == 0:
            uid, gid = account()
            subprocess.run(["chown", "-R", f"{uid}:{gid}", str(self.base / "mail" / user)], check=True)

    def renumber(self, user: str, folder: str = "INBOX") -> None:
        """Make the server forget a folder's UIDs: same messages, new UIDVALIDITY.

        Raises:
            RuntimeError: A session of the user is still open; close it before.
        """
        deadline = time.monotonic() + START_S
        while self._process is not None and self._sessions(user):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{user} is still logged in")
            time.sleep(0.01)
        place = self.folder(user, folder)
        for path in place.glob("dovecot*"):
            if path.name.startswith(("dovecot-uidlist", "dovecot.index")):
                path.unlink()

    def _sessions(self, user: str) -> int:
        """How many are open, according to the log, which is a little behind."""
        log = self.log()
        ended = re.findall(rf"imap\({re.escape(user)}\)<.*: Info: Disconnected", log)
        begun = re.findall(rf"Log(?:in|ged in): user=<{re.escape(user)}>", log)  # 2.3, 2.4
        return len(begun) - len(ended)

    def forbid_changes(self, user: str, folder: str) -> None:
        """Make a folder read-only for its owner; needs `options.acl`."""
        (self.folder(user, folder) / "dovecot-acl").write_text("owner lr\n")
        self.own(user)


def _roomy_memory() -> str | None:
    """A file system in memory with room, which spares the disk thousands of small files; else the usual place."""
    memory = "/dev/shm"
    try:
        room = shutil.disk_usage(memory).free
    except OSError:
        return None
    return memory if room > 4 << 30 and os.access(memory, os.W_OK) else None


def _is_session(pid: int) -> bool:
    name = subprocess.run(["ps", "-p", str(pid), "-o", "comm="], capture_output=True, text=True, check=False)
    return name.stdout.strip().rpartition("/")[2] in ("imap", "imap-login", "imap-hibernate")


def _certificate(folder: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-batch"),
            *("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )


def main() -> int:
    """Install Dovecot where that may be done unasked; else say how, and fail where `CI=true`."""
    if executable() is None:
        _install()
    why = problem()
    if not why:
        return 0
    sys.stderr.write(why + "\n")
    return 1 if os.environ.get("CI") == "true" else 0


def _install() -> None:
    """As `debian.install`; the system's own service is left switched off."""
    prefix = install(["dovecot-imapd"], "the IMAP tests")
    if prefix is not None and Path("/run/systemd/system").is_dir():
        subprocess.run(
            [*prefix, "systemctl", "disable", "--now", "dovecot"], check=False, stdout=subprocess.DEVNULL
        )


if __name__ == "__main__":
    raise SystemExit(main())
