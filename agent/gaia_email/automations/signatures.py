"""Signatures of webhooks after the Standard Webhooks specification. Entry: `check_signature`."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping

from gaia_email_registry.errors import NeedsAuth

TOLERANCE_S = 300.0
"""Seconds by which the time of a request may differ from ours, against requests that are sent again."""


def check_signature(secret: bytes, headers: Mapping[str, str], body: bytes, *, now: float) -> None:
    """Raise where a request is not signed with the secret, or from another time.

    Args:
        secret: What both sides know.
        headers: Of the request, with names in lower case.
        body: As it came.
        now: Epoch seconds.

    Raises:
        NeedsAuth: It is not.
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
    """The signature, as the header has it after `v1,`."""
    text = b".".join((id_.encode(), at.encode(), body))
    return base64.b64encode(hmac.new(secret, text, hashlib.sha256).digest()).decode()
