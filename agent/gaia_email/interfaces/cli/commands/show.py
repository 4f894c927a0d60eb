"""`gaia email show ID`: one message for reading, with what was hidden in it."""

from __future__ import annotations

from gaia_email.interfaces.cli.commands.detail import detail_command

command = detail_command(
    "show",
    "Message ID (as a listing shows it): what its sender wrote, and what quotes, signature and tricks were removed.",
)
