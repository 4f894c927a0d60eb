"""The first day: accounts found and typed, connected on a real Dovecot and an emulated Google, and the first lesson."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.vault import open_vault
from tests.contract.suite.seed import write_message
from tests.gmail.conftest import google_fixture as google_fixture
from tests.gmail.conftest import home_fixture as home_fixture
from tests.gmail.program import Google, agree
from tests.graph.emulator.emulator import Emulator
from tests.graph.emulator.identity import CLIENT, Identity
from tests.graph.test_connect import emulator_fixture as emulator_fixture
from tests.graph.test_connect import identity_fixture as identity_fixture
from tests.imap.conftest import dovecot as dovecot
from tests.imap.conftest import dovecot_with as dovecot_with
from tests.imap.conftest import other as other
from tests.imap.conftest import servers_of_shapes as servers_of_shapes
from tests.imap.conftest import user as user
from tests.pages_web.pages import MARK, Mail, Pages, PersonsPages
from tests.registry.homes import thunderbird
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PersonsPages:
    monkeypatch.setenv("GAIA_VAULT", "file")
    return PersonsPages(tmp_path)


def waited(person: Pages, shown: str) -> str:
    """The page of an attempt once it is over; it is asked for as the page asks for itself."""
    found = re.search(r'hx-get="ui/(connecting\?[^"]+)"', shown)
    pause = threading.Event()
    for _ in range(600):
        if not found:
            return shown
        pause.wait(0.05)
        shown = person.get(found[1].replace("&amp;", "&"))
        found = re.search(r'hx-get="ui/(connecting\?[^"]+)"', shown)
    raise AssertionError(shown)


def test_without_an_account_the_page_opens_on_the_first_day_with_what_this_machine_knows(
    pages: PersonsPages, home_of_its_own: Path
) -> None:
    thunderbird("mira@posteo.de", "ann@gmail.com")(home_of_its_own)
    person = pages.person(sample=False)
    page = person.get("inbox")
    assert "Which mailbox is yours?" in page and "mira@posteo.de" in page and "ann@gmail.com" in page
    assert "Thunderbird knows it · very likely" in page and "How we detected this" in page
    assert "Your mail is read" in page and 'type="email"' in page
    assert "Something is wrong" not in person.get("frame")


def test_later_is_a_note_that_goes_once_an_account_is_connected_or_it_was_seen(pages: PersonsPages) -> None:
    person = pages.person(sample=False)
    assert "reminds you" in person.post("connect-later", {})
    assert "No mailbox is connected yet" in person.get("waiting")
    of = re.search(r'name="of" value="([^"]+)"', person.get("waiting"))
    assert of
    person.post("approve", {"of": of[1]})
    assert "No mailbox is connected yet" not in person.get("waiting")
    person.post("connect-later", {})
    assert "No mailbox is connected yet" not in person.get("waiting"), (
        "who dismissed it is not reminded again"
    )


def test_a_hostile_name_of_a_found_account_is_text(pages: PersonsPages, home_of_its_own: Path) -> None:
    thunderbird(f"{MARK.replace(' ', '')}@evil.example")(home_of_its_own)
    person = pages.person(sample=False)
    page = person.get("connect")
    assert "<script>window" not in page and "<img" not in page
    assert "<script>window" not in person.get("connect?email=%3Cscript%3Ewindow@posteo.de")


def test_what_it_takes_is_one_line_and_what_it_allows_is_in_words(pages: PersonsPages) -> None:
    person = pages.person(sample=False)
    page = person.get("connect?email=ann@posteo.de")
    assert "This mailbox is at Posteo" in page and "Nothing else is needed." in page
    assert "read, move, label, draft and delete mail, by your password over IMAP" in page
    assert 'type="password"' in page
    google = person.get("connect?email=ann@gmail.com")
    assert "One thing is missing" in google and "read, label, move to Trash and draft mail" in google
    assert 'hx-post="ui/sign-in"' not in google and "imap=1" in google
    by_password = person.get("connect?email=ann@gmail.com&imap=1")
    assert "app password" in by_password and 'type="password"' in by_password
    microsoft = person.get("connect?email=ann@outlook.com")
    assert "GAIA_GRAPH_CLIENT_ID" in microsoft and "send mail in your name" in microsoft
    assert "is not an address" in person.get("connect?email=nobody", 422)


def imap_fields(dovecot: Dovecot, user: str) -> dict[str, str]:
    return {
        "email": f"{user}@example.org",
        "imap_host": "127.0.0.1",
        "imap_port": str(dovecot.port),
        "imap_security": "none",
        "imap_user": user,
    }


def test_an_imap_account_is_connected_read_and_taught_and_its_password_is_in_the_vault_alone(
    pages: PersonsPages, dovecot: Dovecot, user: str, other: OtherClient, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        other.append(write_message(number, subject=f"Can you call me at {number}?"))
    person = pages.person(sample=False)
    person.post("connect-later", {})
    fields = imap_fields(dovecot, user)
    done = waited(person, person.post("connect", {**fields, "password": PASSWORD}))
    assert "3 messages read" in done and "Three things to try" in done and "gaia email inbox" in done
    assert "Can you call me at 1?" in person.get("inbox")
    assert "No mailbox is connected yet" not in person.get("waiting")
    (account,) = read_accounts(pages.app.environ)
    assert open_vault(pages.app.environ).get(account.secret.removeprefix("vault:")) == PASSWORD
    kept = b"".join(path.read_bytes() for path in pages.app.home.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in kept and PASSWORD not in done + caplog.text
    assert "Connect another mailbox" in person.get("connect") and account.address not in person.get("connect")


def test_a_wrong_password_and_a_closed_port_say_what_to_do_and_keep_nothing(
    pages: PersonsPages, dovecot: Dovecot, user: str
) -> None:
    person = pages.person(sample=False)
    fields = imap_fields(dovecot, user)
    wrong = person.post("connect", {**fields, "password": "hunter2-of-tests"})
    assert "does not accept the password" in wrong and "Type the password again" in wrong
    assert "hunter2-of-tests" not in wrong and f'value="{dovecot.port}"' in wrong, "all else stays typed"
    closed = person.post("connect", {**fields, "imap_port": "1", "password": "hunter2-of-tests"})
    assert (
        "refuses connections" in closed and "Look at the servers below" in closed and "hunter2" not in closed
    )
    both = {**fields, "password": "a", "password_command": "echo b"}
    assert "not both" in person.post("connect", both)
    assert "The password is missing" in person.post("connect", fields)
    assert "a port is a number" in person.post("connect", {**fields, "imap_port": "x", "password": "a"}, 422)
    assert not read_accounts(pages.app.environ)


def test_a_command_that_prints_the_password_is_kept_in_its_stead(
    pages: PersonsPages, dovecot: Dovecot, user: str
) -> None:
    person = pages.person(sample=False)
    fields = imap_fields(dovecot, user) | {"password_command": f"echo {PASSWORD}"}
    assert "Done" in waited(person, person.post("connect", fields))
    (account,) = read_accounts(pages.app.environ)
    assert account.secret == f"command:echo {PASSWORD}"


def page_of_google(shown: str) -> str:
    found = re.search(r'href="(http[^"]+)" target="_blank"', shown)
    assert found, shown
    return found[1].replace("&amp;", "&")


def test_gmail_is_connected_on_googles_own_page(
    pages: PersonsPages, google: Google, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    google.do(google.emulator.deliver(write_message(1, subject="Can you call me today?")))
    person = PersonsPages(pages.home).person(sample=False)
    plan = person.get("connect?email=me@gmail.com")
    assert "I agree: log in at Google" in plan and "Nothing else is needed." in plan
    shown = person.post("sign-in", {"provider": "gmail", "email": "me@example.org"})
    agree(page_of_google(shown))
    done = waited(person, shown)
    assert "1 message read" in done
    assert "Can you call me today?" in person.get("inbox")
    secrets = [*google.emulator.oauth.access, google.emulator.oauth.refresh_token]
    assert not [one for one in secrets if one in done + shown + caplog.text]


def test_a_login_of_another_account_or_one_that_was_declined_says_so_and_leads_on(
    pages: PersonsPages, google: Google, home: Path
) -> None:
    person = PersonsPages(pages.home).person(sample=False)
    shown = person.post("sign-in", {"provider": "gmail", "email": "you@example.org"})
    agree(page_of_google(shown))
    failed = waited(person, shown)
    assert "Google logged in me@example.org, not you@example.org" in failed and "Try again" in failed
    begun = person.post("sign-in", {"provider": "gmail"})
    id_ = re.search(r'name="id" value="(\w+)"', begun)
    assert id_
    assert "Nothing was connected" in person.post("cancel-connecting", {"id": id_[1], "provider": "gmail"})
    assert "not being made any more" in person.get("connecting?id=00", 404)
    assert not read_accounts(pages.app.environ)


def test_who_declines_on_googles_page_is_told_and_led_on(
    pages: PersonsPages, google: Google, home: Path
) -> None:
    person = PersonsPages(pages.home).person(sample=False)
    shown = person.post("sign-in", {"provider": "gmail", "email": "me@example.org"})
    asked = parse_qs(urlsplit(page_of_google(shown)).query)
    agree(f"{asked['redirect_uri'][0]}?error=access_denied&state={asked['state'][0]}")
    failed = waited(person, shown)
    assert "Google did not allow it" in failed and "Try again" in failed and 'role="alert"' in failed
    assert not read_accounts(pages.app.environ)


def test_outlook_is_connected_with_a_code_on_another_device(
    pages: PersonsPages, emulator: Emulator, identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_GRAPH_CLIENT_ID", CLIENT)
    monkeypatch.setenv("GAIA_GRAPH_API_ROOT", emulator.root)
    emulator.account.put(write_message(1, subject="Keys for the shed"))
    person = PersonsPages(pages.home).person(sample=False)
    assert "I agree: log in at Microsoft" in person.get("connect?email=me@outlook.com")
    shown = person.post("sign-in", {"provider": "outlook", "device_code": "1"})
    assert "enter the code ABCD1234" in shown
    assert "1 message read" in waited(person, shown)
    card = person.get("integrations")
    assert "Outlook" in card and "send mail in your name" in card
    assert not [secret for secret in identity.secrets if secret in shown + card]


def test_a_lesson_asks_one_question_after_the_other_and_keeps_each_answer_at_once(
    pages: PersonsPages,
) -> None:
    person = pages.person()
    page = person.get("teach")
    total = re.search(r"1 of (\d)", page)
    assert total and MARK not in page
    answered = 0
    while 'hx-post="ui/teach"' in page:
        fields: dict[str, list[str]] = {}
        for name, value in re.findall(
            r'type="hidden" name="(\w+)" value="([^"]*)"', page.split("</form>")[0]
        ):
            fields.setdefault(name, []).append(value)
        page = person.post("teach", {**fields, **({} if answered else {"bucket": "low_priority"})})
        answered += 1
        assert len(person.client.get("/v1/email/lessons").json()["lessons"]) == 1
    assert f"1 answered · {int(total[1]) - 1} skipped" in page
    assert "held back" not in page, "every fifth answer is"
    assert "bucket" in person.post("teach", {"of": person.thread("Thanks"), "bucket": "nowhere"}, 422)


def test_a_lesson_says_how_far_it_was_understood_by_an_answer_that_was_held_back(tmp_path: Path) -> None:
    mails = [
        Mail(sender=f"P{n} <p{n}@kestrel.example>", subject=f"Notes {n}", text=f"Here are notes {n}.")
        for n in range(6)
    ]
    person = PersonsPages(tmp_path, mails).person()
    page = person.get("teach")
    while 'hx-post="ui/teach"' in page:
        fields: dict[str, list[str]] = {}
        for name, value in re.findall(
            r'type="hidden" name="(\w+)" value="([^"]*)"', page.split("</form>")[0]
        ):
            fields.setdefault(name, []).append(value)
        page = person.post("teach", {**fields, "bucket": "low_priority"})
    assert "6 answered · 0 skipped" in page
    assert "One answer was held back to measure by: 0 was right before the lesson, 1 is now." in page
    assert "as a page names it" in person.post("teach", {"of": "a/b", "answer": "what"}, 422)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        *(("GET", name) for name in ("connect", "connecting", "teach")),
        *(("POST", name) for name in ("connect", "sign-in", "cancel-connecting", "connect-later", "teach")),
    ],
)
def test_the_api_token_connects_nothing(pages: PersonsPages, method: str, name: str) -> None:
    client = pages.person(sample=False).client
    token = pages.app.home.joinpath("email", "agent-http-token").read_text().strip()
    client.headers.clear()
    headers = {"host": "127.0.0.1:8767", "authorization": f"Bearer {token}"}
    assert client.request(method, f"/ui/{name}", headers=headers).status_code == 403


def test_a_limit_holds_for_whatever_the_agent_does_and_is_lifted_again(
    pages: PersonsPages, dovecot: Dovecot, user: str, other: OtherClient
) -> None:
    other.append(write_message(1, subject="Can you call me today?"))
    person = pages.person(sample=False)
    waited(person, person.post("connect", {**imap_fields(dovecot, user), "password": PASSWORD}))
    (account,) = read_accounts(pages.app.environ)
    limited = person.post("limit", {"account": account.id, "limit": "read_only", "on": "1"})
    assert "Limited" in limited and "only read" in person.get("integrations")
    refused = person.post("archive", {"of": person.thread("call me today")}, 422)
    assert "can only be read here" in refused and "lift" in refused
    waited(person, person.post("connect", {**imap_fields(dovecot, user), "password": PASSWORD}))
    assert "only read" in person.get("integrations"), "logging in anew lifts nothing"
    person.post("limit", {"account": account.id, "limit": "read_only", "on": "0"})
    assert "Archived · 1" in person.post("archive", {"of": person.thread("call me today")})
    assert "no_such" in person.post("limit", {"account": account.id, "limit": "no_such", "on": "1"}, 422)
