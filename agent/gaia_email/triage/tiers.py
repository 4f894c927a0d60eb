"""Who judges mail, by the user's settings. Entry: `default_tier`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gaia_email.cascade.builtin_tier import BuiltinTier
from gaia_email.cascade.verdict import Tier
from gaia_email_registry import settings


def default_tier(*, summaries: bool = True, environ: Mapping[str, str] = os.environ) -> Tier:
    """The tiers that need no model server: today tier 0; without one-line summaries where they are not shown.

    `GAIA_AUTHSERV_IDS` names who writes Authentication-Results into the user's mail.
    """
    return BuiltinTier(summaries=summaries, trusted_servers=settings.authserv_ids(environ))
