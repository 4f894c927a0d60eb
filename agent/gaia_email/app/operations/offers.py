"""Arguments of `@operation` for its command and its tools. Entries: `Command`, `AgentTool`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of `gaia email` that runs an operation and prints its document.

    Attributes:
        name: Its name.
        heading: The heading of `gaia email --help` that lists it, or the group it belongs to.
        after: The command that it follows there; empty to put it first.
        line: Its line there; empty for the operation's summary.
        help: The text of its own `--help`; empty for the operation's description.
        card: The function that draws the document on a terminal, as `module.function` of `interfaces/cli`, if no layout
            can; empty for the operation's card.
        said: The field of the document that is a sentence for standard error, unless the card shows it.
        text: The field of the document that is printed instead of card and table if it is not empty. The card is text,
            too: a pipe gets it, unless fields are requested.
        failed: The field of the document that makes the exit code 1 unless it is empty, as for `columns`.
        view: Everything about printing the document, as `module.NAME` of `interfaces/cli` or of a plug-in, if that
            needs code.
        asks: The question that the user confirms with a code; empty if the effect asks by itself, None for the default
            of the operation's risk.
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
        """True for a command of a group, such as `labels create`, whose name alone identifies no document."""
        return self.heading.islower()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTool:
    """A tool of `gaia-email-mcp` that runs an operation and returns selected fields of its document.

    Attributes:
        name: Its name; empty for the operation's.
        fields: The fields to return, as for `short`; empty for all.
        takes: Its parameters, mapped to fields of the input; None for every field under its own name.
        most: Upper limits of parameters, if lower than the operation's.
        description: Its description; empty for the operation's summary.
        without_empty: Leave empty fields out of the answer.
    """

    name: str = ""
    fields: Sequence[str] = ()
    takes: Mapping[str, str] | None = None
    most: Mapping[str, int] = field(default_factory=dict[str, int])
    description: str = ""
    without_empty: bool = False
