"""Explains why Microsoft's sign-in gave no token, and what to do. Entry: `refusal_of`.

Codes: https://learn.microsoft.com/entra/identity-platform/reference-error-codes; errors of the device code flow:
https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code#expected-errors. Codes come and go, so a code
that is not listed is explained by its OAuth error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gaia_email_registry.errors import NeedsAuth
from gaia_graph_mcp.failures import CONNECT

_DECLINED = "You did not agree, so nothing was connected; run the command again to start over."
_EXPIRED = "The code was not entered in time and has expired; run the command again for a new one."
_MISTYPED = "Microsoft does not know this code; run the command again and enter the new one as it is shown."
_REVOKED = "The login was revoked or has expired; connect again."
_CONSENT = "ask for consent to it (docs/graph.md has the address for the administrator)."

_CODES: Mapping[int, str] = {
    50011: "The registration does not have http://localhost as a redirect URI; add it under Public client/native.",
    50020: "This account is not of the organisation that the registration is for; sign in with one that is, or set "
    "GAIA_GRAPH_TENANT=consumers for a personal one.",
    50034: "There is no account with that address in this organisation; check the address, or GAIA_GRAPH_TENANT.",
    50053: "Microsoft has locked this account for a while after too many tries; wait, then sign in again.",
    50055: "The password has expired; set a new one on Microsoft's page, then connect again.",
    50057: "This account is switched off; ask the administrator of your organisation.",
    50059: "Microsoft cannot tell whose sign-in this is; set GAIA_GRAPH_TENANT to your organisation's domain.",
    50074: "Microsoft wants a second factor; sign in again in the browser, without --device-code.",
    50076: "Microsoft wants a second factor; sign in again in the browser, without --device-code.",
    50079: "Microsoft wants a second factor to be set up; sign in again in the browser, which leads you there.",
    50072: "Microsoft wants a second factor to be set up; sign in again in the browser, which leads you there.",
    50105: "Your organisation lets only some people use this program; ask its administrator.",
    50126: "Name or password is wrong; sign in again.",
    50158: "Your organisation wants another step of its own; sign in again in the browser, without --device-code.",
    50173: "The password was changed, so the login is over; connect again.",
    50194: "The registration is for one organisation only; set GAIA_GRAPH_TENANT to its domain, or allow accounts of "
    "any organisation in the registration.",
    50199: "Microsoft wants you to confirm this sign-in on its page; run the command again.",
    53000: "Your organisation wants a device that it manages; sign in on one, or ask its administrator.",
    53001: "Your organisation wants a device that has joined it; sign in on one, or ask its administrator.",
    53003: "A policy of your organisation blocks this sign-in; ask its administrator. Where it blocks codes for other "
    "devices, leave --device-code out.",
    65001: f"Nobody has agreed to this program yet; sign in again and agree, or ask the administrator: {_CONSENT}",
    65004: _DECLINED,
    65005: "The registration asks for what this organisation does not have; ask its administrator.",
    70000: _REVOKED,
    70008: _REVOKED,
    70011: "Microsoft does not know what is asked for; check --scopes, or GAIA_GRAPH_SCOPES.",
    70016: _EXPIRED,
    70018: _MISTYPED,
    70019: _EXPIRED,
    70020: _EXPIRED,
    90002: "Microsoft knows no such tenant; check GAIA_GRAPH_TENANT: consumers, organizations, common, a domain or id.",
    90033: "Microsoft's sign-in does not work just now; try again in a few minutes.",
    90072: "This account is of another organisation; choose another account, or change GAIA_GRAPH_TENANT.",
    90094: f"The administrator of your organisation has to allow this program; {_CONSENT}",
    90095: f"The administrator of your organisation has to allow this program; {_CONSENT}",
    500113: "The registration has no redirect URI; add http://localhost under Public client/native.",
    500200: "This is a personal account; set GAIA_GRAPH_TENANT=consumers.",
    530036: "Your organisation blocks codes for other devices; sign in in the browser, without --device-code.",
    650052: "Your organisation does not have this service; ask its administrator.",
    700016: "Microsoft does not know this client id in that tenant; check GAIA_GRAPH_CLIENT_ID, and GAIA_GRAPH_TENANT.",
    700082: "The login was not used for too long and has expired; connect again.",
    7000218: "The registration is not a public client: set Allow public client flows to Yes in its Authentication page "
    "(docs/graph.md, step 4), then connect again.",
    9002331: "The registration is for personal accounts only; set GAIA_GRAPH_TENANT=consumers.",
    9002346: "The registration is for personal accounts only; set GAIA_GRAPH_TENANT=consumers.",
}

_ERRORS: Mapping[str, str] = {
    "access_denied": _DECLINED,
    "authorization_declined": _DECLINED,
    "authorization_pending": _EXPIRED,
    "slow_down": _EXPIRED,
    "expired_token": _EXPIRED,
    "code_expired": _EXPIRED,
    "bad_verification_code": _MISTYPED,
    "consent_required": f"This program has not been agreed to; sign in again, or ask the administrator: {_CONSENT}",
    "interaction_required": "Microsoft wants to see you sign in; connect again in the browser.",
    "login_required": "Microsoft wants to see you sign in; connect again in the browser.",
    "invalid_grant": _REVOKED,
    "invalid_client": "Microsoft does not take this registration; check GAIA_GRAPH_CLIENT_ID, and that it allows "
    "public client flows.",
    "unauthorized_client": "Microsoft does not take this registration for that account; check GAIA_GRAPH_CLIENT_ID "
    "and GAIA_GRAPH_TENANT.",
    "invalid_scope": "Microsoft does not know what is asked for; check --scopes, or GAIA_GRAPH_SCOPES.",
    "temporarily_unavailable": "Microsoft's sign-in does not work just now; try again in a few minutes.",
}
"""`authorization_pending` and `slow_down` are the last errors when the code expires while waiting."""

_CODE = re.compile(r"AADSTS(\d{4,9})\b", re.ASCII)


def refusal_of(answer: Mapping[str, Any]) -> NeedsAuth:
    """Return the error for a response from msal without a token; it contains neither codes nor tokens."""
    error = str(answer.get("error") or "no answer")[:60]
    told = (_CODES.get(int(code)) for code in _CODE.findall(str(answer.get("error_description", ""))))
    sentence = next(filter(None, told), _ERRORS.get(error))
    shown = error if error.isprintable() else "unreadable"
    return NeedsAuth(
        sentence or f"Microsoft gives no token for this account ({shown}); connect again.",
        hint=f"Run: {CONNECT}",
    )
