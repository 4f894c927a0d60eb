"""`gaia email ledger verify`: whether the ledger is whole."""

from __future__ import annotations

import click


@click.group(name="ledger")
def command() -> None:
    """The ledger: what was understood, done, asked and answered, kept on this machine."""


@command.command(name="verify")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def verify(context: click.Context, as_json: bool) -> None:
    """Read the whole ledger and walk the chain of its events; exit code 1 when something is broken."""
    from gaia_email.faces.cli.output import note, write_json
    from gaia_email.ledger import open_ledger

    with open_ledger() as ledger:
        database = ledger.check()
        with ledger.read() as tx:
            broken = ledger.events.verify(tx)
            count, last = ledger.events.count(tx), ledger.events.last(tx)
    intact = broken is None and database is None
    if as_json:
        write_json(
            {
                "schema_version": 1,
                "intact": intact,
                "events": count,
                "last_event": last,
                "broken": None if broken is None else {"seq": broken.seq, "reason": broken.reason},
                "database": database,
            }
        )
    elif intact:
        click.echo(f"The ledger is whole: {count:,} events, each as it was written.")
    if broken is not None:
        note(f"Event {broken.seq} is broken: {broken.reason}.")
    if database is not None:
        note(f"The database is damaged: {database}")
    if not intact:
        context.exit(1)
