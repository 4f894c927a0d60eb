"""What mail stores call things, in the one label vocabulary (Gmail's).

Entries: `folder_label`, `takeout_labels`, `flag_labels`.

Folder names are those that mail programs create for the special folders in their languages (RFC 6154 gives
the roles); Takeout names are those that Google writes into `X-Gmail-Labels`.
"""

from __future__ import annotations

from functools import lru_cache

INBOX, UNREAD, STARRED, IMPORTANT = "INBOX", "UNREAD", "STARRED", "IMPORTANT"
SENT, DRAFT, SPAM, TRASH = "SENT", "DRAFT", "SPAM", "TRASH"

ARCHIVE = ""
"""The label of mail in no folder at all, which is none."""

SEEN, FLAGGED, ANSWERED, DRAFT_FLAG = "\\Seen", "\\Flagged", "\\Answered", "\\Draft"

_FOLDERS = {
    INBOX: """inbox; posteingang; boîte de réception; bandeja de entrada; posta in arrivo; postvak in;
        caixa de entrada; skrzynka odbiorcza; входящие; 受信トレイ; 收件箱""",
    SENT: """sent; sent items; sent mail; sent messages; outbox sent; gesendet; gesendete objekte;
        gesendete elemente; envoyés; éléments envoyés; messages envoyés; enviados; elementos enviados;
        correo enviado; mensajes enviados; itens enviados; e-mails enviados; inviati; posta inviata;
        posta inviati; verzonden; verzonden items; verzonden berichten; wysłane; elementy wysłane; skickat;
        skickade objekt; sendt; sendt post; lähetetyt; odeslané; odeslaná pošta; elküldött; gönderilmiş;
        gönderilenler; отправленные; надіслані; 送信済み; 送信済みメール; 已发送; 已傳送郵件; 보낸편지함""",
    DRAFT: """draft; drafts; entwurf; entwürfe; brouillon; brouillons; borrador; borradores; rascunho;
        rascunhos; bozza; bozze; concept; concepten; szkice; kopie robocze; wersje robocze; utkast; kladde;
        kladder; luonnokset; koncepty; piszkozatok; taslaklar;
        черновики; чернетки; 下書き; 草稿; 임시보관함""",
    TRASH: """trash; bin; deleted; deleted items; deleted messages; papierkorb; gelöscht; gelöschte objekte;
        gelöschte elemente; corbeille; éléments supprimés; messages supprimés; papelera; eliminados;
        elementos eliminados; lixo; lixeira; itens excluídos; itens eliminados; cestino; posta eliminata;
        prullenbak; verwijderd; verwijderde items; kosz; elementy usunięte; papperskorg; borttaget;
        papirkurv; slettet post; roskakori; poistetut; koš; odstraněná pošta; kuka; lomtár; çöp kutusu;
        silinmiş öğeler; корзина; удаленные; удалённые; кошик; ごみ箱; 削除済みアイテム; 已删除; 已删除邮件;
        垃圾桶; 휴지통""",
    SPAM: """spam; junk; junk e-mail; junk email; junk mail; bulk mail; spamverdacht; unerwünscht;
        courrier indésirable; indésirables; pourriel; correo no deseado; no deseado; correo basura;
        lixo eletrônico; lixo electrónico; posta indesiderata; indesiderata; ongewenste e-mail; ongewenst;
        wiadomości-śmieci; niechciane; skräppost; søppelpost; uønsket e-mail; roskaposti; nevyžádaná pošta;
        levélszemét; önemsiz; спам; нежелательная почта; 迷惑メール; 垃圾邮件; 垃圾郵件; 스팸함""",
    STARRED: "starred; markiert; suivis; destacados; con estrella; speciali; met ster; помеченные",
    IMPORTANT: "important; wichtig; importants; importante; importantes; importanti; belangrijk; важное",
    "": """archive; archives; all mail; archiv; alle nachrichten; tous les messages; archivo; todos;
        arquivo; todos os e-mails; archivio; tutti i messaggi; archief; alle e-mail; archiwum; arkiv;
        архив; вся почта; all mail including spam and trash; アーカイブ; 归档""",
}
"""Folder names by the label they stand for; the empty label is the archive: mail in no folder at all."""

FOLDER_NAMES = {
    INBOX: "INBOX",
    SENT: "Sent",
    DRAFT: "Drafts",
    SPAM: "Junk",
    TRASH: "Trash",
    ARCHIVE: "Archive",
}
"""What a special folder is called when it has to be made."""

_TAKEOUT = {
    **_FOLDERS,
    UNREAD: "unread; ungelesen; non lus; no leídos; da leggere; não lidas; ongelezen; непрочитанные",
    "seen": "opened; geöffnet; ouvert; ouverts; abierto; abiertos; aperti; aperto; aberto; geopend; открытые",
    "CHAT": "chat; chats",
    "": "archived; archiviert; archivés; archivado; archivados; archiviata; arquivado; gearchiveerd; архив",
    "CATEGORY_PERSONAL": "category personal; kategorie: persönlich; catégorie : personnel",
    "CATEGORY_UPDATES": "category updates; kategorie: benachrichtigungen; catégorie : notifications",
    "CATEGORY_PROMOTIONS": "category promotions; kategorie: werbung; catégorie : promotions",
    "CATEGORY_SOCIAL": "category social; kategorie: soziale netzwerke; catégorie : réseaux sociaux",
    "CATEGORY_FORUMS": "category forums; kategorie: foren; catégorie : forums",
}

_PREFIXES = ("[gmail]/", "[google mail]/", "inbox/", "inbox.")


def _by_name(table: dict[str, str]) -> dict[str, str]:
    return {name.strip().casefold(): label for label, names in table.items() for name in names.split(";")}


_FOLDER_NAMES = _by_name(_FOLDERS)
_TAKEOUT_NAMES = _by_name(_TAKEOUT)


def special_label(name: str) -> str | None:
    """The system label a folder name stands for, `""` for the archive, None for a folder of the user's."""
    key = name.casefold()
    for prefix in _PREFIXES:
        key = key.removeprefix(prefix)
    return _FOLDER_NAMES.get(key)


def folder_label(name: str) -> str:
    """The label of a folder: a system label, `""` for the archive, else the folder's name as it is."""
    label = special_label(name)
    return name if label is None else label


def flag_labels(label: str, flags: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of a message in the folder with `label` that carries these IMAP flags."""
    labels = [label] if label else []
    if SEEN not in flags:
        labels.append(UNREAD)
    if FLAGGED in flags and STARRED not in labels:
        labels.append(STARRED)
    if DRAFT_FLAG in flags and label in ("", INBOX):
        labels.append(DRAFT)
    return tuple(labels)


@lru_cache(maxsize=4096)
def takeout_labels(value: bytes) -> tuple[str, ...]:
    """Label ids from the value of Takeout's `X-Gmail-Labels`, however folded, encoded and localised.

    The labels are separated by commas; one that contains a comma is written in double quotes.
    """
    found: list[str] = []
    seen = False
    for name in _split(_decode(value)):
        label = _TAKEOUT_NAMES.get(name.casefold(), name)
        if label == "seen":
            seen = True
        elif label and label not in found:
            found.append(label)
    if seen and UNREAD in found:
        found.remove(UNREAD)
    return tuple(found)


def _decode(value: bytes) -> str:
    unfolded = b"".join(value.splitlines()).strip()
    if b"=?" not in unfolded:
        return unfolded.decode("utf-8", "replace")
    from email.errors import HeaderParseError
    from email.header import decode_header

    parts: list[str] = []
    try:
        pieces = decode_header(unfolded.decode("ascii", "replace"))
    except (HeaderParseError, ValueError, LookupError):
        return unfolded.decode("utf-8", "replace")
    for piece, charset in pieces:
        if isinstance(piece, str):
            parts.append(piece)
            continue
        try:
            parts.append(piece.decode(charset or "ascii", "replace"))
        except LookupError:
            parts.append(piece.decode("utf-8", "replace"))
    return "".join(parts)


def _split(text: str) -> list[str]:
    names: list[str] = []
    quoted = False
    current: list[str] = []
    for character in text:
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            names.append("".join(current).strip())
            current = []
        else:
            current.append(character)
    names.append("".join(current).strip())
    return [name for name in names if name]
