"""Makes the asserts of the shipped contract suite tell as much as those of a test file."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("gaia_mail_mcp.testing")
