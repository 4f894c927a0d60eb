"""Finds model sentences that vouch for mail or give advice that fraud wants followed. Entries: `advice_in`, `vouches`.

A model must not decide if a mail is genuine, nor tell the user to log in, pay, open a link, call a number or reveal a
secret. Words are compared by appearance, as in `commitments`, so look-alike letters cannot hide one. In doubt, a
harmless sentence is dropped rather than a harmful one shown; the messages themselves are still listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gaia_email.policy.commitments import plain_words
from gaia_understanding.cascade.tables import phrase_list

_NEAR = 6
"""Maximum distance in words between an action and its object, or between an order and its action."""

VOUCHING = phrase_list(
    "safe; safely; genuine; genuinely; legitimate; legitimately; legit; authentic; trustworthy; trusted; trust; "
    "verified; harmless; bona fide; credible; reputable; not a scam; no scam; not scam; not phishing; no phishing; "
    "not fraud; not fraudulent; not fake; not suspicious; nothing suspicious; not dangerous; no danger; no risk; "
    "not malicious; is real; is secure; is official; really from; nothing to fear; nothing to worry; no need to worry; "
    "do not worry; not spam; risk free; can rely on; "
    "sicher; echt; echte; seriös; vertrauenswürdig; vertrauen; legitim; verifiziert; unbedenklich; harmlos; "
    "kein betrug; keine gefahr; "
    "est sûr; très sûr; sûre; sécurisé; sécurisée; authentique; légitime; fiable; vérifié; vérifiée; confiance; "
    "sans danger; sans risque; inoffensif; "
    "seguro; segura; auténtico; auténtica; genuino; genuina; legítimo; legítima; fiable; confiable; confiar; confíe; "
    "confianza; verificado; verificada; sin riesgo; inofensivo; "
    "sicuro; sicura; autentico; autentica; legittimo; legittima; affidabile; fidarti; fidarsi; fidati; si fidi; "
    "verificato; verificata; attendibile; senza rischi; innocuo; "
    "autêntico; autêntica; confiável; confie; confiança; sem risco; "
    "veilig; veilige; betrouwbaar; betrouwbare; legitiem; geverifieerd; vertrouwen; vertrouw; onschuldig; geen gevaar; "
    "geen oplichting"
)
"""Words that vouch for a mail or its sender, in the seven languages that the rules know."""

TELLING = phrase_list(
    "log in; log on; login; log into; sign in; sign into; log back in; gift card; gift cards; click; "
    "einloggen; loggen sie; logge dich; anmelden; melden sie sich an; melde dich an; anklicken; klicken; klicke; "
    "connectez vous; connecte toi; se connecter; identifiez vous; cliquez; clique; cliquer; "
    "inicie sesión; inicia sesión; iniciar sesión; haga clic; haz clic; hacer clic; pulse; pulsa; "
    "acceda; accedi; effettua l'accesso; effettui l'accesso; fai clic; faccia clic; clicca; clicchi; cliccare; "
    "faça login; inicie sessão; iniciar sessão; clicar; entre na sua conta; "
    "log in; inloggen; logt u in; meld u aan; aanmelden; klik; klikken"
)
"""Actions that a model's sentence may not mention."""


def _set(text: str) -> frozenset[str]:
    return frozenset(word for phrase in phrase_list(text.replace(" ", ";")) for word in plain_words(phrase))


@cache
def _pairs() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return pairs of word sets that are advice if they occur near each other.

    The pairs are about opening a link, calling a number, giving a secret, and paying.
    """
    open_ = (
        "open follow visit use tap press scan go opens folgen folge öffnen öffne besuchen nutzen scannen suivez suis "
        "ouvrez ouvre ouvrir visitez siga sigue abra abre abrir visite segui segua apri apra aprire visiti siga abra "
        "volg open bezoek scan"
    )
    place = (
        "link links url button page website site attachment code qr address seite webseite anhang schaltfläche lien "
        "bouton pièce enlace botón página adjunto collegamento pulsante pagina allegato ligação botão anexo knop "
        "bijlage"
    )
    call = (
        "call phone ring dial text rufen ruf anrufen wählen appelez appelle appeler composez llame llama llamar marque "
        "chiama chiami chiamare telefona ligue ligar telefone bel bellen"
    )
    line = (
        "number numbers hotline support helpline nummer rufnummer kundendienst numéro número numero assistenza suporte "
        "soporte telefoonnummer klantenservice"
    )
    give = (
        "send give enter share tell confirm provide type submit update reply supply verify forward schicken schicke "
        "senden sende geben gib eingeben bestätigen bestätige mitteilen nennen envoyez envoie envoyer donnez donne "
        "saisissez saisis entrez confirmez confirme communiquez envíe envía enviar introduzca introduce confirme "
        "confirma facilite invia invii inviare inserisci inserisca conferma confermi comunica fornisci envie envia "
        "insira introduza forneça informe stuur sturen geef geven voer vul bevestig deel"
    )
    secret = (
        "password passwords passcode pin pins code codes credentials otp cvv card iban ssn secret passphrase seed "
        "passwort kennwort zugangsdaten geheimzahl tan kartennummer mot passe identifiants carte contraseña clave "
        "tarjeta credenciales parola credenziali carta senha palavra cartão credenciais wachtwoord pincode kaart "
        "inloggegevens"
    )
    order = (
        "please must should need needs now immediately today quickly just can may want "
        "bitte müssen musst sollten sollte solltest jetzt sofort können kannst veuillez devez dois faut devriez "
        "maintenant immédiatement pouvez favor debe debes deberías debería hay ahora inmediatamente puede puedes "
        "favore deve devi dovrebbe dovresti ora adesso subito può puoi deverias agora imediatamente pode alstublieft "
        "moet moeten kunt nu meteen graag"
    )
    pay = (
        "pay wire transfer remit deposit zahlen zahle bezahlen bezahle überweisen überweise payez paye payer paie "
        "virez réglez pague paga pagar pagad transfiera transfiere transferir paghi pagare bonifica versa versi "
        "transfira betaal betalen betaalt overmaken maak"
    )
    return tuple(
        (_set(one), _set(other))
        for one, other in ((open_, place), (call, line), (give, secret), (order, pay))
    )


@cache
def _imperatives() -> frozenset[str]:
    """Return verbs that order a payment if they begin a clause."""
    return _set(
        "pay wire transfer remit deposit zahlen zahle bezahlen bezahle überweisen überweise payez paye virez réglez "
        "pague paga transfiera transfiere paghi bonifica transfira betaal"
    )


_CLAUSES = re.compile(r"[.!?;:,\n]+|\s[-–—]\s|\b(?:and|then|und|et|y|e|en|so)\b", re.IGNORECASE)
_EAST = re.compile(
    "安全|可信|真实|合法|正规|登录|登錄|点击|點擊|密码|密碼|付款|支付|转账|链接|本物|正当|信頼|ログイン|クリック|パスワード|"
    "支払|振込|リンク|안전|정품|신뢰|로그인|클릭|비밀번호|결제|송금|링크|безопасн|подлинн|надёжн|надежн|войдите|войти|"
    "нажмите|перейдите|парол|оплатите|переведите|ссылк|доверя",
    re.IGNORECASE,
)
"""Vouching and advising words in scripts that are not compared word by word."""


def advice_in(sentence: str) -> str:
    """Return the words that vouch or tell the reader what to do; empty if there are none."""
    return vouches(sentence) or _tells(sentence)


def vouches(sentence: str) -> str:
    """Return the words that vouch for a mail or its sender; empty if there are none."""
    return _phrase_in(plain_words(sentence), VOUCHING)


def _tells(sentence: str) -> str:
    words = plain_words(sentence)
    if (match := _EAST.search(sentence)) is not None:
        return match[0]
    if phrase := _phrase_in(words, TELLING):
        return phrase
    for some, others in _pairs():
        for place, word in enumerate(words):
            near = words[max(0, place - _NEAR) : place] + words[place + 1 : place + 1 + _NEAR]
            if word in some and not others.isdisjoint(near):
                return word
    firsts = (clause[0] for part in _CLAUSES.split(sentence) if (clause := plain_words(part)))
    return next((word for word in firsts if word in _imperatives()), "")


def _phrase_in(words: list[str], phrases: tuple[str, ...]) -> str:
    return next((phrase for phrase, wanted in _wanted(phrases) if wanted in _windows(words, len(wanted))), "")


def _windows(words: list[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[start : start + size]) for start in range(len(words) - size + 1))


@cache
def _wanted(phrases: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((phrase, tuple(plain_words(phrase))) for phrase in phrases)
