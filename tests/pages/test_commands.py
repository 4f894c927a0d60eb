"""The commands of the pages a stranger begins with, typed word by word in a bare home: each does what the page says.

A command that is new on a page fails here until it stands in a table below: with what it shows, or with the reason why
it cannot be run on a machine without an account, a network and other people's programs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import click
import pytest

from tests.pages.bare_home import CODE, BareHome, Typed
from tests.pages.page import PAGES, ROOT, Page, ours, parses, without_comment
from tests.plugins.bundled import is_whole

pytestmark = pytest.mark.timeout(300)

YES, LEAVE = "y\n", "\x03"
ACCOUNT = "asks a mail server for a login; tests/imap and tests/gmail do it against a server of their own"
GOOGLE = "opens Google's login; tests/gmail does it on an emulated Google"
MICROSOFT = "opens Microsoft's login; tests/graph does it on an emulated one"
PIP = "needs a package registry; tests/install and these very tests do it with -m install"
CHECKOUT = "is run in a checkout; tests/install does what it does"
RUNNERS = "needs that program and a package registry; tests/install does what can be done without"
DOCKER = "needs a container engine and a registry"
NETWORK = "reaches a server on the network; tests/servers does it on this machine"
SERVED = "runs until it is stopped; test_serving.py starts it and asks it"

CONNECTED = Typed("next: gaia email inbox", [("yours", "\n")])
WATCHING = Typed("Watching", [("as they arrive", LEAVE)], code=130)
WORKING = Typed("working", [("Ctrl-C ends it", LEAVE)], code=130)
DESKTOP = Typed("next: restart Claude Desktop", [("Add it", YES)])

README: Mapping[str, Typed | str] = {
    "make demo": "installs from a package registry first; test_the_first_minute types what it runs then",
    "make test": "runs this test",
    "gaia email connect --maildir ~/Mail": CONNECTED,
    "gaia email inbox": Typed(r"handled 167 · unsure about \d+ · could not read 0"),
    "gaia email": Typed("Client portal is down", [("Client portal", "q")]),
    "gaia email why 1": Typed("asks you .*portal.*\\?|decided by rules"),
    "gaia email show 2": Typed("locked out!!"),
    'gaia email search "invoice newer_than:1y"': Typed("Invoice 40117"),
    "gaia email chat": Typed("Goodbye", [("› ", "quit\n")]),
    "gaia email draft 1": Typed("Hi Papierhaus,"),
    "gaia email brief": Typed("(?i)(morning|evening) brief"),
    "gaia email serve --open": SERVED,
    "gaia email automations add FILE": "takes a definition; tests/plugins/automations/test_command.py saves one",
    "gaia email triage": Typed("would do, with undo: archive it"),
    "gaia email triage --apply": Typed(r"35 archived · 27 labelled", [CODE]),
    "gaia email review": Typed("0 answered", [CODE, ("quit", "q")]),
    "gaia email undo": Typed("taken back: 35 archived · 27 labelled"),
    "gaia email policy set --cohort newsletters --level 3": Typed("Saved."),
    'gaia email schedule add --cron "0 7 * * *" --zone Europe/Berlin triage': Typed(
        "gaia email worker runs it"
    ),
    "gaia email worker": WORKING,
    "gaia email stop": Typed("gaia email resume ends that"),
    "gaia email resume": Typed("Nothing is paused, stopped or in travel mode", [CODE]),
    "gaia email connect": ACCOUNT,
    "gaia email watch": WATCHING,
    "gaia email answer ID --template NAME": Typed("gaia email policy templates lists them", code=1),
    "gaia email classify ~/Mail takeout.mbox one.eml": Typed("urgent\tClient portal"),
    "pip install .": PIP,
    "pipx install .": PIP,
    "gaia email demo": Typed("gaia email connect --maildir"),
    "gaia email demo --write ~/demo-mail": Typed("wrote 190 messages"),
    "gaia email schema inbox": Typed('"title": "gaia email inbox"'),
    "gaia email completion bash": Typed("_gaia_completion"),
    "gaia email eval": "scores the labelled messages of a checkout; tests/plugins/evals/test_command.py does it",
    "gaia email servers install claude-desktop": DESKTOP,
    "gaia email servers install claude-desktop --agent": Typed("gaia-email-mcp", [("Add it", YES)]),
    "claude mcp add mail -- gaia-local-mcp --maildir ~/Mail --read-only": SERVED,
    "gaia-imap-mcp --account you@posteo.de": ACCOUNT,
}

ACCOUNTS: Mapping[str, Typed | str] = {
    "gaia email serve --open": SERVED,
    "gaia email discover": Typed("no account was found"),
    "gaia email discover --verbose": Typed("no account was found"),
    "gaia email connect": ACCOUNT,
    "gaia email demo --write ~/demo-mail": Typed("wrote 190 messages"),
    "gaia email connect --maildir ~/demo-mail": CONNECTED,
    "gaia email triage": Typed("would do, with undo: archive it"),
    "gaia email triage --apply": Typed(r"35 archived · 27 labelled", [CODE]),
    "gaia email undo": Typed("taken back: 35 archived · 27 labelled"),
    "gaia email disable --account you@posteo.de": "needs that account; tests/imap/test_switched_off.py has four",
    "gaia email enable --account you@posteo.de": "needs that account; tests/imap/test_switched_off.py has four",
    "gaia email egress": Typed("No connection was opened"),
    "gaia email accounts": Typed("maildir:"),
    "gaia email disconnect ACCOUNT": Typed("No account 'ACCOUNT' is connected", code=4),
    "gaia email accounts --alias ADDRESS": Typed("give one like you@example.com", code=2),
    "gaia email accounts --new-key": Typed("no password is kept in a file here"),
    "gaia email connect --provider gmail": GOOGLE,
    "gaia email doctor": Typed("nothing to mend"),
}

CLIENTS: Mapping[str, Typed | str] = {
    "claude mcp add mail -- gaia-local-mcp --maildir ~/Mail --read-only": SERVED,
    "claude mcp add mail --transport http http://127.0.0.1:8765/mcp --header "
    '"Authorization: Bearer $(cat ~/.gaia/http-token)"': SERVED,
    "gaia email servers add post -- some-mail-server --config /home/you/post.toml": Typed("a mailbox"),
    "gaia email servers add far --url https://mail.example.net/mcp --token": NETWORK,
    "gaia email servers import claude-desktop": Typed("notes", [("Take them over", YES)]),
    "gaia email inbox --server post": Typed("handled 167"),
    # The server is one of ours here, which asks by itself before more than 25 messages are changed at once.
    "gaia email triage --server post --apply": Typed("27 labelled", [CODE], code=3),
    "which gaia-local-mcp": Typed("/programs/gaia-local-mcp"),
    "gaia-local-mcp --maildir ~/Mail --http 127.0.0.1:8765": SERVED,
    "gaia email servers install claude-desktop": DESKTOP,
    "gaia email servers remove claude-desktop": Typed("removed mail from Claude Desktop"),
    "gaia email connect": ACCOUNT,
    "python -m tools.bundles": CHECKOUT,
    "docker build -f packaging/Dockerfile -t gaia-email .": DOCKER,
    "docker run -i --rm -v gaia-home:/home/mail-reader/.gaia gaia-email gaia-imap-mcp": DOCKER,
    "uvx --from . gaia email demo": RUNNERS,
    "pip install './servers[all]'": RUNNERS,
    "pipx run --spec . gaia email demo": RUNNERS,
    "brew install --HEAD ./packaging/homebrew/gaia-email.rb": RUNNERS,
    "nix-build packaging/nix": RUNNERS,
    "gaia email demo --write ~/demo-mail": Typed("wrote 190 messages"),
    "gaia email watch": WATCHING,
    "gaia email worker": WORKING,
    "gaia email review": Typed("answered", [CODE, ("quit", "q")]),
    "gaia email connect --provider gmail": GOOGLE,
    "gaia-gmail-mcp auth": GOOGLE,
    "gaia email triage --account you@gmail.com": ACCOUNT,
    "gaia email accounts": Typed("maildir:"),
    "gaia email disconnect you@gmail.com": Typed("No account 'you@gmail.com' is connected", code=4),
    "gaia-gmail-mcp auth http://localhost:3000/oauth2callback": GOOGLE,
    "gaia-gmail-mcp auth --account work": GOOGLE,
    "gaia-graph-mcp auth --graph-scopes mail,send,calendar,settings": MICROSOFT,
}

CHAT: Mapping[str, Typed | str] = {
    "gaia email chat --demo": Typed("Goodbye", [("› ", "quit\n")]),
    "gaia email chat": Typed("Goodbye", [("› ", "quit\n")]),
    "gaia email actions": Typed("Nothing was done yet"),
    'gaia email chat "what is urgent" "why 1"': Typed("(?s)threads are urgent.*is urgent: Priya asks"),
    "gaia email draft ID": Typed("lists the ids", code=1),
    'gaia email remember "…"': Typed("…"),
    "gaia email chat --resume": Typed("Your last line was: why 1", [("› ", "quit\n")]),
}

TABLES: Mapping[str, Mapping[str, Typed | str]] = {
    "README.md": README,
    "docs/accounts.md": ACCOUNTS,
    "docs/clients.md": CLIENTS,
    "docs/chat.md": CHAT,
}


def typed_on(page: Page) -> list[str]:
    """What is to be typed, once each: the blocks from top to bottom, then the commands within sentences."""
    return list(dict.fromkeys([*page.lines, *page.named]))


def key_of(line: str) -> str:
    """A line as the tables have it: without its comment and without what other programs do with its output."""
    return without_comment(line).partition(" | ")[0]


def is_a_name(line: str, page: Page) -> bool:
    """Whether a sentence only names a command, without what it is to do."""
    return line not in page.lines and re.fullmatch(r"gaia email [a-z-]+", line) is not None


@pytest.mark.parametrize("path", TABLES)
def test_every_command_of_a_page_is_run_or_its_reason_stands_here(path: str) -> None:
    page, table = Page(path), TABLES[path]
    found = {key_of(line) for line in typed_on(page) if key_of(line) in table or not is_a_name(line, page)}
    assert found == set(table), "say in tests/pages/test_commands.py what it shows, or why it cannot be run"


def walk(home: BareHome, path: str) -> None:
    for line in typed_on(Page(path)):
        expected = TABLES[path].get(key_of(line), "only named")
        if isinstance(expected, Typed):
            home.types(line, expected)


def program(home: BareHome, name: str, *lines: str) -> None:
    """A program of somebody else's on the PATH."""
    path = home.programs / name
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)


def test_the_first_minute(bare_home: BareHome) -> None:
    recipe = re.search(
        r"^demo:.*\n\t@\$\(BIN\)/(.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert recipe is not None
    bare_home.types(recipe[1], Typed(r"could not read 0\s+next  gaia email why 1"))
    steps = Page("README.md").next_steps
    assert steps[-1] == "gaia email connect --maildir ~/Mail"
    for step in steps[:-1]:
        bare_home.types(step, Typed("Client portal is down"))
    bare_home.types("gaia email demo --write ~/Mail", Typed("wrote 190 messages"))
    bare_home.types(steps[-1], CONNECTED)
    bare_home.types("gaia email triage", Typed("would do, with undo: archive it"))


def test_the_readme(home_with_mail: BareHome) -> None:
    walk(home_with_mail, "README.md")
    nothing_left_this_machine(home_with_mail)


def test_the_page_on_accounts(bare_home: BareHome) -> None:
    walk(bare_home, "docs/accounts.md")
    nothing_left_this_machine(bare_home)


def test_the_page_on_clients(home_with_mail: BareHome) -> None:
    home = home_with_mail
    program(home, "some-mail-server", "exec gaia-local-mcp --maildir ~/Mail")
    desktop = home.home / ".config/Claude/claude_desktop_config.json"
    desktop.parent.mkdir(parents=True)
    desktop.write_text('{"mcpServers": {"notes": {"command": "some-mail-server"}}}\n', encoding="utf-8")
    home.types("gaia email connect --maildir ~/Mail", CONNECTED)
    walk(home, "docs/clients.md")
    assert '"notes"' in desktop.read_text(encoding="utf-8")
    nothing_left_this_machine(home)


def test_the_page_on_chat(home_with_mail: BareHome) -> None:
    home_with_mail.types("gaia email connect --maildir ~/Mail", CONNECTED)
    walk(home_with_mail, "docs/chat.md")
    nothing_left_this_machine(home_with_mail)


def test_the_conversation_of_the_page_on_chat_is_answered_line_by_line(bare_home: BareHome) -> None:
    page = Page("docs/chat.md")
    answers: Sequence[tuple[str, str]] = [
        ("what is urgent", r"threads are urgent"),
        ("show the second one", r"Sam Rivera · locked out!!"),
        ("why is it urgent", r"is urgent: Sam asks"),
        ("did sam answer", r"Yes, sam wrote after your last mail"),
        ("draft a reply to it saying On my way.", r"Hi Sam,\s+│\s+│ On my way\."),
        ("archive it", r"Archived: Sam Rivera · locked out!!"),
        ("undo", r"Taken back: 1 of 1 action"),
    ]
    assert page.said == [said for said, _ in answers]
    shown = bare_home.types(
        page.lines[0], Typed("Goodbye", [("› ", f"{said}\n") for said in [*page.said, "quit"]])
    )
    parts = re.split(r"^› ", shown, flags=re.MULTILINE)[1:]
    for (said, answer), part in zip(answers, parts, strict=False):
        assert part.startswith(said)
        assert re.search(answer, part), part


@pytest.mark.skipif(not is_whole(), reason="pages name commands of every bundled plug-in")
@pytest.mark.parametrize("path", PAGES)
def test_every_command_that_a_page_names_is_one_that_the_program_knows(path: str) -> None:
    page = Page(path)
    for line in [*page.lines, *page.named]:
        try:
            parses(ours(line.replace("[", "").replace("]", "").replace("…", "x")))
        except click.UsageError as error:
            raise AssertionError(f"{path}: {line}: {error.format_message()}") from error


def nothing_left_this_machine(home: BareHome) -> None:
    home.types("gaia email egress", Typed("No connection was opened"))
