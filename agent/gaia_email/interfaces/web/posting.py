"""What a page posts, and the note that answers it. Entries: `note`, `posted`, `only`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import _
from gaia_email.interfaces.web.rendering import fragment, referred
from gaia_email_registry.errors import BadArgument

PostedFields = Mapping[str, list[str]]

MOST_AT_ONCE = 500
"""Threads or items that one press of a key is about."""

NOTE = "x-gaia-note"
"""The header of an answer that is shown among the notes, whatever the form that was sent has for its target."""

GO = "x-gaia-go"
"""The header that says which page is shown after a note."""


def note(
    done: str,
    count: int | None = None,
    problems: Sequence[str] = (),
    undo: tuple[str, Sequence[tuple[str, str]]] = ("", ()),
    *,
    go: str = "",
) -> Response:
    """A note of what was done, which the page shows at its edge while it looks again.

    Args:
        done: What was done, in a few words.
        count: With how many.
        problems: What did not work, a sentence each.
        undo: Where the note's button leads, and what it posts there; without fields there is no button.
        go: The page that is shown then, as addresses name it; empty for the one that is there.
    """
    told = list(dict.fromkeys(filter(None, problems)))
    answer = fragment("note.html", changed=True, done=done, count=count, problems=told, undo=undo)
    answer.headers[NOTE] = "yes"
    if go:
        answer.headers[GO] = go
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


def named(fields: PostedFields) -> list[tuple[str, str]]:
    """The accounts and ids of what is named, one after the other.

    Raises:
        BadArgument: Nothing is, or a name is none.
    """
    found = list(map(referred, fields.get("of", ())))
    if not found:
        raise BadArgument(_("Select a thread first."), argument="/of", hint=_("j and k move, x selects."))
    return found


def by_account(named: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    """The ids of what is named, by account."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for account, id_ in named:
        found[account].append(id_)
    return found


def only(fields: PostedFields, name: str, default: str | None = None) -> str:
    """The one value of a name.

    Raises:
        BadArgument: There is none and no default, or there are several.
    """
    values = fields.get(name, [] if default is None else [default])
    if len(values) != 1:
        raise BadArgument(f"{name}: exactly one.", argument=f"/{name}")
    return values[0]
