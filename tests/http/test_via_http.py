"""`--via http`: the server that runs does what a command asks for, and what is printed is the same to the byte."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import click
import httpx2
import pytest

from gaia_email.app import App
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample
from gaia_email.interfaces.cli.app import GROUPS, command_lines, command_named
from gaia_email.interfaces.cli.errors import NOT_CONNECTED, REFUSED, USAGE
from gaia_email.interfaces.cli.from_operation import OperationCommand
from gaia_email.interfaces.http.announcing import announce, running_server, server_file
from gaia_email_registry.errors import NotFound, ProviderError
from tests.cli.printed import Run, runner
from tests.http.serving import MAIN, serving
from tests.plugins.bundled import needs_plugin

CHOSEN = (
    ("why", "MESSAGE"),
    ("show", "MESSAGE"),
    ("summarise", "MESSAGE"),
    ("policy", "explain", "MESSAGE"),
    ("policy", "list"),
    ("policy", "convention"),
    ("policy", "test", "--cohort", "newsletters", "--level", "3"),
    ("vip", "list"),
    ("protect", "list"),
    ("search", "invoice", "--limit", "5"),
    ("search", "subject:invoice", "--sort", "newest", "--offline"),
    ("brief",),
    ("brief", "--evening", "--to", "markdown"),
    ("prep", "--hours", "48"),
    ("later",),
    ("followups", "--owed", "--limit", "5"),
    ("pending",),
    ("pending", "--type", "question"),
    ("actions", "--limit", "5"),
    ("habits",),
    ("lessons",),
    ("remember",),
    ("accounts",),
    ("discover",),
    ("status", "--quick"),
    ("doctor", "--offline"),
    ("runs",),
    ("egress", "--account", "nobody@example.org"),
)
READING = (
    *CHOSEN,
    *(
        (one.command.name,)
        for one in OPERATIONS.values()
        if one.command
        and one.command.heading in GROUPS
        and one.risk == "read"
        and not one.input_schema["required"]
        and one.command.name not in {words[0] for words in CHOSEN}
    ),
)
"""Commands that only read and that a server does."""

MOMENT = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)|[\d,]+ MB are free|(?<=\"age_hours\": )[\d.]+"
)
"""Two commands are not run at the same moment, and some say when they were, or how full the disk was."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


def connected(run: Run, folder: Path) -> None:
    write_sample(folder, now=App().clock())
    assert run("connect", "--maildir", str(folder), "--user", SAMPLE_OWNER).code == 0


def both(run: Run, *words: str) -> tuple[str, str]:
    """What a command prints by itself, and what over HTTP."""
    here, there = run(*words), run(*words, "--via", "http")
    assert there.code == here.code, f"{words}: {there.err}"
    return MOMENT.sub("MOMENT", here.out), MOMENT.sub("MOMENT", there.out)


def test_every_reading_command_prints_the_same_bytes_over_http(run: Run, tmp_path: Path) -> None:
    connected(run, tmp_path / "Mail")
    found = run("inbox", "--json", "--fields", "id").out
    message = re.findall(r'"id": "([^"]+)"', found)[0]
    with serving("--socket", str(tmp_path / "socket")):
        for words in READING:
            given = [message if word == "MESSAGE" else word for word in words]
            here, there = both(run, *given)
            assert there == here, words
            here, there = both(run, *given, "--json")
            assert there == here and there, words


def test_an_error_of_the_server_has_the_same_sentence_and_code(run: Run, tmp_path: Path) -> None:
    connected(run, tmp_path / "Mail")
    with serving("--port", "0"):
        server = running_server(App().environ)
        for words in (
            ("show", "no-such-message"),
            ("search", "newer_than:soon"),
            ("brief", "--date", "2026-13-99"),
            ("brief", "--last"),
            ("why", "MESSAGE", "--account", "nobody"),
        ):
            here, there = run(*words), run("--via", "http", *words)
            assert (there.code, there.err, there.out) == (here.code, here.err, here.out)
            assert here.code
        for line, code in (("reject an-id", REFUSED), ("resume", REFUSED), ("undo", USAGE)):
            ran = run(*line.split(), "--via=http")
            assert ran.code == code
            assert server.page in ran.err, ran.err
        assert run("snooze", "1", "2", "--until", "3d", "--via", "http").code != 0
        refused = run("show", "x", "--demo", "--via", "http")
        assert refused.code == USAGE and "--demo cannot be said" in refused.err
        token = Path(server.token_file).read_text(encoding="ascii").strip()
        by_itself = [sys.executable, "-c", MAIN, "email", "pending", "--via", "http"]
        assert subprocess.run(by_itself, stdout=subprocess.PIPE, check=True).stdout
        written = b"".join(path.read_bytes() for path in App().home.glob("egress*"))
        assert b'"why":"agent"' in written.replace(b" ", b"") and token.encode() not in written
        assert oct(server_file(App().environ).stat().st_mode & 0o777) == "0o600"
    assert not server_file(App().environ).exists()


@needs_plugin("gaia")
def test_the_token_of_a_host_is_the_only_one_and_rotating_ours_needs_no_restart(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected(run, tmp_path / "Mail")
    with serving("--port", "0"):
        server = running_server(App().environ)
        old = Path(server.token_file).read_text(encoding="ascii").strip()
        with httpx2.Client(base_url=server.address, headers={"authorization": f"Bearer {old}"}) as client:
            assert client.get("/v1/email/pending").status_code == 200
            assert run("serve", "token", "rotate").code == 0
            assert client.get("/v1/email/pending").status_code == 401
        assert run("pending", "--via", "http").code == 0
    secret = tmp_path / "launch-secret"
    secret.write_text("s" * 43)
    secret.chmod(0o600)
    monkeypatch.setenv("GAIA_EMAIL_SIDECAR_TOKEN_FILE", str(secret))
    with serving("--port", "0", "--contract", "gaia"):
        assert running_server(App().environ).prefix == "/own"
        assert run("pending", "--via", "http").code == 0
        secret.write_text("t" * 43)
        assert run("pending", "--via", "http").code == NOT_CONNECTED


def test_what_a_server_tells_whoever_waits_is_told_here(run: Run, tmp_path: Path) -> None:
    connected(run, tmp_path / "Mail")
    assert run("pause").code == 0
    found = run("inbox", "--json", "--fields", "id").out
    message = re.findall(r'"id": "([^"]+)"', found)[0]
    with serving("--port", "0"):
        here, there = run("why", message), run("why", message, "--via", "http")
    assert "paused" in here.err and there.err == here.err


def test_a_server_that_was_killed_is_said_to_be_and_given_no_token(run: Run, tmp_path: Path) -> None:
    connected(run, tmp_path / "Mail")
    assert "No gaia email serve runs here" in run("pending", "--via", "http").err
    with serving("--port", "0") as server:
        server.send_signal(signal.SIGKILL)
        server.wait(20)
        ran = run("pending", "--via", "http")
    assert ran.code == 1
    assert f"The server of process {server.pid} ended without a word" in ran.err
    assert "start gaia email serve" in ran.err


def test_the_latest_of_two_servers_is_found_and_the_end_of_the_other_changes_nothing(tmp_path: Path) -> None:
    def at(address: str) -> AbstractContextManager[None]:
        return announce(App().environ, address=address, socket="", prefix="", token_file=tmp_path / "token")

    with at("http://127.0.0.1:1"):
        with at("http://127.0.0.1:2"):
            assert running_server(App().environ).address == "http://127.0.0.1:2"
        with pytest.raises(NotFound):
            running_server(App().environ)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff"])
def test_a_file_that_is_none_of_a_server_is_refused(content: bytes) -> None:
    path = server_file(App().environ)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(ProviderError, match="cannot be read"):
        running_server(App().environ)
    path.chmod(0o644)
    with pytest.raises(ProviderError, match="Other users"):
        running_server(App().environ)


def leaves() -> list[tuple[str, click.Command]]:
    """Every command of the tree that takes the running program, with the words that name it."""
    found: list[tuple[str, click.Command]] = []

    def walk(name: str, command: click.Command) -> None:
        if isinstance(command, click.Group):
            for below, one in command.commands.items():
                walk(f"{name} {below}", one)
        else:
            found.append((name, command))

    for name in command_lines():
        command = command_named(name)
        assert command is not None
        walk(name, command)
    return found


HERE = {
    "completion",
    "schema",
    "serve keys add",
    "serve keys list",
    "serve keys revoke",
    "serve token rotate",
}
"""Commands that are about no mail, or about the server itself."""


def test_every_command_is_done_by_the_server_or_says_that_it_is_not(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_EMAIL_VIA", "http")
    made = 0
    for name, command in leaves():
        if name in HERE:
            continue
        given = [_word(one) for one in command.params if isinstance(one, click.Argument) and one.required]
        options = [
            word
            for one in command.params
            if isinstance(one, click.Option) and one.required
            for word in (one.opts[0], _word(one))
        ]
        ran = run(*name.split(), *given, *options)
        asked = "No gaia email serve runs here" in ran.err or ran.code == NOT_CONNECTED
        made += asked
        assert ran.code
        if isinstance(command, OperationCommand):
            assert asked, (name, ran.err)
        else:
            assert asked or "is not done by a server" in ran.err or ran.code == USAGE, (name, ran.err)
    assert made > 25


def _word(one: click.Parameter) -> str:
    """Something that a command takes there."""
    if isinstance(one.type, click.Choice):
        return str(one.type.choices[0])
    return "1" if isinstance(one.type, click.types.IntParamType) else "7d"


def test_every_command_that_only_reads_through_an_operation_is_in_the_table() -> None:
    made = {name: command_named(name) for name in command_lines()}
    reading = {
        name
        for name, one in made.items()
        if isinstance(one, OperationCommand) and one.operation.risk == "read"
    }
    assert reading <= {words[0] for words in READING}
