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

from tests.contract.suite.calendar import CalendarContract
from tests.contract.suite.drafts import DraftsContract
from tests.contract.suite.labels import LabelsContract
from tests.contract.suite.look import Mirror, find, look
from tests.contract.suite.moving import MovingContract
from tests.contract.suite.reading import ReadingContract
from tests.contract.suite.rules import RulesContract
from tests.contract.suite.seed import Seed, an_event, many, write_message
from tests.contract.suite.sending import SendingContract
from tests.contract.suite.syncing import SyncingContract

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
