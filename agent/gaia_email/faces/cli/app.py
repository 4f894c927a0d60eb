"""The tree of commands. Each command's module is imported when it is run or described, not before."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS: dict[str, tuple[str, str]] = {
    "inbox": ("inbox", "Your inbox in four buckets, with a reason for every thread."),
    "triage": ("triage", "The inbox and what would be done with it; with --apply it is done."),
    "watch": ("watch", "Every new message with its verdict, as it comes; runs until stopped."),
    "search": ("search", "Find messages by words, sender, date …, also without the mailbox."),
    "why": ("why", "Why a message is where it is: the signals and their words."),
    "show": ("show", "One message as its sender meant you to read it, and what was hidden."),
    "actions": ("actions", "What was done to your mail, newest first, each with its undo."),
    "undo": ("undo", "Take back what was done: the last run, or an action, a run, a session, a time."),
    "snooze": ("snooze", "Take messages out of the inbox until a time."),
    "wake": ("wake", "Bring back the snoozed messages whose time has come."),
    "unsubscribe": ("unsubscribe", "Leave a sender's mailing list by one click; asks first."),
    "pending": ("pending", "What waits for your answer."),
    "review": ("review", "Go through what waits, one key each."),
    "approve": ("approve", "Do what was proposed."),
    "reject": ("reject", "Do nothing of what was proposed."),
    "runs": ("runs", "What ran, runs and waits; runs cancel ends one."),
    "schedule": ("schedule", "Have a triage run by the clock."),
    "worker": ("worker", "Run what is scheduled, until stopped."),
    "correct": ("correct", "Say that a message belongs into another bucket."),
    "policy": ("policy", "Who may be treated how: cohorts, levels, and why with a message."),
    "vip": ("vip", "People whose mail matters most."),
    "protect": ("protect", "Senders, labels and threads that nothing automated may touch."),
    "pause": ("pause", "Start no new run; the current one finishes."),
    "resume": ("resume", "End a pause or a stop."),
    "stop": ("stop", "Stop the agent now, and see what it did."),
    "travel-mode": ("travel_mode", "Cap every level at 2 and tell of nothing until a date."),
    "status": ("status", "Accounts, switches, the last run, what waits, and the ledger."),
    "connect": ("connect", "Connect a mail account: IMAP, or Gmail."),
    "accounts": ("accounts", "The connected accounts."),
    "disconnect": ("disconnect", "Forget an account; its mail stays where it is."),
    "export": ("export", "What the ledger holds, as JSON or CSV."),
    "purge": ("purge", "Delete the local copy of mail, or everything the ledger holds."),
    "ledger": ("ledger", "Whether the ledger is whole: `ledger verify`."),
    "classify": ("classify", "Understand mail files: one JSON object a message."),
    "eval": ("eval", "How well mail is understood, scored on labelled messages."),
    "demo": ("demo", "Triage of a sample mailbox; needs no account."),
    "schema": ("schema", "The JSON Schema of what a command prints."),
    "completion": ("completion", "Shell completion for bash, zsh and fish."),
}
"""Command name → module below `commands/`, and its line in `--help` (so that help imports nothing)."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and help lines, and imports a command only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table, which is the order a newcomer needs them in."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"gaia_email.faces.cli.commands.{COMMANDS[cmd_name][0]}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest names offered for an unknown one."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS, n=2)
            offer = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{offer}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, from the help lines kept here."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(package_name="gaia-email", prog_name="gaia-email")
def gaia() -> None:
    """GAIA on this machine."""


@gaia.group(cls=LazyGroup, context_settings=CONTEXT)
def email() -> None:
    """Sorts your mail on your own machine: four buckets, a reason for each thread, nothing sent anywhere.

    Start with `gaia email demo`, then point it at your own mail: `gaia email connect`, or
    `gaia email inbox --maildir ~/Mail` or `--mbox takeout.mbox`.
    """
