"""`gaia-graph-mcp` as it is, but for the login: every account has the emulator's token. Run as a module."""

from __future__ import annotations

import gaia_graph_mcp.login
from gaia_graph_mcp.server import main
from tests.graph.acting import given_token

if __name__ == "__main__":
    gaia_graph_mcp.login.MsalTokens = given_token  # type: ignore[assignment,misc]  # pyright: ignore[reportAttributeAccessIssue]
    main()
