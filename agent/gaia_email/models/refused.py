"""The refusal of the guard before language models. Entry: `GuardRefused`."""

from __future__ import annotations

from gaia_email_registry.errors import ProviderError


class GuardRefused(ProviderError):
    """The guard did not let a request out; the sentence says why."""
