"""All operations by name: what interfaces offer. Entry: `OPERATIONS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaia_email.app.operations.acting import ACTING
from gaia_email.app.operations.artifacts import ARTIFACTS
from gaia_email.app.operations.automation_authoring import AUTHORING
from gaia_email.app.operations.automations import AUTOMATIONS
from gaia_email.app.operations.composing import COMPOSING
from gaia_email.app.operations.connecting import CONNECTING
from gaia_email.app.operations.control import CONTROL
from gaia_email.app.operations.day import DAY
from gaia_email.app.operations.deciding import DECIDING
from gaia_email.app.operations.integrations import INTEGRATIONS
from gaia_email.app.operations.labelling import LABELLING
from gaia_email.app.operations.operation import Operation
from gaia_email.app.operations.policy import POLICY_CHANGES
from gaia_email.app.operations.reading import READING
from gaia_email.app.operations.reopening import REOPEN
from gaia_email.app.operations.settings import SETTINGS_AND_MODELS
from gaia_email.app.operations.state import STATE
from gaia_email.app.operations.teaching import TEACH
from gaia_email.app.operations.upkeep import PURGE

OPERATIONS: Mapping[str, Operation[Any]] = {
    one.name: one
    for one in (
        *READING,
        *DAY,
        *STATE,
        *ACTING,
        *LABELLING,
        *COMPOSING,
        *DECIDING,
        *POLICY_CHANGES,
        *AUTOMATIONS,
        *AUTHORING,
        *ARTIFACTS,
        *CONTROL,
        *CONNECTING,
        *INTEGRATIONS,
        TEACH,
        PURGE,
        *SETTINGS_AND_MODELS,
        REOPEN,
    )
}
"""In the order in which they are listed to a newcomer."""
