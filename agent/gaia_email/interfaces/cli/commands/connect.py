"""`gaia email connect`: adds an account after testing its login."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import addresses, pass_app
from gaia_email_registry.providers import PROVIDERS
from gaia_email_registry.settings import setting
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.accounts.connect import ConnectedAccount
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.interfaces.cli.found_here import FoundHere
    from gaia_email_registry.accounts import Account

SECURITIES = ("tls", "starttls", "none")


@click.command(name="connect")
@click.option("--maildir", metavar="DIR", help="A Maildir on this machine, with its folders.")
@click.option("--mbox", metavar="FILE", help="An mbox file, such as Google Takeout's.")
@click.option("--eml", metavar="DIR", help="A folder of .eml files.")
@click.option(
    "--user",
    metavar="ADDRESS",
    multiple=True,
    callback=addresses,
    help="Address of the files' owner; repeatable.",
)
@click.option(
    "--email",
    "address",
    metavar="ADDRESS",
    help="The address of the account. Default: the one that this machine's mail programs name.",
)
@click.option(
    "--provider",
    type=click.Choice(tuple(PROVIDERS)),
    metavar="NAME",
    help="Provider of the mailbox, if the address does not tell. gmail logs in at Google, outlook and "
    f"microsoft365 at Microsoft, over their own APIs; the others are IMAP: {', '.join(PROVIDERS)}.",
)
@click.option("--imap", is_flag=True, help="Gmail over IMAP, with an app password.")
@click.option(
    "--scopes",
    metavar="A,B",
    help="Permissions of Google's login: readonly, modify, settings, full, calendar-readonly, calendar, push; default: "
    "modify,settings. What Microsoft's may: mail, send, calendar, settings; default: mail,send.",
)
@click.option("--oauth-path", metavar="FILE", help="The OAuth client file of Google's console.")
@click.option(
    "--callback-url", metavar="URL", help="URL on this machine to which Google sends the browser back."
)
@click.option(
    "--stored-login",
    is_flag=True,
    help="Take Gmail's login out of ~/.gmail-mcp/credentials.json, where other servers keep it unencrypted.",
)
@click.option("--no-browser", is_flag=True, help="Only show the address of Google's page.")
@click.option("--device-code", is_flag=True, help="Log in at Microsoft on another device, with a code.")
@click.option("--shared", metavar="ADDRESS", help="A mailbox that is shared with your Microsoft 365 account.")
@click.option("--imap-host", metavar="HOST", help="The IMAP server of any other provider.")
@click.option(
    "--imap-port", metavar="N", type=click.IntRange(1, 65_535), help="Default: 993; 143 without tls."
)
@click.option("--imap-security", type=click.Choice(SECURITIES), help="Default: tls.")
@click.option("--imap-user", metavar="NAME", help="Name for the login, if it is not the address.")
@click.option(
    "--imap-auth",
    type=click.Choice(("password", "xoauth2", "oauthbearer")),
    help="Kind of the secret: a password (default), or an OAuth access token.",
)
@click.option("--imap-certificates", metavar="FILE", help="Certificate authorities to trust, as PEM.")
@click.option("--smtp-host", metavar="HOST", help="The server to send by; without one nothing can be sent.")
@click.option(
    "--smtp-port", metavar="N", type=click.IntRange(1, 65_535), help="Default: 465; 587 with starttls."
)
@click.option("--smtp-security", type=click.Choice(SECURITIES), help="Default: tls.")
@click.option(
    "--password-command",
    metavar="COMMAND",
    help="Prints the password or token in its first line, at every login; then nothing is kept here.",
)
@click.option(
    "--password-file",
    metavar="FILE",
    help="Holds the password in its first line; chmod 600. Read at every login.",
)
@click.option(
    "--no-lookup",
    is_flag=True,
    help="Do not ask the address's domain where its mail is, where that is not known.",
)
@pass_app
def command(
    app: App,
    /,
    maildir: str | None,
    mbox: str | None,
    eml: str | None,
    user: tuple[str, ...],
    address: str | None,
    provider: str | None,
    password_command: str | None,
    password_file: str | None,
    imap: bool,
    scopes: str | None,
    oauth_path: str | None,
    callback_url: str | None,
    stored_login: bool,
    no_browser: bool,
    device_code: bool,
    shared: str | None,
    no_lookup: bool,
    **servers: str | int | None,
) -> None:
    """Connect a mailbox; from then on commands use it without being told.

    An account on a server: the login is tried, then the secret is kept in the keyring or an encrypted file.
    Mail files on this machine (--maildir, --mbox, --eml): they are looked at, and stay where they are.

    A password is asked for without being shown; in a pipe it is the first line of standard input. Gmail's login is
    Google's own page, that of Outlook and Microsoft 365 is Microsoft's.
    """
    files = [(kind, path) for kind, path in (("maildir", maildir), ("mbox", mbox), ("eml", eml)) if path]
    if files:
        if len(files) > 1 or address or provider:
            raise click.UsageError("Connect one mailbox at a time.")
        _connect_files(app, *files[0], user)
        return
    if user:
        raise click.UsageError("--user goes with --maildir, --mbox or --eml.")
    if password_command and password_file:
        raise click.UsageError("Name one of --password-command and --password-file, not both.")
    over_imap = imap or password_command or password_file or any(servers.values())
    given = {
        "email": address,
        "scopes": scopes,
        "oauth_path": os.path.abspath(os.path.expanduser(oauth_path)) if oauth_path else None,
        "callback_url": callback_url,
        "shared": shared,
        **_switches(stored_login=stored_login, no_browser=no_browser, device_code=device_code),
    }
    if _connect_over_the_web(app, "" if over_imap else provider or "", given):
        return
    address = address or _address(app)
    found = _defaults(app, address, provider, servers, ask_domain=not no_lookup)
    provider = provider or found.provider
    if provider == "microsoft365" and not over_imap:
        _connect_over_the_web(app, provider, {**given, "email": address})
        return
    settings = {**_unless_named(found.settings, servers), **_named(servers)}
    secret = PasswordSource(password_command, password_file)
    _connect_imap(app, address, provider, secret, settings, found.aliases)


def _switches(**given: bool) -> dict[str, str | None]:
    return {name: "true" if on else None for name, on in given.items()}


def _defaults(
    app: App, address: str, provider: str | None, servers: Mapping[str, str | int | None], *, ask_domain: bool
) -> FoundHere:
    """Return settings not given by flags, from this machine's mail programs or else from the address's domain."""
    from gaia_email.interfaces.cli.found_here import found_here

    named = bool(provider or servers.get("imap_host"))
    found = found_here(app, address, named=named)
    if named or found.provider or found.settings or not ask_domain:
        return found
    told, settings = _looked_up(address)
    return replace(found, provider=told, settings=settings)


def _unless_named(found: Mapping[str, str], servers: Mapping[str, str | int | None]) -> dict[str, str]:
    """Return the found settings without servers that a flag names, and without ports of a different encryption."""
    left = dict(found)
    for kind in ("imap", "smtp"):
        if servers.get(f"{kind}_host"):
            left = {name: value for name, value in left.items() if name == "imap_user" or kind not in name}
        elif servers.get(f"{kind}_security"):
            left.pop(f"{kind}_port", None)
    return left


def _looked_up(address: str) -> tuple[str | None, dict[str, str]]:
    """Return the provider and servers named by the address's domain; a known domain is not looked up."""
    from gaia_email_registry.providers import provider_of

    if "@" not in address or provider_of(address) is not None:
        return None, {}
    from gaia_email.interfaces.cli.looking_up import looked_up

    found = looked_up(address)
    if found is None:
        return None, {}
    return found.provider.id if found.provider else None, found.settings()


def _named(servers: Mapping[str, str | int | None]) -> dict[str, str]:
    """Return the server flags as settings of an account."""
    return {setting(f"GAIA_{name.upper()}").dest: str(value) for name, value in servers.items() if value}


_GOOGLES = ("oauth_path", "callback_url", "stored_login", "no_browser")
_MICROSOFTS = ("device_code", "shared")


def _connect_over_the_web(app: App, provider: str, flags: Mapping[str, str | None]) -> bool:
    """Log in on the provider's own page; return False if the provider does not have one.

    Raises:
        UsageError: A flag belongs to another provider.
    """
    given = {name: value for name, value in flags.items() if value}
    google, microsoft = provider == "gmail", provider in ("outlook", "microsoft365")
    for fits, names, whose in (
        (google, _GOOGLES, "gmail"),
        (microsoft, _MICROSOFTS, "outlook or microsoft365"),
        (google or microsoft, ("scopes",), "gmail, outlook or microsoft365"),
    ):
        if not fits and any(name in given for name in names):
            told = " and ".join(f"--{name.replace('_', '-')}" for name in names)
            raise click.UsageError(f"{told} go{'es' * (len(names) == 1)} with --provider {whose}.")
    if google:
        _connect_google(app, given)
    elif microsoft:
        scopes = {"graph_scopes": given.pop("scopes")} if "scopes" in given else {}
        _connect_microsoft(app, {**given, **scopes, "provider": provider})
    return google or microsoft


class PasswordSource(NamedTuple):
    """The command or file that gives the password; neither if the user is asked for it."""

    command: str | None
    file: str | None


def _connect_imap(
    app: App,
    address: str,
    provider: str | None,
    secret: PasswordSource,
    settings: Mapping[str, str],
    aliases: tuple[str, ...],
) -> None:
    import asyncio

    from gaia_email.app.accounts.connect import connect, plan_account

    account, known = plan_account(address, provider, settings)
    reference, password = "", None
    if secret.command:
        reference = f"command:{secret.command}"
    elif secret.file:
        reference = f"file:{os.path.abspath(os.path.expanduser(secret.file))}"
    else:
        password = _ask_password(account.address, known.note if known else "")
    found = asyncio.run(connect(account, app.environ, password=password, reference=reference))
    _tell(app, found, aliases)


def _connect_files(app: App, kind: str, path: str, user: tuple[str, ...]) -> None:
    import asyncio

    from gaia_email.app.accounts.connect_files import connect_files
    from gaia_email.interfaces.cli.output import note

    found = asyncio.run(connect_files(kind, path, user, app.environ))
    note(f"connected {found.account.id}: {found.labels} labels. Its files stay where they are.")
    for problem in found.problems:
        note(f"but: {problem}")
    _greet(app, found.account)


def _connect_google(app: App, options: dict[str, str]) -> None:
    import asyncio

    from gaia_email.app.accounts.connect_google import connect_google
    from gaia_email.app.accounts.provider_logins import unencrypted_login
    from gaia_email.interfaces.cli.output import note

    def agree() -> bool:
        return not sys.stdin.isatty() or click.confirm("Go on?", default=True, err=True)

    if not options and sys.stdin.isatty() and (file := unencrypted_login(app.environ)):
        note(f"Another program keeps a Gmail login unencrypted in {file}.")
        if click.confirm(
            "Move it into the vault? That program has to log in again.", default=False, err=True
        ):
            options = {"stored_login": "true"}
    _tell(app, asyncio.run(connect_google(options, app.environ, say=note, agree=agree)))


def _connect_microsoft(app: App, options: dict[str, str]) -> None:
    import asyncio

    from gaia_email.app.accounts.connect_microsoft import connect_microsoft
    from gaia_email.interfaces.cli.output import note

    def agree() -> bool:
        return not sys.stdin.isatty() or click.confirm("Go on?", default=True, err=True)

    _tell(app, asyncio.run(connect_microsoft(options, app.environ, say=note, agree=agree)))


def _address(app: App) -> str:
    """Return this machine's only evident account, or else ask, with the likeliest one as the default.

    Without a terminal nothing is asked or assumed; with a piped password, the address must be given.
    """
    from gaia_email.app.accounts.found import evident, not_connected, reported_by
    from gaia_email.interfaces.cli.output import note

    candidates = not_connected(app.environ)
    if not sys.stdin.isatty():
        example = candidates[0].address if candidates else "you@example.org"
        raise click.UsageError(f"Name the account: gaia email connect --email {example}.")
    found = evident(candidates)
    for candidate in [found] if found else candidates[:5]:
        note(f"found {candidate.address} in {reported_by(candidate)}.")
    if found:
        note("Ctrl-C stops here; --email names another account.")
        return found.address
    likeliest = candidates[0].address if candidates else None
    return str(click.prompt("Address", default=likeliest, err=True))


def _ask_password(address: str, advice: str) -> str:
    from gaia_email.interfaces.cli.output import note
    from gaia_email_registry.errors import NeedsAuth

    if sys.stdin.isatty():
        if advice:
            note(advice)
        return str(click.prompt(f"Password of {address}", hide_input=True, err=True))
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise NeedsAuth(
            "no password came on standard input.",
            hint="run it in a terminal to be asked, or name --password-command or --password-file.",
        )
    return password


def _tell(app: App, found: ConnectedAccount, aliases: tuple[str, ...] = ()) -> None:
    from gaia_email.interfaces.cli.output import note

    account = found.account
    note(f"connected {account.id}: {found.labels} labels.")
    for problem in found.problems:
        note(f"but: {problem}")
    if account.secret.startswith("vault:file:"):
        note(
            f"there is no keyring here: the password is encrypted in {app.home}, its key beside it. Who can "
            "read your files can use it; --password-command keeps it elsewhere."
        )
    if not found.can_send and account.server == "imap":
        note(
            f"nothing can be sent from it yet: gaia email connect --email {account.address} --smtp-host HOST adds that."
        )
    _greet(app, account, aliases)


def _ask_aliases(app: App, account: Account, source: SourceSpec, known: tuple[str, ...]) -> None:
    """Ask once if the addresses that mail was sent from belong to the owner."""
    from gaia_email.app.services.aliases import keep_aliases, unknown_aliases

    own_already = {one.lower() for one in known}
    if not (found := [one for one in unknown_aliases(app, account, source) if one not in own_already]):
        return
    is_or_are = "is this address" if len(found) == 1 else "are these addresses"
    own = click.confirm(
        f"Mail was sent from {', '.join(map(visible, found))}: {is_or_are} yours?", default=True
    )
    keep_aliases(app, account, found if own else ())
    click.echo("gaia email accounts --alias ADDRESS changes that.")


def _greet(app: App, account: Account, aliases: tuple[str, ...] = ()) -> None:
    """On a terminal, show what the mailbox reveals about its owner, which also copies it; then suggest first steps.

    `aliases` are the owner's addresses, according to a mail program of this machine.
    """
    from gaia_email.app.services.finding_accounts import now_connected
    from gaia_email.interfaces.cli.options import NamedSource
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.cli.terminal import is_terminal

    now_connected(app, account.address)
    if is_terminal() and sys.stdin.isatty():
        from gaia_email.app.documents.layouts.filled_card import fill_layout
        from gaia_email.app.documents.layouts.mail import HABITS
        from gaia_email.app.services.habits import read_habits
        from gaia_email.document import json_of
        from gaia_email.interfaces.cli.document_card import print_filled
        from gaia_email_registry.errors import MailError

        note(
            "Looking at the mailbox for the first time; Ctrl-C leaves that for later and keeps the account connected."
        )
        try:
            source = NamedSource(account=account.id, maildir=None).resolve(app)
            print_filled(fill_layout(HABITS, json_of(read_habits(app, source))))
            _ask_aliases(app, account, source, aliases)
        except (KeyboardInterrupt, click.Abort):
            note("left for later.")
        except MailError as error:
            note(f"but: {error.message}")
    if aliases:
        from gaia_email.app.services.aliases import add_aliases

        add_aliases(app, account, aliases)
        note(
            f"also yours: {', '.join(map(visible, aliases))}. gaia email accounts --alias ADDRESS changes that."
        )
    note("next: gaia email inbox, then gaia email why 1, gaia email triage, and gaia email teach")
