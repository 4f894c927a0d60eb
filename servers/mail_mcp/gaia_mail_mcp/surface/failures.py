"""Converts exceptions to tool errors, for all tools. Entry: `failure`."""

from __future__ import annotations

import logging

from gaia_email_registry.contract.wire import ErrorBody
from gaia_email_registry.errors import InternalError, MailError
from gaia_email_registry.extras import missing_extra
from gaia_mail_mcp import convention
from gaia_mail_mcp.surface.call import ToolReply

_LOG = logging.getLogger("gaia_mail_mcp")

_UNEXPECTED = (
    "Something went wrong inside gaia-email itself ({kind}); your mail provider has nothing to do with it. What was "
    "running stands on the standard error of this server; please report it."
)


def failure(tool: str, error: Exception) -> ToolReply:
    """Return the reply of a failed call. An unexpected error is logged with its traceback, which the reply omits."""
    if isinstance(error, MailError):
        known = error
    elif (missing := missing_extra(error)) is not None:
        known = missing
    else:
        _LOG.error("%s failed unexpectedly", tool, exc_info=error)
        known = InternalError(_UNEXPECTED.format(kind=type(error).__name__))
    text = (
        convention.download_failed(known.message)
        if tool == "download_attachment"
        else convention.error(known.message)
    )
    if known.hint:
        text = f"{text}\n{known.hint}"
    return ToolReply(text=text, data={"error": body(known)}, failed=True)


def body(error: MailError) -> ErrorBody:
    """Convert the error to its JSON form."""
    answer: ErrorBody = {"kind": error.kind, "message": error.message}
    if error.argument is not None:
        answer["argument"] = error.argument
    if error.retry_after_s is not None:
        answer["retry_after_s"] = error.retry_after_s
    if error.hint is not None:
        answer["hint"] = error.hint
    return answer
