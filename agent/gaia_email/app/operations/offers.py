"""Arguments of `@operation` that offer it on the command line and to models. Entries: `Command`, `AgentTool`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of `gaia email` that performs an operation and prints its document.

    Attributes:
        name: Its name.
        heading: Heading of `gaia email --help` under which it is listed, or the group that it is a command of.
        after: Command that it follows there; empty for the start.
        line: Its line there; empty for the operation's summary.
        help: Text of its own `--help`; empty for the operation's description.
        card: Function that draws the document on a terminal, as `module.function` of `interfaces/cli`, if no layout
            can say what it does; empty for the operation's card.
        said: Field of the document that is a sentence for standard error, unless the card shows it.
        text: Field of the document that is printed in place of card and table if it is not empty. The card is text,
            too: a pipe gets it, unless fields are asked for.
        failed: Field of the document that makes the exit code 1 unless it is empty, as for `columns`.
        view: All of how the document is printed, as `module.NAME` of `interfaces/cli`, if that takes code.
        asks: Question that the person answers by a code; empty for a command whose effect asks by itself, None for what
            the operation's risk demands.
    """

    name: str
    heading: str
    after: str = ""
    line: str = ""
    help: str = ""
    card: str = ""
    said: str = ""
    text: str = ""
    failed: str = ""
    view: str = ""
    asks: str | None = None

    @property
    def in_group(self) -> bool:
        """True if it is a command of a group, such as `labels create`, whose name alone names no document."""
        return self.heading.islower()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTool:
    """A tool of `gaia-email-mcp` that performs an operation and answers a selection of its document.

    Attributes:
        name: Its name; empty for the operation's.
        fields: Fields that it answers, as for `short`; empty for all.
        takes: Parameters, each with the field of the input that it is; None for every field under its own name.
        most: The largest number that a parameter may be, if less than the operation's.
        description: Its description; empty for the operation's summary.
        without_empty: Leave empty fields out of the answer.
    """

    name: str = ""
    fields: Sequence[str] = ()
    takes: Mapping[str, str] | None = None
    most: Mapping[str, int] = field(default_factory=dict[str, int])
    description: str = ""
    without_empty: bool = False
