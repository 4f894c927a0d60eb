"""All operations by name. Entry: `OPERATIONS`."""

from __future__ import annotations

from importlib import import_module

from gaia_email.app.operations import (
    acting,
    answering,
    composing,
    connecting,
    day,
    deciding,
    dictating,
    integrations,
    labelling,
    policy,
    reading,
    senders,
    settings,
    state,
    teaching,
    upkeep,
)
from gaia_email.app.operations.operation import collect_operations
from gaia_email.document import COMMAND_DOCUMENTS
from gaia_email.plugins import installed_plugins

OPERATIONS = collect_operations(
    (
        reading,
        senders,
        day,
        state,
        acting,
        answering,
        labelling,
        composing,
        dictating,
        deciding,
        policy,
        connecting,
        integrations,
        teaching,
        upkeep,
        settings,
        *(import_module(name) for plugin in installed_plugins() for name in plugin.operations),
    )
)
"""All operations, in the order in which they are listed to new users."""


def document_names() -> tuple[str, ...]:
    """Return the commands whose document has a published schema."""
    from gaia_email.app.documents import schemas

    return (*schemas.document_names(), *COMMAND_DOCUMENTS)
