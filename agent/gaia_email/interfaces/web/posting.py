"""Form data posted by a page, and the note that answers it. Entries: `note`, `read_form`, `only`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import _
from gaia_email.interfaces.web.rendering import fragment, parse_reference
from gaia_email_registry.errors import BadArgument

PostedFields = Mapping[str, list[str]]

MOST_AT_ONCE = 500
"""Maximum threads or items for one action."""

NOTE = "x-gaia-note"
"""Header of an answer to show among the notes, regardless of the form's target."""

GO = "x-gaia-go"
"""Header with the page to show after a note."""


def note(
    done: str,
    count: int | None = None,
    problems: Sequence[str] = (),
    undo: tuple[str, Sequence[tuple[str, str]]] = ("", ()),
    *,
    go: str = "",
) -> Response:
    """Return a note about an action; the page shows it at its edge and reloads its content.

    Args:
        done: The action, in a few words.
        count: The number of affected items.
        problems: Failures, one sentence each.
        undo: The target of the note's button and the fields it posts; without fields there is no button.
        go: The page to show next, as in its URL; empty for the current one.
    """
    told = list(dict.fromkeys(filter(None, problems)))
    answer = fragment("note.html", changed=True, done=done, count=count, problems=told, undo=undo)
    answer.headers[NOTE] = "yes"
    if go:
        answer.headers[GO] = go
    return answer


async def read_form(request: Request) -> PostedFields:
    """Return the posted values by name.

    Raises:
        BadArgument: There are too many.
    """
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=2 * MOST_AT_ONCE)
    except ValueError:
        raise BadArgument(
            _("That is more than {most} at once.").format(most=MOST_AT_ONCE), argument=""
        ) from None


def parse_references(fields: PostedFields) -> list[tuple[str, str]]:
    """Return the accounts and ids of the named messages.

    Raises:
        BadArgument: There are none, or a reference is invalid.
    """
    found = list(map(parse_reference, fields.get("of", ())))
    if not found:
        raise BadArgument(_("Select a thread first."), argument="/of", hint=_("j and k move, x selects."))
    return found


def by_account(named: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    """Group ids by account."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for account, id_ in named:
        found[account].append(id_)
    return found


def only(fields: PostedFields, name: str, default: str | None = None) -> str:
    """Return the single value of a field.

    Raises:
        BadArgument: It is missing without a default, or there are several values.
    """
    values = fields.get(name, [] if default is None else [default])
    if len(values) != 1:
        raise BadArgument(f"{name}: exactly one.", argument=f"/{name}")
    return values[0]
