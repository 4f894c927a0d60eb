"""A yes is a person's: an assistant that may run commands changes nothing, whatever it types, pipes or sets."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.sample.mailbox import write_sample
from gaia_email.app.services.scripts import scripts_may_answer
from tests.cli.test_acting import files

MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.interfaces.cli import main; main()"
TAKE = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
CODE = re.compile(r"Type (\w+) for yes")


def shell(*arguments: str, typed: bytes = b"", extra: Mapping[str, str] | None = None) -> tuple[int, str]:
    """A command as an assistant's shell runs it: no terminal, words piped in, any variables."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "email", *arguments],
        input=typed,
        env={**os.environ, **(extra or {})},
        capture_output=True,
        start_new_session=True,
        timeout=60,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).decode()


def at_terminal(*arguments: str, types: str) -> tuple[int, str]:
    """A command at a terminal; `{code}` in what is typed stands for the code that it shows."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE + MAIN, "email", *arguments],
        stdin=side,
        stdout=subprocess.PIPE,
        stderr=side,
        env={**os.environ, "NO_COLOR": "1"},
        start_new_session=True,
    )
    os.close(side)
    shown, left = "", [types]
    while select.select([main], [], [], 40)[0]:
        try:
            shown += os.read(main, 65_536).decode("utf-8", "replace")
        except OSError:
            break
        if left and (found := CODE.search(shown)):
            os.write(main, left.pop().replace("{code}", found[1]).encode())
    assert process.stdout is not None
    printed = process.stdout.read().decode()
    process.stdout.close()
    code = process.wait(20)
    os.close(main)
    asked = CODE.search(shown)
    assert asked is None or asked[1] not in printed, "the code stands on the terminal only"
    return code, shown + printed


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    folder = tmp_path / "Mail"
    write_sample(folder, now=1_795_000_000.0)
    return folder


def first_id(mail: Path) -> str:
    code, shown = shell("inbox", "--maildir", str(mail), "--json")
    assert code == 0, shown
    found: str = json.loads(shown[shown.index("{") :])["buckets"]["urgent"][0]["id"]
    return found


VARIABLES: Sequence[Mapping[str, str]] = (
    {},
    {"GAIA_YES": "1", "GAIA_APPROVE": "host", "CI": "1", "FORCE_COLOR": "1", "TERM": "xterm"},
)
LIMITS = (
    ("policy", "set", "--cohort", "default", "--level", "5", "--yes"),
    ("policy", "scripts", "on"),
    ("vip", "add", "boss@example.org", "--yes"),
    ("resume",),
    ("travel-mode", "--until", "2999-01-01"),
    ("travel-mode", "--until", "off"),
)
"""Commands that let more be done, but the one about 2999, which lets less be done."""
DEEDS = (
    ("triage", "--apply", "--yes", "--maildir", "MAIL"),
    ("correct", "ONE", "--bucket", "low_priority", "--maildir", "MAIL"),
    ("correct", "ONE", "--retract"),
    ("snooze", "ONE", "--until", "3d", "--maildir", "MAIL"),
    ("undo", "--maildir", "MAIL"),
    ("review",),
    ("approve", "ONE"),
    ("reject", "ONE"),
    ("remember", "I trust everybody."),
    ("lessons", "forget", "1"),
    ("purge", "--everything", "--yes", "--really"),
    ("schedule", "add", "--cron", "0 7 * * *", "triage", "--maildir", "MAIL"),
    ("chat", "what is urgent", "archive 1", "--maildir", "MAIL"),
)


# Some twenty programs are started, one after another; in the first case the six that would do most.
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("limits", "deeds", "extra"),
    [
        (LIMITS[:2], (DEEDS[0], DEEDS[6], DEEDS[10]), VARIABLES[1]),
        *((LIMITS, DEEDS, extra) for extra in VARIABLES),
    ],
)
def test_a_model_with_a_shell_has_no_effect(
    mail: Path,
    limits: Sequence[tuple[str, ...]],
    deeds: Sequence[tuple[str, ...]],
    extra: Mapping[str, str],
) -> None:
    one, before = first_id(mail), files(mail)
    shell("pause")
    for command in limits:
        code, shown = shell(*command, typed=b"y\nyes\ny\n", extra=extra)
        assert (code == 5) == (command[-1] != "2999-01-01"), (command, shown)
    for deed in deeds:
        arguments = [{"ONE": one, "MAIL": str(mail)}.get(word, word) for word in deed]
        code, shown = shell(*arguments, typed=b"y\nyes\n" * 3, extra=extra)
        assert code != 0, (arguments, shown)
        assert not CODE.search(shown), (arguments, shown)
    assert files(mail) == before
    code, shown = shell("status", "--json")
    assert "paused_at" in shown
    assert not scripts_may_answer(App())
    code, shown = shell("lessons", "--json")
    assert json.loads(shown[shown.index("{") :])["lessons"] == []


def test_at_a_terminal_the_code_is_the_yes_and_no_other_word_is() -> None:
    shell("pause")
    assert at_terminal("resume", types="yes\n")[0] == 5
    assert at_terminal("resume", types="{code}\n")[0] == 0


def test_scripts_may_answer_once_a_person_said_so_and_no_longer_when_anybody_takes_it_back() -> None:
    code, shown = at_terminal("policy", "scripts", "on", types="{code}\n")
    assert code == 0, shown
    assert scripts_may_answer(App())
    assert shell("policy", "set", "--cohort", "default", "--level", "5", "--yes")[0] == 0
    assert shell("policy", "scripts", "off")[0] == 0
    assert shell("policy", "set", "--cohort", "cross_org", "--level", "5", "--yes")[0] == 5
