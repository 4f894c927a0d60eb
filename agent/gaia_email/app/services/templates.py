"""The answers that the user wrote, for who lists them or offers one. Entry: `load_user_templates`."""

from __future__ import annotations

from pathlib import Path

from gaia_email.app import App
from gaia_email.ledger import template_files
from gaia_email.ledger.template_files import Templates as Templates


def load_user_templates(app: App) -> Templates:
    """Those that can be used, and for each other one why not.

    Raises:
        MailError: Their folder cannot be read.
    """
    return template_files.load_templates(app.environ)


def templates_directory(app: App) -> Path:
    """Where they are kept."""
    return template_files.templates_directory(app.environ)
