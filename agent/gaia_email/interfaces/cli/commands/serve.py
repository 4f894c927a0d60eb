"""`gaia email serve`: the agent for programs on this machine, and a page on which a person decides."""

from __future__ import annotations

from dataclasses import replace

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.http_keys import keys
from gaia_email.interfaces.cli.options import HelpfulGroup, pass_asking_app
from gaia_email.interfaces.http.contracts import OWN, contract_names

HOST_TOKEN = "GAIA_EMAIL_SIDECAR_TOKEN_FILE"
"""Variable in which GAIA's daemon names the file of the token that it made for this program."""


@click.group(name="serve", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--demo", is_flag=True, help="The sample mailbox, in a folder that goes at the end.")
@click.option("--open", "opens", is_flag=True, help="Open the page on which you decide in the browser.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65_535), default=8767, show_default=True, help="0 for any."
)
@click.option("--socket", metavar="PATH", default="", help="A Unix socket in place of a port.")
@click.option(
    "--bind", metavar="ADDRESS", default="127.0.0.1", help="For other machines; needs a certificate."
)
@click.option("--certificate", metavar="FILE", default="", help="The certificate chain, PEM.")
@click.option("--key", metavar="FILE", default="", help="Its private key, PEM.")
@click.option(
    "--approve",
    type=click.Choice(["person", "host"]),
    default="person",
    show_default=True,
    help="Who decides: a person, or any holder of the token.",
)
@click.option(
    "--contract",
    type=click.Choice(contract_names()),
    default=OWN,
    show_default=True,
    help="Contract at the root: ours, or that of another product for a host that speaks it.",
)
@pass_asking_app
@click.pass_context
def command(
    context: click.Context,
    app: App,
    demo: bool,
    opens: bool,
    port: int,
    socket: str,
    bind: str,
    certificate: str,
    key: str,
    approve: str,
    contract: str,
) -> int:
    """Answer programs of this machine over HTTP until stopped; docs/http.md says how to ask.

    Programs bring the API token, which reads and drafts and never decides. You decide on a page: --open shows it, or
    Enter in the terminal where this runs.
    """
    if context.invoked_subcommand is not None:
        return 0
    from gaia_email.interfaces.cli.serving import run_server
    from gaia_email.interfaces.http.serving import ServeOptions

    options = ServeOptions(
        host=bind,
        port=port,
        socket=socket,
        opens=opens,
        host_approves=approve == "host",
        certificate=certificate,
        key=key,
        contract=contract,
        token_file=app.environ.get(HOST_TOKEN, ""),
    )
    # Processes started by this one do not need the host's secret.
    app = replace(app, environ={name: value for name, value in app.environ.items() if name != HOST_TOKEN})
    return run_server(app, options, demo=demo)


@click.group(name="token", cls=HelpfulGroup)
def token() -> None:
    """The API token, with which programs of this machine ask; it decides nothing."""


@token.command(name="rotate")
@pass_asking_app
def rotate(app: App) -> None:
    """Make a new API token; from then on a server that runs refuses the old one."""
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.http.credentials import api_token_file
    from gaia_email_registry.token_file import new_token

    new_token(path := api_token_file(app.environ))
    note(f"a new token is in {path}; the old one is refused.")


command.add_command(keys)
command.add_command(token)
