"""`gaia email why ID`: what decided a verdict, signal by signal."""

from __future__ import annotations

from gaia_email.interfaces.cli.commands.detail import detail_command

command = detail_command(
    "why",
    "Why message ID (as a listing shows it) is in its bucket: reason, signals and the words behind them.",
)
