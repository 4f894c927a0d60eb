"""How DBOS keeps what runs are asked for and answer: as JSON, never as pickled objects. Entry point: `RunsJson`."""

from __future__ import annotations

import json
from datetime import datetime

from dbos import Serializer

from gaia_email_registry.errors import BY_KIND, InternalError, MailError

_TIME, _ERROR = "$time", "$error"


class RunsJson(Serializer):
    """JSON with times and errors. An error keeps its kind and sentence; of one that is none of ours, only its type."""

    def name(self) -> str:
        """As DBOS notes it beside each value."""
        return "gaia_json"

    def serialize(self, data: object) -> str:
        """As text.

        Raises:
            TypeError: It is nothing that may be kept.
        """
        return json.dumps(data, default=_plain, separators=(",", ":"))

    def deserialize(self, serialized_data: str) -> object:
        """From what `serialize` wrote."""
        return json.loads(serialized_data, object_hook=_object)


def _plain(value: object) -> dict[str, object]:
    if isinstance(value, datetime):
        return {_TIME: value.isoformat()}
    if isinstance(value, MailError):
        return {_ERROR: value.kind, "message": value.message, "hint": value.hint}
    if isinstance(value, BaseException):
        # Its words may be those of a message that some rule stumbled over.
        return {
            _ERROR: "internal",
            "message": f"Something went wrong inside ({type(value).__name__}).",
            "hint": None,
        }
    raise TypeError(f"{type(value).__name__} is not kept")


def _object(value: dict[str, object]) -> object:
    if _TIME in value:
        return datetime.fromisoformat(str(value[_TIME]))
    if _ERROR in value:
        hint = value.get("hint")
        known = BY_KIND.get(str(value[_ERROR]), InternalError)
        return known(str(value.get("message")), hint=None if hint is None else str(hint))
    return value
