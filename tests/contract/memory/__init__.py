"""A whole mail account in memory with true semantics, for every test above and for trying things out.

Entry: `MemoryMailbox`.
"""

from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.memory.mailbox import MemoryMailbox

__all__ = ["Delivery", "MemoryMailbox"]
