"""What inputs of operations share: ids, times, limits, each described once for help, schema and tool."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from gaia_email_registry.clock import utc_now


def on_command_line(
    *,
    argument: bool = False,
    option: str = "",
    metavar: str = "",
    words: str = "",
    moment: Literal["", "since", "until"] = "",
    hidden: bool = False,
) -> Meta:
    """How a command asks for a field, where that cannot be told from its name and type.

    Args:
        argument: It stands by itself, without an option.
        option: The option, where not the field's name.
        metavar: What stands for the value in help.
        words: What help says of it, where the description would not do there.
        moment: Whether it is a time that has passed or one to come, which is then checked as any option.
        hidden: No option is made for it.
    """
    hints = {
        "argument": argument,
        "option": option,
        "metavar": metavar,
        "help": words,
        "moment": moment,
        "hidden": hidden,
    }
    return Meta(extra={name: value for name, value in hints.items() if value})


BucketName = Literal["urgent", "actionable", "informational", "low_priority"]
MessageId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=500,
        description="Id of a message, as a listing or another tool gave it, or an unambiguous beginning of it.",
    ),
    on_command_line(argument=True, metavar="ID"),
]
SeveralMessageIds = Annotated[
    list[MessageId],
    Meta(min_length=1, max_length=500, description="Ids of messages."),
    on_command_line(argument=True, metavar="ID..."),
]
Since = Annotated[
    str,
    Meta(
        max_length=40,
        description="Only from then on: a span such as 7d or 12h, or a date such as 2026-11-02; empty for all.",
    ),
    on_command_line(metavar="7d|DATE", words="Only from then on.", moment="since"),
]
RowLimit = Annotated[
    int, Meta(ge=1, le=1000, description="At most so many rows."), on_command_line(metavar="N")
]
BucketLimit = Annotated[
    int, Meta(ge=0, le=10_000, description="At most so many threads a bucket; 0 for all.")
]
KnownIdText = Annotated[
    str, Meta(max_length=200, description="An id, or the beginning of one, as a list shows it.")
]


def since_of(text: str) -> float | None:
    """A `Since` in epoch seconds; None for all.

    Raises:
        BadArgument: It is neither a span nor a date.
    """
    from gaia_email.app.services.time_words import since_epoch

    return since_epoch(text, utc_now())
