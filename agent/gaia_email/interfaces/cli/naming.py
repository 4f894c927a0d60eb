"""Accepts any id printed by a command in place of a message's id. Entry points: `message_named`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.options import NamedSource, enter_sample_day
from gaia_email.interfaces.cli.output import note
from gaia_email_registry.errors import BadArgument
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.actions.pending.known_ids import KnownId


def message_named(app: App, given: str, named: NamedSource) -> tuple[str, SourceSpec]:
    """Return the message for an id and its mailbox; for an item or action, the message it shows.

    Raises:
        BadArgument: The id belongs to something that is not about a single message.
        MailError: The id is ambiguous, or no mailbox is named.
    """
    messages, source = _messages_of(app, given, named)
    if len(messages) > 1:
        note(f"the first of {len(messages):,} messages that {given[:60]} is about.")
    return messages[0], source


def messages_named(app: App, given: Sequence[str], named: NamedSource) -> tuple[list[str], SourceSpec]:
    """Return all messages for several ids, and the mailbox that contains them.

    Raises:
        BadArgument: They are in several mailboxes, or an id is not about a message.
        MailError: As `message_named`.
    """
    found = [_messages_of(app, one, named) for one in given]
    sources = list(dict.fromkeys(source for _, source in found))
    if len(sources) > 1:
        raise BadArgument("These are in more than one mailbox; take one mailbox at a time.", argument="id")
    return list(dict.fromkeys(message for messages, _ in found for message in messages)), sources[0]


def _messages_of(app: App, given: str, named: NamedSource) -> tuple[Sequence[str], SourceSpec]:
    if (of_card := _row_of(app, given, named)) is not None:
        return of_card
    from gaia_email.app.services.names import known_id

    found = known_id(app, given)
    if found is None:
        return [given], named.resolve(app)
    if found.kind == "run" or not found.messages:
        raise BadArgument(
            f"{given[:60]!r} is the id of {_word(found)}, not of a message.",
            argument="id",
            hint=f"gaia email actions --run {found.id[:8]} lists what it did."
            if found.kind == "run"
            else None,
        )
    return found.messages, source_of(app, found, named)


def _row_of(app: App, given: str, named: NamedSource) -> tuple[list[str], SourceSpec] | None:
    """Return the message of a row of the last card, even if the card's mailbox is named again.

    An MCP server may use numbers as message ids, so with `--server` a number is an id.

    Raises:
        BadArgument: The card has no such row, or belongs to a different mailbox than the named one.
    """
    from gaia_email.interfaces.cli.last_card import row

    if named.mcp_server or (of_card := row(app, given)) is None:
        return None
    message, source = of_card
    if not named.is_named:
        if source.kind == "demo":
            enter_sample_day(click.get_current_context())
        return [message], replace(source, user=named.user or source.user)
    chosen = named.resolve(app)
    if chosen.mailbox != source.mailbox:
        raise BadArgument(
            f"The last card was of another mailbox, so there is no row {given} to take here.",
            argument="id",
            hint=f"{f'gaia email inbox {chosen.flags}'.rstrip()} prints a card of this one.",
        )
    return [message], chosen


def source_of(app: App, found: KnownId, named: NamedSource) -> SourceSpec:
    """Return the mailbox named by options, or else that of the found item.

    Raises:
        MailError: The location of the mailbox is unknown.
    """
    return (
        named.resolve(app) if named.is_named or not found.account else _source(app, found.account, named.user)
    )


def source_of_done(app: App, named: NamedSource, *, session: str | None, since: float | None) -> SourceSpec:
    """Return the mailbox named by options, or else the one with the given actions, or the latest.

    Raises:
        BadArgument: The actions are in several mailboxes.
        MailError: The mailbox's location is unknown, or there are no actions and no mailbox is named.
    """
    if named.is_named:
        return named.resolve(app)
    from gaia_email.app.services.history import accounts_done

    accounts = accounts_done(app, session_id=session, since=since)
    if not accounts:
        return named.resolve(app)
    if len(accounts) > 1 and not (session is None and since is None):
        raise BadArgument(
            f"That was done in {len(accounts)} mailboxes; take one at a time.",
            hint="the same with "
            + ", or with ".join(f"--account {quote(visible(account))}" for account in accounts),
        )
    return _source(app, accounts[0], named.user)


def account_over_http(named: NamedSource | None, sources: Sequence[SourceSpec]) -> str:
    """Return the server's name for the command's mailbox; empty for the only one, or for all.

    Raises:
        BadArgument: The option cannot be passed to a server.
    """
    if named is None or not sources:
        return ""
    from gaia_email.mailbox.ref import FILES

    if named.user or named.demo or named.mcp_server:
        option = "--user" if named.user else "--demo" if named.demo else "--server"
        raise BadArgument(
            f"{option} cannot be said to a server over HTTP.", argument="via", hint="leave --via http out."
        )
    if named.account:
        return named.account
    source = sources[0]
    if len(sources) > 1 or source.assumed:
        return ""
    if source.kind == "account":
        return source.path
    return source.mailbox.key if source.kind in FILES else source.path


def _source(app: App, account: str, user: tuple[str, ...]) -> SourceSpec:
    from gaia_email.mailbox.ref import mailbox_of

    mailbox = mailbox_of(account, app.environ)
    if mailbox.kind == "account":
        return NamedSource(account=mailbox.path, maildir=None, user=user).resolve(app)
    return SourceSpec(kind=mailbox.kind, path=mailbox.path, user=user, server=mailbox.server)


def _word(found: KnownId) -> str:
    from gaia_email.actions.pending.known_ids import WORDS

    return WORDS[found.kind]
