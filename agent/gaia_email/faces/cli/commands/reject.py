"""`gaia email reject ID…`: say no to what was proposed."""

from __future__ import annotations

import click

from gaia_email.faces.cli.options import field_list, output_options
from gaia_email.faces.cli.output import chosen_format


@click.command(name="reject")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", default="", help="Why, for yourself.")
@output_options
def command(ids: tuple[str, ...], reason: str, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """Do nothing of what item or question ID proposes. A step of a level that was earned by approvals is taken back."""
    from gaia_email.faces.cli.agent_inbox import agent_inbox, server_inbox
    from gaia_email.faces.cli.answering import Answers, print_answers, reject_all, split

    servers = server_inbox()
    asked, rest = split(servers, list(dict.fromkeys(ids)))
    answers: Answers = [servers.reject(one.approval_id) for one in asked]
    if rest:
        with agent_inbox() as waiting:
            answers += reject_all(waiting, rest, reason)
    return print_answers(answers, chosen_format(as_json, as_jsonl), field_list(fields))
