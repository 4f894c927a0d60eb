"""Twenty secrets are given to the program in every way there is, and then looked for everywhere else."""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path

import pytest

from gaia_email_registry.client_files import client_file
from tests.cli.printed import Ran, Run, runner
from tools.mail_servers.dovecot import PASSWORD, Dovecot

ROOT = Path(__file__).resolve().parents[2]
WRONG = [f"planted-wrong-{number}" for number in range(5)]
VARIABLES = [f"planted-variable-{number}" for number in range(6)]
TOKENS = [f"planted-token-{number}" for number in range(4)]
ADDED = [f"planted-added-{number}" for number in range(3)]
INHERITED = "planted-inherited"
PLANTED = [*WRONG, *VARIABLES, *TOKENS, *ADDED, INHERITED, PASSWORD]

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads /proc"),
    # The SDK leaves the pipes of a server open that breaks off; they are collected within the test.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """In this process, with what its children write captured too."""
    plain = runner(capfd, monkeypatch)

    def call(*args: str, stdin: str = "") -> Ran:
        return plain(*args, stdin=stdin.encode())

    return call


def test_no_secret_is_in_a_file_an_answer_a_log_or_a_childs_variables(
    run: Run,
    dovecot: Dovecot,
    user: str,
    home_of_its_own: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert len(set(PLANTED)) == 20
    monkeypatch.setenv("GAIA_VAULT", "file")
    monkeypatch.setenv("GAIA_HTTP_TOKEN", INHERITED)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    # On a busy machine a server that is given up too early has written nothing down yet.
    monkeypatch.setattr("gaia_email.app.services.mcp_servers.LOOK_S", 60.0)
    printed: list[str] = []

    def ran(*words: str, stdin: str = "") -> int:
        done = run(*words, stdin=stdin)
        printed.append(done.out + done.err)
        return done.code

    connect = [
        "connect", "--email", f"{user}@example.org", "--imap-user", user, "--imap-host", "127.0.0.1",
        "--imap-port", str(dovecot.port), "--imap-security", "none",
    ]  # fmt: skip
    for wrong in WRONG:
        assert ran(*connect, stdin=f"{wrong}\n") != 0
    assert ran(*connect, stdin=f"{PASSWORD}\n") == 0

    spies = {f"spy{number}": tmp_path / f"spy{number}.json" for number in range(6)}
    spy = [str(ROOT / "tests" / "servers" / "spy.py")]
    theirs = client_file("claude-desktop", home_of_its_own, sys.platform)
    theirs.parent.mkdir(parents=True)
    entries: dict[str, object] = {
        name: {
            "command": sys.executable,
            "args": [*spy, str(path)],
            "env": {"THEIR_TOKEN": VARIABLES[number], "PYTHONPATH": str(ROOT)},
        }
        for number, (name, path) in enumerate(spies.items())
    }
    for number, token in enumerate(TOKENS):
        url = f"http://127.0.0.1:{1 + number}/mcp"
        entries[f"web{number}"] = {"url": url, "headers": {"Authorization": f"Bearer {token}"}}
    theirs.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    assert ran("servers", "import", "claude-desktop", "--yes") == 0
    theirs.unlink()
    for number, secret in enumerate(ADDED):
        broken = [sys.executable, "-c", "raise SystemExit(1)"]
        ran("servers", "add", f"own{number}", "--secret", "API_KEY", "--", *broken, stdin=f"{secret}\n")

    for words in (
        ("inbox",), ("triage",), ("status", "--json"), ("doctor", "--json"), ("accounts", "--json"),
        ("servers", "list", "--json"), ("servers", "tools", "--json"), ("servers", "logs", "own0"), ("export",),
        ("egress", "--all", "--json"), ("inbox", "--server", "spy0"),
        ("inbox", "--server", "web0"), ("actions", "--json"),
    ):  # fmt: skip
        ran(*words)

    gc.collect()
    everywhere = "\n".join(printed)
    assert [secret for secret in PLANTED if secret in everywhere] == []
    files = {
        path: path.read_bytes()
        for path in home_of_its_own.rglob("*")
        if path.is_file() and path not in spies.values()
    }
    assert [
        (path, secret) for path, content in files.items() for secret in PLANTED if secret.encode() in content
    ] == []
    for number, path in enumerate(spies.values()):
        seen = json.loads(path.read_text(encoding="utf-8"))
        held = json.dumps(seen["environ"])
        assert [secret for secret in PLANTED if secret in held] == [VARIABLES[number]]
        assert [secret for secret in PLANTED if secret in json.dumps(seen["lines"])] == []
    assert os.environ["GAIA_HTTP_TOKEN"] == INHERITED
