"""All operations by name. Entry: `OPERATIONS`."""

from __future__ import annotations

from gaia_email.app.operations import (
    acting,
    answering,
    artifacts,
    automation_authoring,
    automations,
    composing,
    connecting,
    control,
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
        automations,
        automation_authoring,
        artifacts,
        control,
        connecting,
        integrations,
        teaching,
        upkeep,
        settings,
    )
)
"""All operations, in the order in which they are listed to new users."""


def document_names() -> tuple[str, ...]:
    """Return the commands whose document has a published schema."""
    from gaia_email.app.documents.schemas import NAMES

    return (*NAMES, *COMMAND_DOCUMENTS)
