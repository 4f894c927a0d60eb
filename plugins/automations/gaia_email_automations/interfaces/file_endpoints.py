"""Files of runs over HTTP, with credentials or by a signed link. Entries: `file_content`, `shared_file`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.http.answering import Answering, person_hint
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.refusal import HttpRefusal, NeedsPerson
from gaia_email_automations.run_files import artifact_content, shared_artifact
from gaia_email_registry.errors import NeedsAuth

if TYPE_CHECKING:
    from gaia_email_automations.artifacts import StoredArtifact


async def file_content(answering: Answering, request: Request) -> Response:
    """Return the content of a file, to a person, or to a program unless the file is private.

    Raises:
        NeedsPerson: The file is private, and a program asked for it.
        MailError: The file does not exist, or its content has changed since it was saved.
    """
    principal = principal_of(request.scope)
    named: str = request.path_params["artifact_id"]
    found, content = await answering.turn(lambda: artifact_content(answering.app, named))
    if found.visibility == "private" and not principal.decides:
        raise NeedsPerson("This file is private; only a person may have it.", hint=person_hint(request))
    return _file(found, content)


async def shared_file(answering: Answering, request: Request) -> Response:
    """Return the content of the file behind a signed link.

    Raises:
        HttpRefusal: The link is invalid or has expired.
    """
    named, query = request.path_params, request.query_params
    expires, signature = query.get("expires", ""), query.get("signature", "")
    try:
        found, content = await answering.turn(
            lambda: shared_artifact(answering.app, named["run_id"], named["artifact_id"], expires, signature)
        )
    except NeedsAuth as error:
        raise HttpRefusal(401, "bad_signature", error.message, hint=error.hint or "") from None
    return _file(found, content)


def _file(found: StoredArtifact, content: bytes) -> Response:
    """Return a file as a download that browsers do not render."""
    return Response(
        content,
        media_type=found.media_type,
        headers={
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.name, safe='')}",
            "Cache-Control": "no-store",
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "X-Content-Type-Options": "nosniff",
        },
    )
