"""`gaia email lessons`: what you taught, one line each; take lessons back one by one, or all at once."""

from __future__ import annotations

import json
from typing import TextIO

import click

from gaia_email.app import App
from gaia_email.app.operations import state
from gaia_email.app.operations.deciding import forget_lesson
from gaia_email.interfaces.cli.from_operation import (
    INTERFACE,
    call_operation,
    print_document,
    view_of,
)
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    NamedSource,
    pass_app,
    pass_asking_app,
    source_options,
)
from gaia_email.interfaces.cli.output import note, write_json
from gaia_email_registry.errors import BadArgument


@click.group(name="lessons", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
@pass_asking_app
def command(app: App, context: click.Context, as_json: bool) -> None:
    """List what you taught by corrections, answers and your own actions, newest first.

    `forget N` takes one lesson back, `clear` all of them; `export` and `import` carry them to another machine.
    """
    if context.invoked_subcommand is None:
        print_document(
            call_operation(app, state.lessons, {}), view_of(state.lessons), "json" if as_json else "card"
        )


@command.command(name="forget")
@click.argument("number", metavar="N", type=int)
@pass_asking_app
def forget(app: App, number: int) -> None:
    """Take lesson N back, as if it had never been taught."""
    call_operation(app, forget_lesson, {"number": number})
    note(f"lesson {number} is taken back.")


@command.command(name="notice")
@source_options
@pass_app
def notice(app: App, named: NamedSource) -> None:
    """Look now at what you did with earlier mail: answered, starred, put away unread. A triage does it by itself."""
    from gaia_email.app.services.teaching import notice_behaviour

    count = notice_behaviour(app, named.resolve(app))
    note(f"{count} new lesson{'' if count == 1 else 's'} from what you did; gaia email lessons lists them.")


@command.command(name="export")
@pass_app
def export(app: App) -> None:
    """Print all lessons as JSON, for `gaia email lessons import FILE`: senders and marks of words, no words."""
    from gaia_email.app.services.teaching import lessons_to_carry

    write_json(lessons_to_carry(app))


@command.command(name="import")
@click.argument("file", metavar="FILE", type=click.File(encoding="utf-8"))
@pass_app
def import_(app: App, file: TextIO) -> None:
    """Take in the lessons of FILE, or of standard input for -; what you said here of a message stands."""
    from gaia_email.app.services.teaching import take_in_lessons
    from gaia_email.interfaces.cli.person import need_person

    need_person(app)
    try:
        document: object = json.load(file)
    except ValueError as error:
        raise BadArgument(
            f"{file.name} is no JSON: {error}", hint="gaia email lessons export writes such a file."
        ) from None
    taken = take_in_lessons(app, document, actor=INTERFACE)
    known = f"; {taken.known} left out, since something was said of these mails here" if taken.known else ""
    note(f"{taken.added} lesson{'' if taken.added == 1 else 's'} taken in{known}.")


@command.command(name="clear")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def clear(app: App, yes: bool) -> None:
    """Take all lessons back; what you taught of every account."""
    from gaia_email.app.services.teaching import lessons_taught, take_back
    from gaia_email.interfaces.cli.person import need_person

    numbers = [one.id for one in lessons_taught(app)]
    if not numbers:
        note("nothing was taught yet.")
        return
    need_person(app)
    if not yes:
        click.confirm(f"Take back all {len(numbers)} lessons?", abort=True)
    take_back(app, numbers, actor=INTERFACE)
    note(f"{len(numbers)} taken back.")
