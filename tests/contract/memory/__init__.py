"""A whole mail account in memory with true semantics, for tests.

Entry: `MemoryMailbox`.
"""

from gaia_mail_mcp.delivery import Delivery
from tests.contract.memory.mailbox import MemoryMailbox

__all__ = ["Delivery", "MemoryMailbox"]
