"""`gaia email label ID --label NAME`: one of your labels on a message, or off it."""

from __future__ import annotations

from gaia_email.app.operations.labelling import put_label
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    put_label,
    """Give messages one of your labels, or take it off them with --off; both teach which mail it is for.

    `gaia email labels create NAME SENTENCE` makes a label; `gaia email labels` lists those you have.
    """,
    ACTED,
    name="label",
)
