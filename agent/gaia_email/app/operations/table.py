"""All operations by name: what interfaces offer. Entry: `OPERATIONS`."""

from __future__ import annotations

from gaia_email.app.operations import (
    acting,
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
    reopening,
    settings,
    state,
    teaching,
    upkeep,
)
from gaia_email.app.operations.operation import registered

OPERATIONS = registered(
    (
        reading,
        day,
        state,
        acting,
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
        reopening,
    )
)
"""In the order in which they are listed to a newcomer."""
