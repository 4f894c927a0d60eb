"""Legal boilerplate, scanner notes and mailing-list footers out of plain text: `split_disclaimer`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from ahocorasick_rs import BytesAhoCorasick

from gaia_email.prepare.split import TextSplit, lines_of
from gaia_mail.lazy import lazy_pattern

MAX_TAIL = 12_000
MAX_PARAGRAPHS = 12
MAX_PARAGRAPH = 4000
MAX_PLACES = 4
WINDOW = 260
MAX_REMEMBERED = 600
"""Paragraphs up to so many characters are remembered: footers come with every message of a list or a sender."""

_SIGNS: tuple[tuple[str, str], ...] = (
    (
        "confiden",
        r"\b(?:this|the|any|all)\b.{0,100}\b(?:e-?mail|message|communication|transmission|information|"
        r"document)s?\b.{0,200}\bconfidential",
    ),
    ("confiden", r"confidentiality (?:notice|note|statement|warning|disclaimer)"),
    (
        "intended",
        r"\b(?:this|the)\b.{0,60}\b(?:e-?mail|message|communication|transmission|information|"
        r"document)s?\b.{0,160}\bintended (?:solely |only |exclusively )?for",
    ),
    ("intended", r"(?:not|than) (?:the|an) intended (?:recipient|addressee)"),
    ("named ", r"not the named (?:recipient|addressee)"),
    ("privileged", r"\b(?:e-?mail|message|communication|information)s?\b.{0,160}\bprivileged"),
    ("in error", r"\breceived (?:this|the)\b.{0,60}\bin error"),
    ("by mistake", r"\breceived (?:this|the)\b.{0,60}\bby mistake"),
    ("to whom", r"(?:individual|person|entity|addressee)\b.{0,40}to whom (?:it is|they are|this)"),
    ("disclaimer", r"(?:legal|e-?mail) disclaimer|^\W{0,4}disclaimer\b"),
    (
        "unsubscribe",
        r"^\W{0,4}(?:to |click here to |you can |click to )?unsubscribe\b|unsubscribe (?:from (?:this|these|"
        r"our|all)|at any time|here|link|by |:|<|\()|\bto unsubscribe\b.{0,80}(?:list|group|e-?mails?|click|"
        r"send|visit|http|reply)",
    ),
    ("subscri", r"you.{0,20} receiv.{0,160}\bsubscri|(?:manage|update|change) your (?:\w+ )?subscription"),
    ("you received this", r"\byou received this (?:e-?mail|message|mail)\b.{0,80}\b(?:because|as)\b"),
    ("you are receiving this", r"\byou are receiving this\b"),
    ("you're receiving this", r"\byou're receiving this\b"),
    ("preferences", r"(?:manage|update|change|edit) your (?:\w+ )?preferences"),
    ("mailing list", r"\bmailing list\b.{0,120}(?:https?:|@)"),
    ("listinfo", r"mailman\d?/listinfo|/listinfo/"),
    ("google groups", r"google groups"),
    ("groups.google", r"groups\.google\.com"),
    ("view it on github", r"view it on github"),
    (
        "virus",
        r"scanned (?:for|by|using).{0,60}virus|virus[- ]free|checked for viruses|no virus found|free of "
        r"viruses|anti-?virus|transmit.{0,20}virus|(?:viren|virus).{0,30}geprüft|computer virus|presence of "
        r"viruses",
    ),
    (
        "scanned by",
        r"scanned by (?:mailscanner|avast|avg|mimecast|symantec|messagelabs|mcafee|eset|kaspersky|sophos)",
    ),
    ("before printing", r"before printing"),
    ("environment", r"(?:consider|think of|think about|protect|respect|care for) (?:the|our) environment"),
    ("ausdruck", r"umwelt.{0,80}ausdruck|(?:e-?mail|nachricht).{0,40}ausdruck.{0,80}umwelt"),
    ("environnement", r"environnement.{0,60}imprimer|imprimer.{0,80}environnement"),
    ("imprimir", r"antes de imprimir.{0,80}(?:medio ?ambiente|necesario|meio ambiente|ambiente|responsabil)"),
    ("medio ambiente", r"medio ambiente.{0,80}imprim"),
    ("stamp", r"ambiente.{0,60}stampa|(?:prima di|non) stampa.{0,80}ambiente"),
    ("afdrukt", r"milieu.{0,60}afdruk|afdruk.{0,60}milieu"),
    ("print", r"(?:miljö|miljø|miljö|ympäristö).{0,60}(?:print|skriver ut|udskriv|tulosta)"),
    ("drukowaniem", r"przed wydrukowaniem|środowisk.{0,60}druk"),
    (
        "virus",
        r"(?:comprobado|analizado|verificado|verificada|controllat|analys|geprüft|gecontroleerd|kontroller)"
        r".{0,60}virus|(?:sans|sin|sem|senza) virus|libre de virus|virenfrei|virus ?vrij|virusfri",
    ),
    ("вирус", r"проверено на вирусы|на наличие вирусов|антивирус"),
    ("unauthori", r"unauthori[sz]ed (?:use|review|disclosure|copying|distribution|access)"),
    (
        "views",
        r"\bviews (?:or opinions )?expressed\b.{0,80}(?:author|sender)|"
        r"opinions.{0,40}expressed.{0,80}(?:author|sender)",
    ),
    ("rights reserved", r"(?:copyright|©|\(c\)).{0,80}all rights reserved"),
    ("registered", r"registered (?:office|in england|number)"),
    (
        "vertraulich",
        r"diese[rs]? (?:e-?mail|nachricht|mitteilung).{0,160}vertraulich|vertrauliche.{0,60}informationen",
    ),
    ("bestimmt", r"diese (?:e-?mail|nachricht).{0,120}bestimmt"),
    ("adressat", r"nicht der (?:richtige|beabsichtigte) adressat"),
    ("irrtümlich", r"irrtümlich erhalten"),
    ("abmelden", r"newsletter.{0,60}abmelden|abmelden.{0,40}(?:http|klick|newsletter)"),
    ("abbestell", r"newsletter.{0,60}abbestell|abbestell.{0,40}(?:http|klick|newsletter)"),
    ("vertrouwelijk", r"\b(?:dit|deze) (?:e-?mail|bericht|e-mailbericht).{0,160}vertrouwelijk"),
    ("bestemd", r"\b(?:dit|deze) (?:e-?mail|bericht|e-mailbericht).{0,160}bestemd"),
    ("uitschrijven", r"uitschrijven.{0,60}(?:nieuwsbrief|klik|http)|nieuwsbrief.{0,60}uitschrijven"),
    ("afmeld", r"afmelden.{0,60}(?:nieuwsbrief|klik|http)|afmeld (?:dig|nyhedsbrev)"),
    (
        "konfidenti",
        r"(?:detta|denna|dette|denne) (?:e-?post|e-?mail|meddelande|mail|meddelelse|"
        r"melding).{0,160}konfidenti",
    ),
    ("fortrolig", r"(?:dette|denne) (?:e-?post|e-?mail|mail|meddelelse|melding).{0,160}fortrolig"),
    ("avsedd", r"(?:detta|denna) (?:e-?post|e-?mail|meddelande).{0,160}avsed"),
    ("avregistrera", r"avregistrera"),
    ("luottamuksell", r"tämä (?:sähköposti)?viesti.{0,160}luottamuksell"),
    (
        "confiden",
        r"\b(?:ce|cet|cette) (?:message|courriel|e-?mail|courrier|communication|mail)\b.{0,200}confidentiel",
    ),
    (
        "destin",
        r"\b(?:ce|cet|cette) (?:message|courriel|e-?mail|courrier|mail)\b.{0,160}(?:destiné|destinataire)",
    ),
    ("par erreur", r"(?:reçu|recu) .{0,60}par erreur"),
    ("désabonn", r"(?:se|vous) désabonner|désabonnement"),
    ("désinscri", r"vous désinscrire|désinscription"),
    ("confiden", r"\best[ea] (?:mensaje|correo|e-?mail|mensagem|comunicação)\b.{0,200}confiden"),
    ("dirigid", r"\best[ea] (?:mensaje|correo|e-?mail|mensagem)\b.{0,160}dirigid"),
    ("por error", r"ha recibido .{0,60}por error"),
    ("por engano", r"receb(?:eu|ido) .{0,60}por engano"),
    ("suscripci", r"cancelar (?:la|su|tu) suscripci"),
    ("darse de baja", r"darse de baja"),
    ("cancelar", r"cancelar (?:a |sua )?(?:inscrição|subscrição|assinatura)"),
    (
        "riservat",
        r"\b(?:questo|questa|il presente|la presente) (?:messaggio|e-?mail|comunicazione)\b.{0,200}riservat",
    ),
    (
        "confidenzial",
        r"\b(?:questo|questa|il presente|la presente) (?:messaggio|e-?mail|"
        r"comunicazione)\b.{0,200}confidenzial",
    ),
    ("per errore", r"ricevuto .{0,60}per errore"),
    ("disiscri", r"disiscri"),
    ("poufn", r"(?:ta|niniejsza|treść tej|treść) wiadomoś.{0,200}poufn"),
    ("wypisać", r"wypisać się"),
    ("důvěrn", r"(?:tato|tento) (?:zpráva|e-?mail).{0,200}důvěrn"),
    ("odhlásit", r"odhlásit (?:se|odběr)"),
    ("конфиденциальн", r"(?:это|данное|настоящее) (?:сообщение|письмо|электронное).{0,200}конфиденциальн"),
    ("отписаться", r"отписаться"),
    ("конфіденційн", r"це повідомлення.{0,200}конфіденційн"),
    ("відписатися", r"відписатися"),
    ("gizli", r"bu (?:e-?posta|ileti|mesaj).{0,200}gizli"),
    ("aboneli", r"abonelikten|aboneliğ"),
    ("bizalmas", r"ez az (?:e-?mail|üzenet).{0,200}bizalmas"),
    ("leiratkoz", r"leiratkoz"),
    ("εμπιστευτικ", r"το (?:παρόν|μήνυμα).{0,200}εμπιστευτικ"),
    ("機密情報", r"機密情報"),
    ("配信停止", r"配信停止"),
    ("退订", r"退订"),
    ("退訂", r"退訂"),
    ("保密信息", r"保密信息"),
    ("기밀", r"기밀"),
    ("수신거부", r"수신거부"),
    ("hủy đăng ký", r"hủy đăng ký"),
    ("bảo mật", r"thư này.{0,160}bảo mật"),
)
"""A literal that the case-folded paragraph must hold (cheap), and the pattern that then decides."""


_OF_MAIL = ("mail", "message", "communication", "transmission", "information", "document")
_NAMES_MAIL = r"\b(?:e-?mail|message|communication"
"""How patterns begin to name the mail itself; where none of these words is, looking for them costs the most."""

_PATTERNS: dict[str, list[str]] = {}
for _stem, _pattern in _SIGNS:
    _PATTERNS.setdefault(_stem, []).append(_pattern)
_STEMS = tuple(_PATTERNS)


@cache
def _stems_in() -> Callable[..., list[tuple[int, int, int]]]:
    return BytesAhoCorasick([stem.encode() for stem in _STEMS]).find_matches_as_indexes


_DELIMITERS = frozenset(("--", "—", "–"))
_RULE_LINE = lazy_pattern(r"[-_=*~#\s—–]{3,400}")
_GLUE = lazy_pattern(r"\W{0,8}(?:(?:https?://|www\.|mailto:)\S{1,400}|[\w.+-]{1,64}@[\w.-]{1,120})\W{0,8}")

_ADDRESS_MARKS = ("@", "://", "www.", "mailto:")


def split_disclaimer(text: str) -> TextSplit:
    """Part the boilerplate paragraphs at the end of `text` from what stands above them.

    Call it after `split_quotes` and before `split_signature`. The text kept is never empty: a message that is all
    boilerplate is its text. An ordinary sentence with "confidential" in it is no boilerplate.

    Returns:
        `how` is `boilerplate`, or `""` when there is none.
    """
    lines = lines_of(text)
    below = len(lines)
    while below and lines[below - 1]:
        below -= 1
    last = lines[below:]
    if all(map(str.strip, last)) and not _is_boilerplate(last) and not _is_glue(last):
        return TextSplit(kept=text, removed="", how="")
    start = _boilerplate_start(lines)
    if start >= len(lines) or not any(line.strip() for line in lines[:start]):
        return TextSplit(kept=text, removed="", how="")
    return TextSplit(
        kept="\n".join(lines[:start]).rstrip(),
        removed="\n".join(lines[start:]).strip("\n"),
        how="boilerplate",
    )


def _boilerplate_start(lines: list[str]) -> int:
    """The first line of the boilerplate that reaches the end of the text; `len(lines)` when there is none."""
    start = end = len(lines)
    budget = MAX_TAIL
    for _ in range(MAX_PARAGRAPHS):
        while end and not lines[end - 1].strip():
            end -= 1
        first = end
        while first and lines[first - 1].strip():
            first -= 1
        paragraph = lines[first:end]
        budget -= sum(map(len, paragraph))
        if first == end or budget < 0:
            break
        at = _paragraph_start(paragraph)
        if at == 0 or (at is None and start < len(lines) and _is_glue(paragraph)):
            start = first if at == 0 else start
            end = first
            continue
        if at is not None:
            return _with_rule_above(lines, first + at)
        if not _is_glue(paragraph):
            break
        end = first
    return _with_rule_above(lines, start)


def _with_rule_above(lines: list[str], start: int) -> int:
    if start >= len(lines):
        return start
    at = start
    while at and not lines[at - 1].strip():
        at -= 1
    return (
        at - 1
        if at and (_RULE_LINE.fullmatch(lines[at - 1]) or lines[at - 1].strip() in _DELIMITERS)
        else start
    )


def _is_glue(paragraph: list[str]) -> bool:
    """Lines that say nothing alone: a drawn line, an address."""
    return len(paragraph) <= 4 and all(
        _RULE_LINE.fullmatch(line) or (any(map(line.__contains__, _ADDRESS_MARKS)) and _GLUE.fullmatch(line))
        for line in paragraph
    )


def _paragraph_start(paragraph: list[str]) -> int | None:
    """The line of the paragraph at which boilerplate begins and goes on to its end, None when it holds none."""
    if not _is_boilerplate(paragraph):
        return None
    for at, line in enumerate(paragraph):
        if _RULE_LINE.fullmatch(line) and _is_boilerplate(paragraph[at:]):
            return at
        if _is_boilerplate(paragraph[at : at + 3]):
            return _begin_of_sentence(paragraph, at)
    return 0


def _begin_of_sentence(paragraph: list[str], at: int) -> int:
    """The hit may begin on one of the three lines looked at: the lowest of them from which it still matches."""
    if _is_boilerplate(paragraph[at : at + 1]):
        return at
    for later in (at + 2, at + 1):
        if later < len(paragraph) and _is_boilerplate(paragraph[later : later + 3]):
            whole = " ".join(paragraph[at:later]).strip()
            if whole.endswith((".", "!", "?")) or len(paragraph[later - 1]) < 45:
                return later
    return at


def _is_boilerplate(paragraph: list[str]) -> bool:
    text = " ".join([line.strip() for line in paragraph])
    return _repeated(text) if len(text) <= MAX_REMEMBERED else _holds_sign(text[:MAX_PARAGRAPH])


def _holds_sign(text: str) -> bool:
    text = text.casefold()
    hits = _stems_in()(text.encode("utf-8", "replace"), overlapping=True)
    if not hits:
        return False
    of_mail = any(map(text.__contains__, _OF_MAIL))
    return any(
        _near(stem, pattern, text)
        for stem in {_STEMS[number] for number, _, _ in hits}
        for pattern in _PATTERNS[stem]
        if of_mail or _NAMES_MAIL not in pattern
    )


_repeated = lru_cache(maxsize=2048)(_holds_sign)


def _near(stem: str, pattern: str, text: str) -> bool:
    """Whether the pattern matches around one of the first places where its stem stands."""
    at = -1
    for _ in range(MAX_PLACES):
        at = text.find(stem, at + 1)
        if at < 0:
            return False
        if _compiled(pattern).search(text, max(0, at - WINDOW), at + WINDOW):
            return True
    return False


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
