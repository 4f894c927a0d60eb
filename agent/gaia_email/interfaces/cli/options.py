"""Options shared by several commands: the mailbox, its owner, the output format. Entry: `source_options`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper, wraps
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import click

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.output import OutputFormat, chosen_format
from gaia_email.interfaces.cli.over_http import need_here
from gaia_email_registry.errors import NeedsAuth
from gaia_mail.printable import visible

Decorated = TypeVar("Decorated", bound=Callable[..., object])
Result = TypeVar("Result")
Given = ParamSpec("Given")

pass_asking_app = click.make_pass_decorator(App, ensure=True)
"""Like `pass_app`, for a command that works only through operations, so that a server can run it (`--via http`)."""


def pass_app(function: Callable[Concatenate[App, Given], Result]) -> Callable[Given, Result]:
    """Pass the running program, created when the command starts, as the first argument of a command."""

    def here(app: App, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        context = click.get_current_context()
        need_here(app, context.command_path)
        return function(app, *args, **kwargs)

    return pass_asking_app(update_wrapper(here, function))


_ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+")


WHOLE = 400
"""Maximum length in characters of a first sentence; none reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSource:
    """The mail named by a command's options; resolved by `resolve`."""

    account: str | None
    maildir: str | None
    mbox: str | None = None
    eml: str | None = None
    demo: bool = False
    user: tuple[str, ...] = ()
    mcp_server: str | None = None

    @property
    def is_named(self) -> bool:
        """True if any of the options was given."""
        return self.demo or any((self.account, self.maildir, self.mbox, self.eml, self.mcp_server))

    def resolve(self, app: App) -> SourceSpec:
        """Return the named source, or else the only connected account.

        Raises:
            click.UsageError: More than one source was named.
            NeedsAuth: No source was named and no account is connected, or the named account is not connected.
            BadArgument: There are several accounts and none was named.
            NeedsApproval: A server from the folder's own file was named, and the user did not agree to it.
        """
        given = (
            ("account", self.account),
            ("maildir", self.maildir),
            ("mbox", self.mbox),
            ("eml", self.eml),
            ("server", self.mcp_server),
        )
        named = [(kind, path) for kind, path in given if path]
        if self.demo:
            named.append(("demo", ""))
        if len(named) > 1:
            raise click.UsageError(
                "Name one of --account, --maildir, --mbox, --eml, --server and --demo, not several."
            )
        if not named or self.account:
            return _account_source(app, self.account, self.user)
        kind, path = named[0]
        if kind == "server":
            from gaia_email.interfaces.cli.project_file import ask_about_project

            ask_about_project(app, path)
        return SourceSpec(kind=kind, path=path, user=self.user)

    def resolve_all(self, app: App) -> list[SourceSpec]:
        """Return the named source, or else every enabled account, in the order of connection.

        Raises:
            click.UsageError: More than one source was named.
            NeedsAuth: No source was named and no account is connected, or the named account is not connected.
        """
        from gaia_email_registry.accounts import read_accounts

        if not self.is_named:
            enabled = [account.id for account in read_accounts(app.environ) if account.enabled]
            if len(enabled) > 1:
                return [_account_source(app, one, self.user) for one in enabled]
        return [self.resolve(app)]


class HelpfulGroup(click.Group):
    """A group whose help shows the whole first sentence of each command; click would cut it to one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their order."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, one.get_short_help_str(limit=WHOLE)) for name, one in found if one and not one.hidden]
            )


def _on_the_sample_day(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Use the date of the sample mailbox if it is named; eager, since other options contain times."""
    if value:
        enter_sample_day(ctx)
    return value


def enter_sample_day(ctx: click.Context) -> None:
    """Give the command the clock of the sample mailbox until it ends."""
    from gaia_email.app.sample.day import sample_day

    ctx.with_resource(sample_day(ctx.ensure_object(App).environ))


def addresses(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Return the addresses given with `--user`.

    Raises:
        click.BadParameter: One is not an email address (RFC 5322: a local part, an `@`, a domain).
    """
    for given in value:
        if not _ADDRESS.fullmatch(given):
            raise click.BadParameter(
                f"{visible(given[:80])!r} is not an email address; give one like you@example.com.", ctx, param
            )
    return value


def known_fields(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return the value of `--fields`, after checking that the command prints these fields.

    Raises:
        click.UsageError: A field does not exist.
    """
    if wanted := field_list(value):
        from gaia_email.interfaces.cli.field_names import check_fields

        check_fields(getattr(ctx.command, "document", ctx.info_name or ""), wanted)
    return value


fields_option = click.option(
    "--fields",
    metavar="A,B.C",
    default="",
    callback=known_fields,
    help="Only these fields; B.C reaches into an object.",
)
"""Decorator that adds `--fields`."""


def source_options(function: Callable[..., Result]) -> Callable[..., Result]:
    """Add the options that name a mailbox, from `--account` to `--user`, and pass them as `named`."""

    @wraps(function)
    def call_with_source(
        *,
        account: str | None,
        maildir: str | None,
        mbox: str | None,
        eml: str | None,
        demo: bool,
        server: str | None,
        user: tuple[str, ...],
        **others: object,
    ) -> Result:
        named = NamedSource(
            account=account, maildir=maildir, mbox=mbox, eml=eml, demo=demo, user=user, mcp_server=server
        )
        return function(named=named, **others)

    command: Callable[..., Result] = call_with_source
    for option in reversed(
        (
            click.option(
                "--account",
                metavar="NAME",
                help="A connected account; not needed when there is only one.",
            ),
            click.option("--maildir", metavar="DIR", help="A Maildir, with its folders."),
            click.option("--mbox", metavar="FILE", help="An mbox file, such as Google Takeout's."),
            click.option("--eml", metavar="DIR", help="A folder of .eml files, or one such file."),
            click.option(
                "--demo",
                is_flag=True,
                is_eager=True,
                callback=_on_the_sample_day,
                help="The sample mailbox.",
            ),
            click.option("--server", metavar="NAME", help="An MCP mail server of mcp_servers.json."),
            click.option(
                "--user",
                metavar="ADDRESS",
                multiple=True,
                callback=addresses,
                help="Address of the mailbox's owner; repeatable. Default: the most frequent recipient.",
            ),
        )
    ):
        command = option(command)
    return command


def output_options(function: Decorated) -> Decorated:
    """Add `--json`, `--jsonl` and `--fields`."""
    for option in reversed(
        (
            click.option("--json", "as_json", is_flag=True, help="One JSON document."),
            click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line."),
            fields_option,
        )
    ):
        function = option(function)
    return function


class OutputChoice(NamedTuple):
    """The requested output format and fields."""

    form: OutputFormat
    fields: list[str]


def pass_output(function: Callable[..., Result]) -> Callable[..., Result]:
    """Add `--json`, `--jsonl` and `--fields`, and pass them as `out`."""

    @wraps(function)
    def call_with_output(*, as_json: bool, as_jsonl: bool, fields: str, **others: object) -> Result:
        out = OutputChoice(chosen_format(as_json, as_jsonl, fields), field_list(fields))
        return function(out=out, **others)

    return output_options(call_with_output)


def _account_source(app: App, name: str | None, user: tuple[str, ...]) -> SourceSpec:
    from gaia_email.app.services.choosing import connected_source

    try:
        return connected_source(name or None, app.environ, user)
    except NeedsAuth:
        if name:
            raise
        raise NeedsAuth(
            "no mailbox was named and no account is connected yet.",
            hint="gaia email connect connects one; gaia email demo shows a sample; gaia email inbox "
            "--maildir ~/Mail or --mbox FILE reads what is on this machine.",
        ) from None


def field_list(fields: str) -> list[str]:
    """Split a list of fields: `"a, b.c"` → `["a", "b.c"]`."""
    return [field.strip() for field in fields.split(",") if field.strip()]
