"""What a page posts, and the note that answers it. Entries: `note`, `posted`, `only`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import _
from gaia_email.interfaces.web.rendering import fragment
from gaia_email_registry.errors import BadArgument

PostedFields = Mapping[str, list[str]]

MOST_AT_ONCE = 500
"""Threads or items that one press of a key is about."""

NOTE = "x-gaia-note"
"""The header of an answer that is shown among the notes, whatever the form that was sent has for its target."""


def note(
    done: str,
    count: int | None = None,
    problems: Sequence[str] = (),
    undo: tuple[str, Sequence[tuple[str, str]]] = ("", ()),
) -> Response:
    """A note of what was done, which the page shows at its edge while it looks again.

    Args:
        done: What was done, in a few words.
        count: With how many.
        problems: What did not work, a sentence each.
        undo: Where the note's button leads, and what it posts there; without fields there is no button.
    """
    told = list(dict.fromkeys(filter(None, problems)))
    answer = fragment("note.html", changed=True, done=done, count=count, problems=told, undo=undo)
    answer.headers[NOTE] = "yes"
    return answer


async def posted(request: Request) -> PostedFields:
    """The values of each name that was posted.

    Raises:
        BadArgument: They are too many.
    """
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=2 * MOST_AT_ONCE)
    except ValueError:
        raise BadArgument(
            _("That is more than {most} at once.").format(most=MOST_AT_ONCE), argument=""
        ) from None


def only(fields: PostedFields, name: str, default: str | None = None) -> str:
    """The one value of a name.

    Raises:
        BadArgument: There is none and no default, or there are several.
    """
    values = fields.get(name, [] if default is None else [default])
    if len(values) != 1:
        raise BadArgument(f"{name}: exactly one.", argument=f"/{name}")
    return values[0]
