"""The program of a mail server: its command line, its entry points for the agent, its `auth`. Entry: `ProviderServer`.

A provider states how its mailboxes are opened. Nothing is asked of it before the first tool is called, so a server
starts and lists its tools without a login; the first answer then says how to connect.
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
"""Exit code of a program that cannot do what was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedMailboxes:
    """What one run of a server serves.

    Attributes:
        sources: The mailboxes by the names that `account` takes.
        around: What is served over HTTP in place of the application: for pushes, which bring no bearer token.
    """

    sources: Mapping[str, MailboxSource]
    around: Callable[[ASGIApp], ASGIApp] | None = None


class ProviderServer(ABC):
    """A provider's program; a subclass says what is its own."""

    program: ClassVar[str]
    """As it is called in a terminal and in messages."""
    description: ClassVar[str]
    """For `--help`."""
    group: ClassVar[SettingGroup | None] = None
    """The group of the settings table that has the account's flags."""
    auth_description: ClassVar[str] = ""
    """For `auth --help`; empty for a program that has no such command."""
    abbreviations: ClassVar[bool] = True
    """Whether a flag may be cut short where that is unambiguous."""

    @abstractmethod
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        """Give `parser` the flags that say whose mail is served."""

    @abstractmethod
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        """What a command line and the environment name; nothing is opened yet.

        Raises:
            MailError: A value cannot be used.
        """

    @abstractmethod
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        """The mailbox for a program that runs the server in its own process; nothing is opened yet.

        Args:
            options: What the flags say, by their names with underscores; `secret` for where the login is, of an
                account that is only being connected.
            environ: The process's environment.
            settings: What of the surface `options` say.

        Raises:
            MailError: A value cannot be used.
        """

    def add_auth_flags(self, parser: argparse.ArgumentParser) -> None:
        """Give `parser` the flags of `auth`."""
        raise NotImplementedError

    async def authorize(self, options: argparse.Namespace, environ: Mapping[str, str]) -> str:
        """Connect an account; what to say when it is done.

        Raises:
            MailError: The provider, or the user, did not agree.
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
        """The server for a program that runs it in its own process and asks the user itself.

        Args:
            options: As of `embed`; `read_only`, `no_send` and `allow_permanent_delete` as `true` or `false`.

        Raises:
            BadArgument: A value cannot be used.
        """
        from gaia_mail_mcp.surface.server import create_server

        settings = embedded_settings(options)
        return create_server(self.embed(options, os.environ, settings), settings)

    def open_tools(self, options: Mapping[str, str]) -> EmbeddedTools:
        """The tools of that server (`open_server`), for a program that calls them without MCP."""
        from gaia_mail_mcp.surface.embedded import EmbeddedTools

        settings = embedded_settings(options)
        return EmbeddedTools(self.embed(options, os.environ, settings), settings)

    def environment(self, flags: Mapping[str, object], environ: Mapping[str, str]) -> dict[str, str]:
        """The environment with the account's flags over it."""
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
    """Show a line to the user; standard output belongs to the protocol."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def exit_on_error(program: str) -> Generator[None, None, None]:
    """What goes wrong inside is said on standard error with its next step, and the program ends.

    Raises:
        SystemExit: With code 2, after it was said.
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
