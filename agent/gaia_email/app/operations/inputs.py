"""Common input fields: ids, times, limits, each described once for help, schema and tool."""

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
    """Describe how a command takes a field, if that does not follow from its name and type.

    Args:
        argument: The field is a positional argument.
        option: The option, if it differs from the field's name.
        metavar: The placeholder for the value in help.
        words: The text in help, if the description is unsuitable there.
        moment: Marks a time in the past or in the future, which is then checked like any option.
        hidden: The command has no option for the field.
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
    """Return a `Since` in epoch seconds; None for all.

    Raises:
        BadArgument: It is neither a span nor a date.
    """
    from gaia_email.app.services.time_words import since_epoch

    return since_epoch(text, utc_now())
