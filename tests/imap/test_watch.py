"""`gaia email watch --account` against a real server: prompt, gap-free, whatever happens to the server."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from gaia_email.interfaces.cli.app import gaia
from gaia_email.interfaces.cli.errors import run_guarded
from tests.contract.suite.seed import write_message
from tests.imap.program import connect_account, line, subject, watch_of
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy

Start = Callable[[int, str], "subprocess.Popen[str]"]

pytestmark = pytest.mark.timeout(120)  # whole programs are started; a busy machine takes its time


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a watch of that account on that port."""
    with ExitStack() as stack:
        yield lambda port, user: stack.enter_context(watch_of(port, user))


def test_mail_is_told_as_it_comes_and_a_restart_goes_on_with_what_came_meanwhile(
    dovecot: Dovecot, user: str, start: Start
) -> None:
    dovecot.fill(user, [(write_message(1), "")])
    with OtherClient(dovecot.port, user) as other:
        watch = start(dovecot.port, user)
        assert line(watch.stderr).startswith(f"Watching {user}@example.org (1 there now)")
        for number in (2, 3):
            other.append(write_message(number))
            assert subject(watch) == f"Message number {number}"
        other.append(write_message(4), "Archive")
        other.append(write_message(5))
        assert subject(watch) == "Message number 5"
        watch.send_signal(signal.SIGTERM)
        assert watch.wait() == 0
        assert line(watch.stdout) == line(watch.stderr) == ""
        other.append(write_message(6))

    dovecot.renumber(user)
    watch = start(dovecot.port, user)
    assert subject(watch) == "Message number 6"
    with OtherClient(
        dovecot.port, user
    ) as another:  # Dovecot sessions from before the renumbering are confused
        another.append(write_message(7))
    assert subject(watch) == "Message number 7"


def test_a_server_that_goes_and_comes_back_costs_a_line_and_no_message(
    own_dovecot: Dovecot, start: Start
) -> None:
    with Proxy(own_dovecot.port) as proxy:
        proxy.refuse()
        watch = start(proxy.port, "ann")
        assert "Trying again" in line(watch.stderr)
        proxy.refuse(False)
        assert [line(watch.stderr).split()[0] for _ in range(2)] == ["Watching", "The"]
        for number in range(1, 4):
            if number == 2:
                own_dovecot.kill()
                own_dovecot.start()
            else:
                proxy.cut_all()
            with OtherClient(own_dovecot.port, "ann") as other:
                other.append(write_message(number))
            assert subject(watch) == f"Message number {number}"
        watch.send_signal(signal.SIGTERM)
        assert watch.wait() == 0
        assert line(watch.stdout) == ""


def test_an_outage_is_said_when_it_begins_and_when_it_is_over(own_dovecot: Dovecot, start: Start) -> None:
    """A wait of minutes is under way when the server goes: it does not hide that."""
    with Proxy(own_dovecot.port) as proxy:
        watch = start(proxy.port, "ann")
        assert line(watch.stderr).startswith("Watching ")
        while "IDLE" not in proxy.commands:
            threading.Event().wait(0.01)
        proxy.refuse()
        proxy.cut_all()
        assert "Trying again" in line(watch.stderr)
        with OtherClient(own_dovecot.port, "ann") as other:
            other.append(write_message(1))
        proxy.refuse(False)
        assert line(watch.stderr).startswith("The mailbox answers again")
        assert subject(watch) == "Message number 1"


def test_a_refused_login_ends_it_with_a_sentence_and_the_code_for_that(
    proxy: Proxy, user: str, capsys: pytest.CaptureFixture[str]
) -> None:
    connect_account(proxy.port, user, password="wrong")
    arguments = ["email", "watch", "--account", user]
    assert run_guarded(lambda: gaia.main(arguments, prog_name="gaia", standalone_mode=False)) == 4
    assert f"does not accept the password of {user}" in capsys.readouterr().err
    assert proxy.accepted == 1
