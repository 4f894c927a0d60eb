"""A form as shown, and its posted data. Entries: `WebForm`, `posted_form`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gaia_email.app.json_schemas import PlacedError, errors_in_process
from gaia_email.interfaces.web.forms.fields import (
    FieldBuilder,
    FormField,
    FormOption,
    first_inside,
    first_with_error,
)
from gaia_email.interfaces.web.forms.reading import PostedForm, apply_button
from gaia_email.interfaces.web.forms.shapes import Schema
from gaia_email_registry.errors import MailError

SchemaCheck = Callable[[Mapping[str, Any], object], list[PlacedError]]
"""Returns the errors of a value, by its schema and the value."""

DO = "~do"
"""Field posted by a form's buttons: `add:`, `remove:`, `up:` or `down:` with a pointer, or `show` to re-render it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebForm:
    """A form.

    Attributes:
        name: Its name on the page.
        post: The target of its data, below `ui/`.
        root: Its fields.
        submit: The text of its button.
        hidden: Hidden fields.
        focus: The field or button with the initial focus; empty for none.
        is_edited: True if it contains unsaved changes.
    """

    name: str
    post: str
    root: FormField
    submit: str = "Save"
    hidden: tuple[tuple[str, str], ...] = ()
    focus: str = ""
    is_edited: bool = False


@dataclass(slots=True, kw_only=True)
class PostedValue:
    """The posted data of a form.

    Attributes:
        value: Its JSON.
        errors: Its errors.
        typed: Text that is not valid JSON, by pointer.
        focus: The element with the focus when the form is shown again; empty for the first error.
        is_only_shown: True if it must not be saved, since one of the form's own buttons was pressed.
    """

    value: dict[str, Any]
    errors: list[PlacedError] = field(default_factory=list[PlacedError])
    typed: Mapping[str, str] = field(default_factory=dict[str, str])
    focus: str = ""
    is_only_shown: bool = False

    def add(self, error: MailError) -> None:
        """Add an error from the server, at the field it names."""
        at = error.argument or ""
        pointer = at if at.startswith("/") or not at else f"/{at}"
        said = f"{error.message} {error.hint[:1].upper()}{error.hint[1:]}" if error.hint else error.message
        self.errors.append(PlacedError(pointer=pointer, message=said))


def posted_form(
    schema: Schema,
    fields: Mapping[str, Sequence[str]],
    *,
    checked: bool = True,
    check: SchemaCheck = errors_in_process,
) -> PostedValue:
    """Parse posted data; with `checked`, add all violations of the schema.

    Args:
        schema: The schema of the form.
        fields: The posted data.
        checked: False to add no violations.
        check: Returns the violations; another one than the default if others than this program wrote the schema.

    Raises:
        BadArgument: The data does not match the form.
    """
    posted = PostedForm(fields=fields)
    value = posted.value(schema)
    found = PostedValue(value=value, errors=posted.errors, typed=posted.typed)
    what = next(iter(fields.get(DO, ())[-1:]), "")
    if what:
        found.is_only_shown = True
        found.focus = "" if what.startswith("show") else apply_button(schema, value, what)
        found.focus = what.partition(":")[2] if what.startswith("show") else found.focus
    elif checked and not posted.errors:
        found.errors = check(schema, value)
    return found


def form_of(
    schema: Schema,
    value: Mapping[str, Any] | None,
    *,
    name: str,
    post: str,
    submit: str = "Save",
    hidden: Sequence[tuple[str, str]] = (),
    sources: Mapping[str, Sequence[FormOption]] | None = None,
    posted: PostedValue | None = None,
) -> WebForm:
    """Return the form for a value, or as posted with its errors."""
    builder = FieldBuilder(sources=sources or {})
    if posted is not None:
        builder.errors, builder.typed = posted.errors, posted.typed
    root = builder.build(schema, dict(value or {}) if posted is None else posted.value)
    focus = ""
    if posted is not None:
        focus = posted.focus or (first_with_error((root,)) if posted.errors else "")
        focus = first_inside(root, focus) or focus
    return WebForm(
        name=name,
        post=post,
        root=root,
        submit=submit,
        hidden=tuple(hidden),
        focus=focus,
        is_edited=posted is not None,
    )
