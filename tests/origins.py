"""Origins that tests give to what waits."""

from __future__ import annotations

from gaia_email_registry.origin import RequestOrigin

PERSON = RequestOrigin(principal="person", interface="cli")
KEY = RequestOrigin(principal="api_key", interface="http", name="phone")
CLIENT = RequestOrigin(principal="mcp_client", interface="mcp")
