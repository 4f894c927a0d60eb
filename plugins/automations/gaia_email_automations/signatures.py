"""Verify webhook signatures by the Standard Webhooks specification. Entry: `check_signature`."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping

from gaia_email_registry.errors import NeedsAuth

TOLERANCE_S = 300.0
"""Maximum number of seconds between a request's time and the current time, against replayed requests."""


def check_signature(secret: bytes, headers: Mapping[str, str], body: bytes, *, now: float) -> None:
    """Raise if a request is not signed with the secret, or is from another time.

    Args:
        secret: The shared secret.
        headers: The request's headers, with names in lower case.
        body: The request's body, unchanged.
        now: Epoch seconds.

    Raises:
        NeedsAuth: The signature is missing, invalid or outdated.
    """
    id_, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not id_ or not at.isdigit() or len(at) > 12 or abs(now - int(at)) > TOLERANCE_S:
        raise NeedsAuth("The request is not signed, or its time is not now.", hint="webhook-timestamp")
    wanted = sign(secret, id_, at, body)
    given = [
        one.partition(",")[2] for one in headers.get("webhook-signature", "").split() if one[:3] == "v1,"
    ]
    if not any(hmac.compare_digest(wanted, one) for one in given):
        raise NeedsAuth("The signature of the request is not valid.", hint="webhook-signature")


def sign(secret: bytes, id_: str, at: str, body: bytes) -> str:
    """Return the signature that follows `v1,` in the header."""
    text = b".".join((id_.encode(), at.encode(), body))
    return base64.b64encode(hmac.new(secret, text, hashlib.sha256).digest()).decode()
