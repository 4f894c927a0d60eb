"""Command line, `auth` command and in-process entry points of a mail server. Entry: `ProviderServer`.

A provider defines how its mailboxes are opened. They are opened by the first tool call, so a server starts and lists
its tools without a login; the first result then explains how to connect.
"""

from __future__ import annotations

import argparse
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NoReturn

from gaia_email_registry.egress.recording import record
from gaia_email_registry.errors import MailError
from gaia_email_registry.private_file import keep_files_private
from gaia_email_registry.setting_model import SettingGroup
from gaia_email_registry.settings import SETTINGS
from gaia_mail_mcp.surface.options import (
    SurfaceSettings,
    add_arguments,
    add_setting_flags,
    embedded_settings,
    settings_from,
)

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp

    from gaia_mail_mcp.source import MailboxSource
    from gaia_mail_mcp.surface.embedded import EmbeddedTools

USAGE = 2
"""Exit code after an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedMailboxes:
    """The mailboxes that one run of a server serves.

    Attributes:
        sources: The mailboxes, by the names that `account` takes.
        around: Wraps the HTTP application, for pushes, which carry no bearer token.
    """

    sources: Mapping[str, MailboxSource]
    around: Callable[[ASGIApp], ASGIApp] | None = None


class ProviderServer(ABC):
    """A provider's program; subclasses define the provider-specific parts."""

    program: ClassVar[str]
    """Name of the program in a terminal and in messages."""
    description: ClassVar[str]
    """Text for `--help`."""
    group: ClassVar[SettingGroup | None] = None
    """Group in the settings table that contains the account's flags."""
    auth_description: ClassVar[str] = ""
    """Text for `auth --help`; empty for a program without this command."""
    abbreviations: ClassVar[bool] = True
    """True if flags may be abbreviated."""

    @abstractmethod
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        """Add the flags that select the served mail to `parser`."""

    @abstractmethod
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        """Return the mailboxes that the command line and environment name, without opening them.

        Raises:
            MailError: A value is invalid.
        """

    @abstractmethod
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        """Return the mailbox for a program that runs the server in its own process, without opening it.

        Args:
            options: Values of the flags, by their names with underscores; `secret` refers to the login of an account
                that is just being connected.
            environ: The process's environment.
            settings: Surface settings from `options`.

        Raises:
            MailError: A value is invalid.
        """

    def add_auth_flags(self, parser: argparse.ArgumentParser) -> None:
        """Add the flags of `auth` to `parser`."""
        raise NotImplementedError

    async def authorize(self, options: argparse.Namespace, environ: Mapping[str, str]) -> str:
        """Connect an account and return the message to show.

        Raises:
            MailError: The provider or the user declined.
        """
        raise NotImplementedError

    def main(self, arguments: Sequence[str] | None = None) -> None:
        """Parse the command line; connect an account, or serve until the client goes away."""
        keep_files_private()
        given = list(sys.argv[1:] if arguments is None else arguments)
        record(os.environ, self.program)
        with exit_on_error(self.program):
            if self.auth_description and given[:1] == ["auth"]:
                import asyncio

                say(asyncio.run(self.authorize(self._auth_parser().parse_args(given[1:]), os.environ)))
                return
            options = self._parser().parse_args(given)
            settings = settings_from(options, os.environ)
            served = self.serve(options, os.environ, settings)
            from gaia_mail_mcp.surface.run import run_server
            from gaia_mail_mcp.surface.server import create_server

            run_server(create_server(served.sources, settings), settings, served.around)

    def open_server(self, options: Mapping[str, str]) -> FastMCP[None]:
        """Return the server for a program that runs it in its own process and asks the user itself.

        Args:
            options: As for `embed`, and `read_only`, `no_send` and `allow_permanent_delete` as `true` or `false`.

        Raises:
            BadArgument: A value is invalid.
        """
        from gaia_mail_mcp.surface.server import create_server

        settings = embedded_settings(options)
        return create_server(self.embed(options, os.environ, settings), settings)

    def open_tools(self, options: Mapping[str, str]) -> EmbeddedTools:
        """Return the tools of that server (`open_server`), for a program that calls them without MCP."""
        from gaia_mail_mcp.surface.embedded import EmbeddedTools

        settings = embedded_settings(options)
        return EmbeddedTools(self.embed(options, os.environ, settings), settings)

    def environment(self, flags: Mapping[str, object], environ: Mapping[str, str]) -> dict[str, str]:
        """Return the environment, overridden by the account's flags."""
        given = {entry.env: flags.get(entry.dest) for entry in SETTINGS if entry.group == self.group}
        return {**environ, **{env: value for env, value in given.items() if isinstance(value, str)}}

    def _parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(
            prog=self.program, description=self.description, allow_abbrev=self.abbreviations
        )
        self.add_flags(parser)
        self._add_account_settings(parser)
        add_arguments(parser)
        return parser

    def _auth_parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=f"{self.program} auth", description=self.auth_description)
        self.add_auth_flags(parser)
        self._add_account_settings(parser)
        return parser

    def _add_account_settings(self, parser: argparse.ArgumentParser) -> None:
        if self.group is not None:
            add_setting_flags(parser, self.group, "the account (each also an environment variable)")


def say(line: str) -> None:
    """Show a line to the user on standard error, because standard output belongs to the protocol."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def exit_on_error(program: str) -> Generator[None, None, None]:
    """Print an error in the block, with its next step, on standard error, and exit.

    Raises:
        SystemExit: With code 2, after printing the error.
    """
    try:
        yield
    except MailError as error:
        _exit(program, error)
    except ImportError as error:
        from gaia_email_registry.extras import missing_extra

        missing = missing_extra(error)
        if missing is None:
            raise
        _exit(program, missing)


def _exit(program: str, error: MailError) -> NoReturn:
    say(f"{program}: {error.message}")
    if error.hint:
        say(f"Next: {error.hint}")
    sys.exit(USAGE)
