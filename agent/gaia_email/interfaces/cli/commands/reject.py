"""`gaia email reject ID…`: say no to what was proposed."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="reject")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", default="", help="Why, for yourself.")
@output_options
@pass_app
def command(app: App, ids: tuple[str, ...], reason: str, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """Do nothing of what item or question ID proposes. A step of a level that was earned by approvals is taken back."""
    from gaia_email.interfaces.cli.acting import INTERFACE
    from gaia_email.interfaces.cli.answering import print_answers
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.services.answers import reject

    need_person(app)
    answers = reject(app, ids, interface=INTERFACE, reason=reason)
    return print_answers(answers, chosen_format(as_json, as_jsonl, fields), field_list(fields))
