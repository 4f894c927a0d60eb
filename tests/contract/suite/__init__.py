"""The mailbox contract suite, for every server's tests: subclass `MailboxContract` and give it a mailbox.

```python
class TestMaildir(MailboxContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path): self.path = tmp_path
    async def open_mailbox(self, seeds): ...
    async def deliver(self, mailbox, seed): ...
```
"""

from __future__ import annotations

from gaia_mail_mcp.testing.calendar import CalendarContract
from gaia_mail_mcp.testing.drafts import DraftsContract
from gaia_mail_mcp.testing.labels import LabelsContract
from gaia_mail_mcp.testing.look import Mirror, find, look
from gaia_mail_mcp.testing.moving import MovingContract
from gaia_mail_mcp.testing.reading import ReadingContract
from gaia_mail_mcp.testing.rules import RulesContract
from gaia_mail_mcp.testing.seed import Seed, an_event, many, write_message
from gaia_mail_mcp.testing.sending import SendingContract
from gaia_mail_mcp.testing.syncing import SyncingContract

__all__ = ["MailboxContract", "Mirror", "Seed", "an_event", "find", "look", "many", "write_message"]


class MailboxContract(
    ReadingContract,
    SyncingContract,
    LabelsContract,
    MovingContract,
    DraftsContract,
    SendingContract,
    RulesContract,
    CalendarContract,
):
    """Everything that has to hold for any `Mailbox`."""
