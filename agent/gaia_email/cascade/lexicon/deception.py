"""Words by which people are made to hand over credentials or money. Read by `phishing`."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

DECEPTION: Table = {
    "ask_credentials": {
        "en": "verify your account; verify your identity; confirm your identity; verify your information; "
        "confirm your account; update your account; update your password; confirm your password; "
        "verify your password; enter your password; your password expires; password will expire; password expires; "
        "is set to expire; renew your password; reset your password; sign in to verify; log in to verify; "
        "login to verify; validate your account; validate your mailbox; verify your mailbox; "
        "restore your account; restore access; restore full access; unlock your account; "
        "reactivate your account; secure your account; recover your account; verify your email account; "
        "account credentials; login credentials; your credentials; confirm your details; update your details; "
        "verify your details; keep your current password; keep same password; re-validate; "
        "verify your payment; update your payment information; verify your payment information; "
        "social security number; seed phrase; recovery phrase; wallet connect; confirm your card; card details; "
        "verify your account ownership; confirm ownership; upgrade your mailbox; release your messages; "
        "pending messages; verify now; reset password now; change your password immediately; secure it now",
        "de": "konto verifizieren; konto bestätigen; identität bestätigen; zugangsdaten; passwort aktualisieren; "
        "ihr passwort läuft ab; daten bestätigen; konto entsperren; kontodaten; zahlungsdaten bestätigen; "
        "daten abgleichen; daten zu aktualisieren",
        "fr": "vérifier votre compte; vérifiez votre compte; confirmer votre identité; confirmez votre identité; "
        "mettre à jour vos informations; vos identifiants; votre mot de passe expire; débloquer votre compte; "
        "coordonnées bancaires; informations bancaires",
        "es": "verifique su cuenta; verifica tu cuenta; verificar su cuenta; confirme su identidad; "
        "confirma tu identidad; actualice sus datos; actualiza tus datos; sus credenciales; "
        "su contraseña caduca; desbloquear su cuenta; datos bancarios",
        "it": "verifica il tuo account; verifichi il suo account; verificare il tuo account; "
        "conferma la tua identità; aggiorna i tuoi dati; le tue credenziali; password scade; "
        "sbloccare il tuo account; sbloccare il conto; dati bancari; dati della carta",
        "pt": "verifique sua conta; verifique a sua conta; confirme sua identidade; confirme a sua identidade; "
        "atualize seus dados; atualize os seus dados; suas credenciais; sua senha expira; "
        "desbloquear sua conta; dados bancários",
        "nl": "verifieer je account; verifieer uw account; bevestig uw identiteit; bevestig je identiteit; "
        "werk uw gegevens bij; uw inloggegevens; je wachtwoord verloopt; uw wachtwoord verloopt; "
        "account ontgrendelen; bankgegevens; rekening verifiëren; nieuwe bankpas aanvragen",
    },
    "threat_account": {
        "en": "account has been suspended; account suspended; account will be suspended; avoid suspension; "
        "permanent suspension; temporarily suspended; temporarily restricted; account has been limited; "
        "account has been locked; have locked it; account lockout; account has been compromised; "
        "been compromised; unauthorized access; unauthorised access; unauthorized transactions; "
        "permanently deleted; permanently closed; permanently disabled; will be deactivated; will be terminated; "
        "will be closed; failure to act; failure to comply; failure to verify; unusual activity; "
        "unusual sign-in activity; suspicious activity; suspicious login; security breach; have been stolen; "
        "flagged for; loss of email access; being held at customs; package held; could not be delivered; "
        "legal action; final warning; last warning; mailbox is full; mailbox is almost full; "
        "exceeded its storage; unrecognized device; locked as a precaution; on hold",
        "de": "konto wurde gesperrt; konto wird gesperrt; eingeschränkt; vorübergehend gesperrt; "
        "verdächtige aktivität; ungewöhnliche aktivität; letzte warnung; rechtliche schritte; "
        "gesperrt werden; unbefugter zugriff; paket wird zurückgehalten",
        "fr": "compte a été suspendu; compte sera suspendu; compte suspendu; compte bloqué; activité inhabituelle; "
        "activité suspecte; accès non autorisé; dernier avertissement; colis en attente; sera bloqué",
        "es": "cuenta ha sido suspendida; cuenta será suspendida; cuenta suspendida; cuenta bloqueada; "
        "actividad inusual; actividad sospechosa; acceso no autorizado; última advertencia; paquete retenido; "
        "será bloqueada",
        "it": "account è stato sospeso; conto è stato sospeso; account sospeso; account bloccato; conto bloccato; "
        "attività insolita; attività sospetta; accesso non autorizzato; ultimo avviso; pacco in giacenza; "
        "verrà bloccato; verrà sospeso",
        "pt": "conta foi suspensa; conta será suspensa; conta suspensa; conta bloqueada; atividade incomum; "
        "atividade suspeita; acesso não autorizado; último aviso; encomenda retida; será bloqueada",
        "nl": "account is geblokkeerd; rekening is geblokkeerd; account wordt geblokkeerd; geblokkeerd worden; "
        "ongebruikelijke activiteit; verdachte activiteit; onbevoegde toegang; laatste waarschuwing; "
        "pakket wordt vastgehouden; account is beperkt",
    },
    "ask_click": {
        "en": "click here; click below; click the link; click on the link; clicking here; clicking the link; "
        "clicking the secure link; link below; secure link; click the button; follow the link; "
        "follow the secure link; click to verify; click to update; open the attachment; open the attached; "
        "log in here; sign in here; download the attached",
        "de": "klicken sie hier; hier klicken; klicke hier; link unten; folgenden link; auf den link",
        "fr": "cliquez ici; cliquer ici; lien ci-dessous; le lien suivant; cliquez sur le lien",
        "es": "haga clic; haz clic; siguiente enlace; enlace a continuación; pulse aquí; clic aquí",
        "it": "clicca qui; clicchi qui; link seguente; link qui sotto; seguente link; cliccando",
        "pt": "clique aqui; clique no link; link abaixo; seguinte link; clique abaixo",
        "nl": "klik hier; onderstaande link; volgende link; klik op de link; via deze link",
    },
    "ask_money": {
        "en": "wire transfer; bank transfer; gift card; gift cards; itunes card; google play card; amazon gift card; "
        "steam card; scratch the back; send me the codes; new bank details; new bank account; "
        "changed our bank; change of bank; updated bank details; update our bank; bank details have changed; "
        "bank account has changed; account has changed; "
        "updated banking; new account details; direct deposit; payroll information; small customs fee; customs fee; "
        "customs duty; shipping fee; unpaid fee; outstanding toll; pay a small; send money; transfer the money; "
        "urgent payment; process a payment; make a payment for me; are you at your desk; are you available right now; "
        "need a favor; need a favour; quick task; discreet; keep this confidential; keep this between us; "
        "bitcoin; western union; moneygram; crypto wallet",
        "de": "überweisung; geschenkkarte; geschenkkarten; gutscheinkarten; neue bankverbindung; "
        "geänderte bankverbindung; neue kontoverbindung; zollgebühr; vertraulich behandeln",
        "fr": "virement; virement bancaire; carte cadeau; cartes cadeaux; nouveau rib; "
        "nouvelles coordonnées bancaires; frais de douane; strictement confidentiel",
        "es": "transferencia bancaria; tarjeta de regalo; tarjetas de regalo; nueva cuenta bancaria; "
        "nuevos datos bancarios; gastos de aduana; confidencial",
        "it": "bonifico; bonifico urgente; buono regalo; carte regalo; nuovo iban; nuove coordinate bancarie; "
        "spese doganali; massima riservatezza",
        "pt": "transferência bancária; cartão presente; cartões presente; vale-presente; nova conta bancária; "
        "novos dados bancários; taxa alfandegária; confidencial",
        "nl": "overboeking; cadeaubon; cadeaubonnen; cadeaukaart; nieuw rekeningnummer; gewijzigd rekeningnummer; "
        "douanekosten; vertrouwelijk",
    },
    "ask_gift_card": {
        "any": "gift card; gift cards; itunes card; google play card; steam card; scratch the back; send me the codes; "
        "geschenkkarte; geschenkkarten; gutscheinkarten; carte cadeau; cartes cadeaux; tarjeta de regalo; "
        "tarjetas de regalo; buono regalo; carte regalo; cartão presente; cartões presente; cadeaubon; cadeaubonnen; "
        "cadeaukaart",
    },
    "ask_bank_change": {
        "any": "bank account has changed; new bank details; new bank account; changed our bank; change of bank; "
        "updated bank details; "
        "bank details have changed; updated banking; new account details; update our bank; direct deposit; "
        "payroll information; neue bankverbindung; geänderte bankverbindung; neue kontoverbindung; nouveau rib; "
        "nouvelles coordonnées bancaires; nueva cuenta bancaria; nuevos datos bancarios; nuovo iban; "
        "nuove coordinate bancarie; nova conta bancária; novos dados bancários; nieuw rekeningnummer; "
        "gewijzigd rekeningnummer",
    },
    "secrecy": {
        "any": "keep this confidential; keep this between us; discreet; don't tell anyone; do not discuss; "
        "can't talk; cannot talk; can't take calls; cannot take calls; in a meeting right now; "
        "are you at your desk; are you available right now; "
        "quick task; need a favor; need a favour; vertraulich behandeln; strictement confidentiel; "
        "massima riservatezza; reply only to this; sent from my mobile",
    },
    "security_reassurance": {
        "any": "you can ignore this; you can safely ignore; please ignore this email; ignore this email; "
        "if this was you; you requested; if you requested this; you don't need to do anything; "
        "go to your google account; thanks for signing up",
    },
}
