"""Integrations: accounts and MCP servers as cards, their tools and health; hostile servers stay text."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest

from gaia_email.app.accounts.connect_files import connect_files
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.paths import servers_file
from gaia_email_registry.vault import open_vault
from tests.pages_web.pages import MARK, ME, Pages, PersonsPages, undo_of

SERVERS = Path(__file__).resolve().parents[1] / "servers"
STRANGER = f"{sys.executable} {SERVERS / 'stranger.py'}"
HOSTILE = f"{sys.executable} {SERVERS / 'hostile.py'}"
SECRET = "of-the-vault-and-nowhere-else"
SKY = {
    "/name": "sky",
    "/command": STRANGER,
    "/secrets/-": "1",
    "/secrets/0/~name": "SKY_KEY",
    "/secrets/0/~value": SECRET,
}


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PersonsPages:
    monkeypatch.setenv("GAIA_VAULT", "file")
    return PersonsPages(tmp_path)


@pytest.fixture
def person(pages: PersonsPages) -> Pages:
    asyncio.run(connect_files("maildir", pages.source.path, [ME], pages.app.environ))
    return pages.person(sample=False)


def in_no_file(pages: PersonsPages, secret: str) -> bool:
    return not [
        path for path in pages.app.home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]


def test_an_account_is_a_card_with_what_it_may_and_is_switched_off_and_on(
    pages: PersonsPages, person: Pages
) -> None:
    page = person.get("integrations")
    assert "Mail files" in page and pages.source.path in page and "in order" in page
    assert "What it may" in page and "read these files" in page
    form = next(one for one in page.split("<form ") if "Switch off<" in one)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    off = person.post("switch", fields)
    assert "Switched off · 1" in off and "Switch on" in person.get("integrations")
    path, back = undo_of(off)
    assert "Switched on · 1" in person.post(path, back)
    assert "Switched off · 1" in person.post("switch", {"on": "0"}), "all at once"


def test_health_tells_the_last_calls_with_their_times_and_what_failed(
    pages: PersonsPages, person: Pages
) -> None:
    (account,) = read_accounts(pages.app.environ)
    assert "sign the contract" in person.get("inbox")
    page = person.get(f"integration-health?of=account:{account.id}")
    assert "It answers." in page and "server_status" in page and "Restart and look again" in page
    assert "Only an account or an MCP server" in person.get("integration-health?of=slack:x", 422)
    Path(pages.source.path).rename(Path(pages.source.path).with_name("Elsewhere"))
    broken = person.get(f"integration-health?of=account:{account.id}")
    assert "does not answer" in broken and 'role="alert"' in broken


def test_the_copy_of_mail_is_deleted_after_its_numbers_were_shown(pages: PersonsPages, person: Pages) -> None:
    (account,) = read_accounts(pages.app.environ)
    assert "sign the contract" in person.get("inbox")
    asked = person.get(f"forgetting?what=mail&of=account:{account.id}")
    assert re.search(r"<b>5</b> copied messages", asked) and "No mailbox is touched" in asked
    assert "Deleted" in person.post("purge-mail", {"account": account.id})
    assert "There is nothing of it here." in person.get(f"forgetting?what=mail&of=account:{account.id}")
    assert "sign the contract" in person.get("inbox")


def test_an_account_is_disconnected_after_a_question(pages: PersonsPages, person: Pages) -> None:
    (account,) = read_accounts(pages.app.environ)
    assert "Its mail, and other accounts, stay." in person.get(f"forgetting?of=account:{account.id}")
    assert "Disconnected" in person.post("forget", {"of": f"account:{account.id}"})
    assert not read_accounts(pages.app.environ) and Path(pages.source.path).is_dir()


def test_a_server_is_added_by_form_its_tools_approved_as_shown_and_taken_out(
    pages: PersonsPages, person: Pages
) -> None:
    note = person.post("add-server", SKY)
    assert "Added" in note and undo_of(note) == ("forget", {"of": ["server:sky"]}) and SECRET not in note
    page = person.get("server-tools?name=sky")
    assert "weather" in page and "new" in page and "Approve in this form" in page
    assert in_no_file(pages, SECRET) and SECRET not in page
    assert "1 tool" not in person.get("integrations") and "Review its tools" in person.get("integrations")
    shown = re.search(r'name="tool" value="([^"]+)"', page)
    assert shown
    other = {"name": "sky", "tool": f"{'0' * 64} weather"}
    assert "changed meanwhile" in person.post("approve-tools", other), "only what was shown"
    assert "Approved" in person.post("approve-tools", {"name": "sky", "tool": shown[1]})
    assert "Every tool is as you approved it." in person.get("integrations")
    assert "approved" in person.get("server-tools?name=sky&look")
    health = person.get("integration-health?of=server:sky")
    assert "It is started when it is used" in health and "It answers." in health and "tools/list" in health
    off = person.post("switch", {"server": "sky", "on": "0"})
    assert "Switched off" in off and "it is not started" in person.get("integrations")
    assert "is switched off" in person.get("server-tools?name=sky&look")
    path, back = undo_of(off)
    assert "Switched on" in person.post(path, back)
    assert "Every tool is as you approved it." in person.get("integrations")
    assert "SKY_KEY" in person.get("rotating?name=sky&variable=SKY_KEY")
    person.post("rotate", {"name": "sky", "variable": "SKY_KEY", "value": "the-second-value"})
    assert open_vault(pages.app.environ).get("file:server/sky/SKY_KEY") == "the-second-value"
    assert "no secret" in person.post("rotate", {"name": "sky", "variable": "NO", "value": "x"}, 404)
    assert "Removed" in person.post("forget", {"of": "server:sky"})
    assert "sky" not in servers_file(pages.app.environ).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"/name": "sky"}, "one of the two"),
        ({"/name": "sky", "/command": "a 'b"}, "quotation mark"),
        ({"/name": "sky", "/command": "a", "/url": "https://b.example"}, "one of the two"),
        ({"/name": "sky", "/command": "a", "/token": SECRET}, "token goes with an address"),
        ({"/name": "sky", "/url": "ftp://b.example"}, "must begin with http"),
        ({"/name": "cursor", "/command": "a"}, "name of a client"),
        ({"/name": "no good", "/command": "a"}, "letters, digits"),
        ({"/name": "sky", "/command": f"a --api-key {SECRET}"}, "other programs see"),
        ({"/name": "", "/command": "a"}, "may not be empty"),
        (
            {
                "/name": "sky",
                "/command": "a",
                "/secrets/-": "1",
                "/secrets/0/~name": "KEY",
                "/secrets/0/~value": "",
            },
            "may not be empty",
        ),
    ],
)
def test_a_server_that_cannot_be_added_keeps_what_was_typed_but_secrets(
    pages: PersonsPages, person: Pages, fields: dict[str, str], told: str
) -> None:
    page = person.post("add-server", fields)
    assert told in page and 'class="wrong"' in page and f'value="{fields["/name"]}"' in page
    assert fields.get("/token", "…") not in page
    assert not servers_file(pages.app.environ).exists()


def test_a_tool_that_changed_shows_how_and_waits(pages: PersonsPages, person: Pages) -> None:
    person.post("add-server", {"/name": "post", "/command": f"{HOSTILE} changes 'Reads mail.'"})
    page = person.get("server-tools?name=post")
    tools = sorted(set(re.findall(r'name="tool" value="([^"]+ \w+)"', page)))
    assert tools
    person.post("approve-tools", {"name": "post", "tool": tools})
    assert "Approve in this form" not in person.get("server-tools?name=post")
    listed = servers_file(pages.app.environ)
    text = listed.read_text(encoding="utf-8").replace('"Reads mail."', json.dumps(f"Sends {MARK}"))
    listed.write_text(text, encoding="utf-8")
    page = person.get("server-tools?look&name=post")
    assert "description was" in page and "changed" in page and MARK not in page
    assert "Tools changed since you approved them" in person.get("integrations")
    assert "post tools" in person.get("waiting") or "of post changed" in person.get("waiting")


@pytest.mark.parametrize("fault", ["names", "twice", "huge", "crashes", "babbles", "lies"])
def test_what_a_hostile_server_says_stays_text(person: Pages, fault: str) -> None:
    fields = {"/name": "evil", "/command": f"{HOSTILE} {fault}"}
    added = person.client.post("/ui/add-server", data=fields)
    page = added.text + person.get(added.headers["x-gaia-go"])
    assert "\x1b" not in page and "<script" not in page and len(page) < 100_000
    assert "\x1b" not in person.get("integration-health?of=server:evil")
    if fault == "crashes":
        assert 'role="alert"' in page and "cannot start: no licence" in person.get(
            "integration-health?of=server:evil"
        )


def test_the_configuration_holds_no_secret(person: Pages) -> None:
    person.post("add-server", SKY)
    page = person.get("configuration")
    assert "SKY_KEY" in page and "stranger.py" in page
    assert SECRET not in page and "vault:" not in page
    document = person.client.get("/v1/email/configuration").json()
    assert document["mcpServers"]["sky"]["env"] == {"SKY_KEY": ""}


@pytest.mark.parametrize(
    "path",
    [
        *("/ui/integrations", "/ui/server-tools?name=a", "/ui/integration-health?of=server:a"),
        *("/ui/configuration", "/v1/email/integrations", "/v1/email/configuration"),
        *("/v1/email/servers/a/tools", "/v1/email/integrations/health?id=server:a"),
    ],
)
def test_the_api_token_sees_and_changes_nothing_of_it(pages: PersonsPages, path: str) -> None:
    client = pages.person(sample=False).client
    token = pages.app.home.joinpath("email", "agent-http-token").read_text().strip()
    client.headers.clear()
    headers = {"host": "127.0.0.1:8767", "authorization": f"Bearer {token}"}
    assert client.get(path, headers=headers).status_code == 403
    for name in ("switch", "add-server", "approve-tools", "forget", "purge-mail", "rotate"):
        assert client.post(f"/ui/{name}", headers=headers).status_code == 403
    for name in ("servers", "purge", "disconnect"):
        asked = (
            {"name": "a", "command": "a"}
            if name == "servers"
            else {"account": "a"}
            if name == "disconnect"
            else {}
        )
        assert client.post(f"/v1/email/{name}", headers=headers, json=asked).status_code == 403
