"""Attachment tools: `get_attachment`, `download_attachment`."""

from __future__ import annotations

import base64

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import AttachmentResult, DownloadResult
from gaia_mail_mcp import convention
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles
from gaia_mail_mcp.surface.jail import save

_TEXTUAL = ("text/", "application/json", "application/xml", "message/")


@handles(inputs.GetAttachment)
async def get_attachment(surface: Surface, given: inputs.GetAttachment) -> ToolReply:
    """Return an attachment's text or bytes, up to `max_bytes`."""
    filename, content_type, content = await surface.mailbox.attachment(given.message_id, given.attachment_id)
    kept = content[: given.max_bytes]
    answer: AttachmentResult = {
        "filename": filename,
        "content_type": content_type,
        "size": len(content),
        "truncated": len(kept) < len(content),
    }
    head = f"{convention.one_line(filename)} ({convention.one_line(content_type)}, {len(content)} bytes"
    head += f", the first {len(kept)} of them)" if answer["truncated"] else ")"
    if content_type.startswith(_TEXTUAL):
        answer["text"] = kept.decode("utf-8", errors="replace")
        return ToolReply(text=f"{head}\n\n{answer['text']}", data=answer)
    answer["data"] = base64.urlsafe_b64encode(kept).decode("ascii")
    return ToolReply(text=f"{head}\nIts bytes are in structuredContent, data.", data=answer)


@handles(inputs.DownloadAttachment)
async def download_attachment(surface: Surface, given: inputs.DownloadAttachment) -> ToolReply:
    """Save an attachment in the download directory, under an unused name."""
    filename, _, content = await surface.mailbox.attachment(given.message_id, given.attachment_id)
    name = given.filename or filename or f"attachment-{given.attachment_id}"
    path = save(surface.settings.download_dir, given.save_path, name, content)
    answer: DownloadResult = {
        "ok": True,
        "ids": [given.message_id],
        "failed": [],
        "path": str(path),
        "filename": path.name,
        "size": len(content),
    }
    return ToolReply(text=convention.download_attachment(path.name, len(content), str(path)), data=answer)
