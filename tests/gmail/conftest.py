"""What Gmail tests start from."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("gaia_mail_mcp.testing")
