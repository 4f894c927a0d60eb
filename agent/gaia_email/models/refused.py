"""The error of the guard for language models. Entry: `GuardRefused`."""

from __future__ import annotations

from gaia_email_registry.errors import ProviderError


class GuardRefused(ProviderError):
    """The guard did not send a request; the message is the reason."""
