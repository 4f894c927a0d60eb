"""The marks of quoted mail and signatures in the HTML of mail programs: data tables, one lookup. Entry: `mark_of`.

Gathered from the markup that the programs send. Outlook puts `x_` before classes and ids of the mail that it
quotes.
"""

from __future__ import annotations

from typing import Literal

ConventionKind = Literal["quote", "container", "rest", "signature", "cue"]
"""`quote`: the element is quoted. `container`: it has attribution, quotes and inline replies together.

`rest`: everything from here on is quoted. `signature`: the element is one. `cue`: the rest is quoted if a
header block (From:, Sent:, To:) follows.
"""

BY_CLASS: dict[str, tuple[ConventionKind, str]] = {
    "gmail_quote": ("container", "gmail_quote"),
    "gmail_quote_container": ("container", "gmail_quote"),
    "gmail_attr": ("quote", "gmail_quote"),
    "yahoo_quoted": ("quote", "yahoo_quoted"),
    "yahoo-quoted-begin": ("rest", "yahoo_quoted"),
    "ydp-yahoo-quoted": ("quote", "yahoo_quoted"),
    "moz-cite-prefix": ("quote", "moz-cite-prefix"),
    "moz-forward-container": ("quote", "moz-forward-container"),
    "protonmail_quote": ("quote", "protonmail_quote"),
    "tutanota_quote": ("quote", "tutanota_quote"),
    "zmail_extra": ("quote", "zmail_extra"),
    "zmail_extra_hr": ("rest", "zmail_extra"),
    "OutlookMessageHeader": ("rest", "OutlookMessageHeader"),
    "cite2": ("quote", "emclient"),
    "clean_bq": ("quote", "airmail"),
    "front-blockquote": ("quote", "front"),
    "missive_quote": ("quote", "missive"),
    "sh-quoted-content": ("quote", "superhuman"),
    "freshdesk_quote": ("quote", "freshdesk"),
    "hs_reply": ("quote", "hubspot"),
    "mailbird_quote": ("quote", "mailbird"),
    "nylas-quote": ("container", "gmail_quote"),
    "iwm_quote": ("quote", "iwm"),
    "aol_quote": ("quote", "aol"),
    "gmail_signature": ("signature", "gmail_signature"),
    "gmail_signature_prefix": ("signature", "gmail_signature"),
    "moz-signature": ("signature", "moz-signature"),
    "protonmail_signature_block": ("signature", "protonmail_signature"),
    "AppleMailSignature": ("signature", "apple_signature"),
}

BY_ID: dict[str, tuple[ConventionKind, str]] = {
    "divRplyFwdMsg": ("rest", "divRplyFwdMsg"),
    "appendonsend": ("rest", "appendonsend"),
    "stopSpelling": ("rest", "stopSpelling"),
    "mail-editor-reference-message-container": ("rest", "outlook-reference"),
    "ms-outlook-mobile-body-separator-line": ("cue", "outlook-mobile"),
    "OLK_SRC_BODY_SECTION": ("quote", "OLK_SRC_BODY_SECTION"),
    "reply-intro": ("quote", "roundcube"),
    "replybody": ("quote", "roundcube"),
    "isReplyContent": ("quote", "netease"),
    "zwchr": ("rest", "zimbra"),
    "yahoo_quoted": ("quote", "yahoo_quoted"),
    "qt": ("quote", "fastmail"),
    "Signature": ("signature", "outlook_signature"),
    "ms-outlook-mobile-signature": ("signature", "outlook_signature"),
    "AppleMailSignature": ("signature", "apple_signature"),
}

BY_NAME: dict[str, tuple[ConventionKind, str]] = {
    "quote": ("quote", "gmx"),
    "messageReplySection": ("quote", "spark"),
    "messageSignatureSection": ("signature", "spark"),
}

BY_MARKER: dict[str, tuple[ConventionKind, str]] = {
    "__DIVIDER__": ("rest", "zimbra"),
    "__QUOTED_TEXT__": ("quote", "zimbra"),
    "__SIG_PRE__": ("signature", "zimbra"),
    "__SIG_POST__": ("signature", "zimbra"),
}

OUTLOOK_RULES = ("#b5c4df", "#e1e1e1", "rgb(181, 196, 223)", "rgb(225, 225, 225)", "3.0pt 0", "3pt 0")
"""In a style with `border-top`: the line that Outlook draws above the header block of the mail it quotes."""


def mark_of(attrs: dict[str, str | None]) -> tuple[ConventionKind, str] | None:
    """Return the convention of an element's class, id, name or data attributes; None if it has none."""
    value = attrs.get("class")
    if value:
        for name in value.split()[:20]:
            mark = BY_CLASS.get(name.removeprefix("x_"))
            if mark is not None:
                return mark
    value = attrs.get("id")
    if value:
        mark = BY_ID.get(value.removeprefix("x_"))
        if mark is not None:
            return mark
        if value.startswith("yahoo_quoted"):
            return ("quote", "yahoo_quoted")
        if value.startswith("AppleMailSignature"):
            return ("signature", "apple_signature")
    value = attrs.get("name")
    if value and value in BY_NAME:
        return BY_NAME[value]
    value = attrs.get("data-marker")
    if value:
        return BY_MARKER.get(value)
    if attrs.get("data-smartmail") == "gmail_signature":
        return ("signature", "gmail_signature")
    return None


def is_outlook_rule(style: str) -> bool:
    """Return True if a style draws the line above Outlook's header block (a header block has to follow)."""
    if "border-top" not in style and "BORDER-TOP" not in style:
        return False
    lowered = style.lower()
    return "solid" in lowered and any(mark in lowered for mark in OUTLOOK_RULES)
