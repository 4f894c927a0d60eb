"""Asks once, at a terminal, about a `mcp_servers.json` in the working directory. Entry: `ask_about_project`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.app.services import mcp_servers
from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.cli.person import need_yes, open_terminal
from gaia_mail.printable import visible


def ask_about_project(app: App, name: str) -> None:
    """Show what the file would start and ask, if it lists that server and its present form is not yet approved.

    Without a terminal nothing is asked; starting the server then fails for lack of approval.

    Raises:
        NeedsApproval: The user did not agree.
        MailError: A file or the ledger cannot be read.
    """
    project = mcp_servers.to_agree(app, name)
    terminal = None if project is None else open_terminal()
    if project is None or terminal is None:
        return
    terminal.close()
    note(visible(f"{project.path} came with this folder, and lists:"))
    for listed, spec in project.servers.items():
        note(visible(f"  {listed}: {mcp_servers.target_of(spec)}"))
    need_yes(app, "Let what it lists be started", scripts=False)
    project.agree(app.environ)
