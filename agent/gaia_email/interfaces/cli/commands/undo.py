"""`gaia email undo`: undoes actions by action, run, session or time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.app.documents.actions import ACTION_COLUMNS
from gaia_email.app.operations.acting import undo
from gaia_email.interfaces.cli.did import problems
from gaia_email.interfaces.cli.errors import OK, PARTIAL
from gaia_email.interfaces.cli.from_operation import (
    OperationView,
    call_operation,
    operation_parameters,
    print_document,
)
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_app,
    pass_output,
    source_options,
)
from gaia_email.interfaces.cli.times import since_epoch
from gaia_email_registry.clock import utc_now

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec

_VIEW = OperationView(
    columns=ACTION_COLUMNS,
    rows=lambda document: document["taken_back"],
    notes=problems,
    noted=("jsonl", "tsv"),
    card="action_card.print_undone",
    code=lambda document: PARTIAL if document["kept"] or document["left"] else OK,
)


@click.command(name="undo")
@source_options
@pass_output
@pass_app
def command(
    app: App,
    /,
    named: NamedSource,
    out: OutputChoice,
    **asked: str | None,
) -> int:
    """Take back what was done last, or what ID or an option names; what you changed since is left alone and named.

    ID is of an action, a run, or something you approved, as any list shows it. Without one it is the last run, or the
    last single action. The mailbox need not be named. An undo is an action itself.
    """
    from gaia_email.interfaces.cli.acting import acting_progress
    from gaia_email.interfaces.cli.person import need_person

    if sum(value is not None for value in asked.values()) > 1:
        raise click.UsageError("Name one of ID, --action, --run, --session and --since, not several.")
    need_person(app)
    source = _source(app, named, **asked)
    answer = call_operation(app, undo, asked, asks="", progress=acting_progress, source=source)
    return print_document(answer, _VIEW, *out)


command.params[:0] = operation_parameters(undo)


def _source(
    app: App,
    named: NamedSource,
    *,
    id: str | None,
    action_id: str | None,
    run_id: str | None,
    session_id: str | None,
    since: str | None,
) -> SourceSpec:
    """Return the mailbox of the actions, unless options name one."""
    from gaia_email.app.services.names import named_to_undo
    from gaia_email.interfaces.cli.naming import source_of, source_of_done

    after = since_epoch(since, utc_now())
    exact = id or (None if named.is_named else action_id or run_id)
    if exact and (about := named_to_undo(app, exact)):
        return source_of(app, about, named)
    return source_of_done(app, named, session=session_id, since=after)
