"""Words by which people are made to hand over credentials or money. Read by `phishing`."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

DECEPTION: Table = {
    "ask_credentials": {
        "en": "company login; company mail login; company e-mail login; company email login; work mail login; work "
        "email login; sign in with office 365; sign in with microsoft; log in with office 365; enter another "
        "card; add another card; add a new card; enter a new card; "
        "verify your account; verify your identity; confirm your identity; verify your information; confirm "
        "your account; update your account; update your password; confirm your password; verify your "
        "password; enter your password; your password expires; password will expire; password expires; is set "
        "to expire; renew your password; reset your password; sign in to verify; log in to verify; login to "
        "verify; validate your account; validate your mailbox; verify your mailbox; restore your account; "
        "restore access; restore full access; unlock your account; reactivate your account; secure your "
        "account; recover your account; verify your email account; account credentials; login credentials; "
        "your credentials; confirm your details; update your details; verify your details; keep your current "
        "password; keep same password; re-validate; verify your payment; update your payment information; "
        "verify your payment information; social security number; seed phrase; recovery phrase; wallet "
        "connect; confirm your card; card details; verify your account ownership; confirm ownership; upgrade "
        "your mailbox; release your messages; pending messages; verify now; reset password now; change your "
        "password immediately; secure it now; confirm your billing; update your billing; update your payment; "
        "update your card; update your records; confirm your records; confirm your information; update your "
        "information; update your account information; confirm your account information; verify your account "
        "information; verify your billing; billing information; validate your; re-enter your; verify your "
        "email; confirm your email and password; email and password; e-mail and password; username and "
        "password; user name and password; your card number; your online banking details; banking details; "
        "your pin; mother's maiden name; secret phrase; 12-word; 24-word; connect your "
        "wallet; validate wallet; keep my password; keep the same password; keep using the same; confirm "
        "ownership of; log in to your account to; sign in to your account to; sign in with your; log in with "
        "your; login with your; verify bank details; confirm their bank details; confirm your bank; your "
        "banking information; increase your quota; extend the quota; extend my mailbox; free storage; "
        "revalidate; release messages; release them; unlock my account; verify my account; confirm my "
        "account; your date of birth; tax refund request; submit the refund; submit the tax refund; access "
        "the form; claim your refund; enter the card; confirm your debit; confirm your credit; verify your "
        "card; verify your debit; complete your account verification; account verification; identity "
        "verification; complete verification; reply to this email with; reply with your; send us your; send "
        "your name; your bank details; bank details to; validate your email; your ssn; update your tax; "
        "secret recovery phrase; recovery words; release all to inbox; release to inbox; release all "
        "messages; confirm your e-mail and password; mailbox credentials; sign in with your email; log in "
        "with your email; sign in with your mailbox; sign in with your work account; company login; grant "
        "permissions; approve the app; provide your bank details; enter your card details; approve the sign- "
        "in; approve the request; approve them; the 6-digit code; your one-time code; re-authenticate; "
        "reauthenticate; update your address; verify your address; enter your 24; enter your recovery; verify "
        "wallet; verify your wallet; verify kyc; confirm payment details",
        "de": "mit ihrem firmenkonto; mit ihrem geschäftskonto; hinterlegten daten; "
        "konto verifizieren; konto bestätigen; identität bestätigen; zugangsdaten; passwort aktualisieren; "
        "ihr passwort läuft ab; daten bestätigen; konto entsperren; kontodaten; zahlungsdaten bestätigen; "
        "daten abgleichen; daten zu aktualisieren; bestätigen sie ihre; aktualisieren sie ihre; verifizieren "
        "sie; jetzt aktualisieren; jetzt bestätigen; ihre daten bestätigen; daten zu bestätigen; pushtan; "
        "aktualisierung bis; kartendaten; online-banking-daten; jetzt verifizieren; legitimieren sie; "
        "identifizieren sie sich; "
        "geben sie ihre daten; geben sie zur auszahlung; anmeldedaten; bestätigen sie den zugang; daten "
        "verifizieren; tan-verfahren; iban bestätigen",
        "fr": "identifiants professionnels; votre compte professionnel; renseignez votre carte; "
        "vérifier votre compte; vérifiez votre compte; confirmer votre identité; confirmez votre identité; "
        "mettre à jour vos informations; vos identifiants; votre mot de passe expire; débloquer votre compte; "
        "coordonnées bancaires; informations bancaires; confirmer vos informations; confirmez vos "
        "informations; mettre à jour vos données; mettez à jour; carte bancaire; remplir le formulaire; "
        "compléter le formulaire; complétez le formulaire; renseigner votre; valider votre compte; réactiver "
        "votre; actualiser vos; "
        "confirmer vos coordonnées; saisissez vos; renseignez vos; confirmer votre compte; vérifier votre "
        "identité; confirmer mon identité; mettre à jour mes; code reçu par sms",
        "es": "credenciales corporativas; correo corporativo; "
        "verifique su cuenta; verifica tu cuenta; verificar su cuenta; confirme su identidad; confirma tu "
        "identidad; actualice sus datos; actualiza tus datos; sus credenciales; su contraseña caduca; "
        "desbloquear su cuenta; datos bancarios; confirme sus datos; confirmar sus datos; verifique sus "
        "datos; actualizar sus datos; reactivar su cuenta; datos de su tarjeta; rellene el formulario; active "
        "su; actualice su; verificar su identidad; "
        "verifique su identidad; introduzca los datos; introduzca sus; ingrese sus datos; confirme su cuenta; "
        "actualizar su información; valide su",
        "it": "posta aziendale; credenziali aziendali; account aziendale; "
        "verifica il tuo account; verifichi il suo account; verificare il tuo account; conferma la tua "
        "identità; aggiorna i tuoi dati; le tue credenziali; password scade; sbloccare il tuo account; "
        "sbloccare il conto; dati bancari; dati della carta; conferma i tuoi dati; confermare i tuoi dati; "
        "confermi i suoi dati; aggiornare i suoi dati; aggiornare i tuoi dati; riattivare; riattivarla; "
        "compila il modulo; accedi e conferma; verificare la sua identità; verifica la tua identità; "
        "aggiorni i suoi dati; inserisca i dati; inserisci i dati; inserire i dati; convalidare; verifichi i "
        "suoi dati; verifica i tuoi dati; confermi la sua",
        "pt": "credenciais da empresa; e-mail da empresa; "
        "verifique sua conta; verifique a sua conta; confirme sua identidade; confirme a sua identidade; "
        "atualize seus dados; atualize os seus dados; suas credenciais; sua senha expira; desbloquear sua "
        "conta; dados bancários; confirme os seus dados; confirme seus dados; confirmar os seus dados; "
        "atualizar seus dados; atualização cadastral; recadastramento; dados do cartão; preencha o "
        "formulário; preencha os dados; reativar sua conta; regularize; "
        "atualize o seu; confirme a sua conta; introduza os dados; insira os dados; valide os seus; validar a "
        "sua conta; desbloqueie; sincronize seu",
        "nl": "zakelijke account; zakelijke inlog; bedrijfsaccount; "
        "verifieer je account; verifieer uw account; bevestig uw identiteit; bevestig je identiteit; werk uw "
        "gegevens bij; uw inloggegevens; je wachtwoord verloopt; uw wachtwoord verloopt; account "
        "ontgrendelen; bankgegevens; rekening verifiëren; nieuwe bankpas aanvragen; uw gegevens bevestigen; "
        "bevestig uw gegevens; bevestig je gegevens; vul uw gegevens; verleng uw; verifieer uw; gegevens "
        "bijwerken; uw pas vervangen; uw identiteit bevestigen; heractiveren; "
        "vul uw bankgegevens; vul uw kaartgegevens; bevestig uw rekening; controleer uw gegevens; werk je "
        "gegevens bij; vernieuw uw",
    },
    "own_data": {
        "en": "your card; your details; your data; your information; your records; your identity; new card; "
        "another card; "
        "a different card; your bank account; your payment details",
        "de": "ihre daten; ihre angaben; ihre karte; ihre bankverbindung; ihre identität; ihre zahlungsdaten; "
        "ihre hinterlegten; deine daten; ihr konto",
        "fr": "vos données; vos informations; vos coordonnées; votre carte; votre identité; vos identifiants; "
        "votre compte",
        "es": "sus datos; tus datos; su tarjeta; tu tarjeta; la tarjeta; su identidad; tu identidad; su cuenta; "
        "tu cuenta",
        "it": "i suoi dati; i tuoi dati; la sua carta; la tua carta; il suo conto; il tuo conto; la sua identità; "
        "la tua identità",
        "pt": "os seus dados; seus dados; o seu cartão; seu cartão; a sua conta; sua conta; a sua identidade",
        "nl": "uw gegevens; je gegevens; uw rekening; je rekening; uw pas; uw kaart; uw identiteit; uw bankpas",
    },
    "threat_account": {
        "en": "avoid cancellation; avoid deletion; avoid interruption; stays yours; name is released; before we release"
        " it; keep your cover; was refused by your bank; "
        "account has been suspended; account suspended; account will be suspended; avoid suspension; "
        "permanent suspension; temporarily suspended; temporarily restricted; account has been limited; "
        "account has been locked; have locked it; account lockout; account has been compromised; been "
        "compromised; unauthorized access; unauthorised access; unauthorized transactions; permanently "
        "deleted; permanently closed; permanently disabled; will be deactivated; will be terminated; will be "
        "closed; failure to act; failure to comply; failure to verify; unusual activity; unusual sign-in "
        "activity; suspicious activity; suspicious login; security breach; have been stolen; flagged for; "
        "loss of email access; being held at customs; package held; could not be delivered; legal action; "
        "final warning; last warning; mailbox is full; mailbox is almost full; exceeded its storage; "
        "unrecognized device; locked as a precaution; on hold; limited your account; limit your account; "
        "account stays limited; account is limited; suspended your account; locked your account; account on "
        "hold; placed on hold; account will be; will be limited; will be suspended; will be locked; will be "
        "disabled; be disabled; be deactivated; being disabled; will be switched off; will be deleted; be "
        "terminated; be unpublished; permanently removed; permanently limited; could not confirm your; could "
        "not verify your; unable to verify; account will expire; account has expired; has expired; expires "
        "today; expire today; will expire; about to expire; mailbox has exceeded; has exceeded its; mailbox "
        "has reached; storage limit; quota exceeded; exceeded the quota; exceeded your; almost full; is full; "
        "held messages; incoming messages are pending; messages are pending; could not be deliver; prevented "
        "the delivery; membership will be cancelled; will be cancelled; will be canceled; subscription has "
        "been suspended; returned to the sender; returned to sender; return to sender; goes back to the "
        "sender; lose their account; lose your account; lose access; be permanently; different ip; foreign "
        "ip; failed login; login attempts; log in attempts; unauthorized use; fraudulent activity; fraudulent "
        "transactions; fraud prevention; security reasons; sign-in attempt; signed in from; accounts not "
        "verified; will be frozen; funds frozen; did not authorise; did not authorize; case goes to court; "
        "service stops; bounced back; complaint about your; violates our; violated our; broke our rules; "
        "community standards; copyright complaint; copyright infringement; account deactivated; your account "
        "deactivated; has been restricted; access is restricted; has been suspended; is suspended; unpaid "
        "toll; outstanding toll; late fees; in your name; was not you; wasn't you; legal proceedings; arrest "
        "warrant",
        "de": "sperrung zu vermeiden; dauerhafte sperrung; endgültige sperrung; löschung zu vermeiden; nicht bestätigt "
        "wurden; "
        "konto wurde gesperrt; konto wird gesperrt; eingeschränkt; vorübergehend gesperrt; verdächtige "
        "aktivität; ungewöhnliche aktivität; letzte warnung; rechtliche schritte; gesperrt werden; unbefugter "
        "zugriff; paket wird zurückgehalten; läuft ab; wird gesperrt; zugang sperren; konto eingeschränkt; "
        "wird deaktiviert; wurde eingeschränkt; aus sicherheitsgründen; bearbeitungsgebühr; zustellung nicht "
        "möglich; konnte nicht zugestellt; zurückgesendet; mahnbescheid; letzte mahnung; zollgebühren; wartet "
        "auf zustellung; wurde gesperrt; ist gesperrt; vorübergehend eingeschränkt",
        "fr": "éviter le blocage; éviter la suspension; blocage définitif; faute de quoi; accès limité; accès "
        "restreint; "
        "compte a été suspendu; compte sera suspendu; compte suspendu; compte bloqué; activité inhabituelle; "
        "activité suspecte; accès non autorisé; dernier avertissement; colis en attente; sera bloqué; seront "
        "suspendus; sera suspendu; a été limité; a été bloqué; sera annulé; sera annulée; arrive à "
        "expiration; va expirer; a expiré; retourné à l'expéditeur; frais de livraison; n'a pas pu être "
        "livré; amende; colis est en attente; est en attente; a été suspendue; suspension de votre",
        "es": "evitar el bloqueo; evitar la suspensión; bloqueo definitivo; quedará bloqueada; quedará suspendida; "
        "acceso limitado; acceso restringido; "
        "cuenta ha sido suspendida; cuenta será suspendida; cuenta suspendida; cuenta bloqueada; actividad "
        "inusual; actividad sospechosa; acceso no autorizado; última advertencia; paquete retenido; será "
        "bloqueada; ha sido bloqueada; ha sido limitada; será suspendida; será devuelto; no ha podido ser "
        "entregado; pendiente de pago; multa pendiente; caduca hoy; ha caducado; por motivos de seguridad",
        "it": "evitare il blocco; evitare la sospensione; blocco definitivo; in giacenza; in attesa di consegna; "
        "accesso limitato; "
        "account è stato sospeso; conto è stato sospeso; account sospeso; account bloccato; conto bloccato; "
        "attività insolita; attività sospetta; accesso non autorizzato; ultimo avviso; pacco in giacenza; "
        "verrà bloccato; verrà sospeso; abbiamo limitato; è stato limitato; è stato bloccato; sarà bloccato; "
        "sarà bloccata; sarà sospeso; in scadenza; è scaduto; per motivi di sicurezza; blocco immediato; "
        "risulta insoluta",
        "pt": "foi limitado; foi limitada; acesso bloqueado; acesso limitado; evitar o bloqueio; bloqueio definitivo; "
        "não foram atualizados; caso contrário será; "
        "conta foi suspensa; conta será suspensa; conta suspensa; conta bloqueada; atividade incomum; "
        "atividade suspeita; acesso não autorizado; último aviso; encomenda retida; será bloqueada; está "
        "retida; foi bloqueada; foi bloqueado; será cancelada; será bloqueado; será devolvida; expira hoje; "
        "irá expirar; vai expirar; pendência; por motivos de segurança; suspensão",
        "nl": "niet meer inloggen; blokkering te voorkomen; blokkade te voorkomen; niet zijn bijgewerkt; is niet meer "
        "geldig; wordt gedeactiveerd; "
        "account is geblokkeerd; rekening is geblokkeerd; account wordt geblokkeerd; geblokkeerd worden; "
        "ongebruikelijke activiteit; verdachte activiteit; onbevoegde toegang; laatste waarschuwing; pakket "
        "wordt vastgehouden; account is beperkt; verloopt morgen; verloopt vandaag; wordt opgeheven; account "
        "opgeheven; is beperkt; wordt beperkt; is verlopen; wordt afgesloten; kan niet worden bezorgd; "
        "openstaand bedrag; beslaglegging",
    },
    "ask_click": {
        "en": "click here; click below; click the link; click on the link; clicking here; clicking the link; "
        "clicking the secure link; link below; secure link; click the button; follow the link; follow the "
        "secure link; click to verify; click to update; open the attachment; open the attached; log in here; "
        "sign in here; download the attached; click on; by following; following the link; link provided; here "
        "to; visit the link; follow this link; use this link; open attached; see attached; review document; "
        "view document; get your files; download the",
        "de": "klicken sie hier; hier klicken; klicke hier; link unten; folgenden link; auf den link",
        "fr": "cliquez ici; cliquer ici; lien ci-dessous; le lien suivant; cliquez sur le lien",
        "es": "haga clic; haz clic; siguiente enlace; enlace a continuación; pulse aquí; clic aquí",
        "it": "clicca qui; clicchi qui; link seguente; link qui sotto; seguente link; cliccando",
        "pt": "clique aqui; clique no link; link abaixo; seguinte link; clique abaixo",
        "nl": "klik hier; onderstaande link; volgende link; klik op de link; via deze link",
    },
    "ask_money": {
        "en": "wire transfer; bank transfer; gift card; gift cards; itunes card; google play card; amazon gift "
        "card; steam card; scratch the back; send me the codes; new bank details; new bank account; changed "
        "our bank; change of bank; updated bank details; update our bank; bank details have changed; bank "
        "account has changed; account has changed; updated banking; new account details; payroll information; "
        "small customs fee; customs fee; customs duty; shipping fee; unpaid fee; outstanding toll; pay a "
        "small; send money; transfer the money; urgent payment; process a payment; make a payment for me; are "
        "you at your desk; are you available right now; need a favor; need a favour; quick task; keep this "
        "confidential; keep this between us; bitcoin; western union; moneygram; crypto wallet; wire details; "
        "same-day transfer; transfer of; escrow; new account below; to the new account; account to receive; "
        "unpaid customs; fee was not paid; fee has not been paid; has not been paid; fee of; redelivery fee; "
        "small fee; pay the fee; loan me; be reimbursed; reimburse you; btc; send the payment; make the "
        "payment; transfer confirmation; change my salary; my salary to; changed banks; i changed banks; "
        "account can no longer receive; cannot receive payments; remittance; run an errand; pay full price; "
        "instant transfer; euros by; pounds by; dollars by; send me the money; lend me some; transfer me; "
        "send me some money; by paypal friends; new iban; customs charge; delivery fee; postage fee; pay "
        "today; pay now; pay the outstanding; "
        "wire payment; urgent wire; payment to a new; new vendor; proof of payment; bank wire; a quick loan; "
        "settle the hotel; pay a ransom; outstanding invoices to; clearance fee; fee must be paid; must be "
        "paid before",
        "de": "überweisung; geschenkkarte; geschenkkarten; gutscheinkarten; neue bankverbindung; geänderte "
        "bankverbindung; neue kontoverbindung; zollgebühr; vertraulich behandeln; neues konto; auf das neue "
        "konto; gebühr von; versandkosten; zahlen sie; jetzt bezahlen; zollgebühren; bezahlen sie; "
        "dringende überweisung; eilüberweisung; zoll von",
        "fr": "virement; virement bancaire; carte cadeau; cartes cadeaux; nouveau rib; nouvelles coordonnées "
        "bancaires; frais de douane; strictement confidentiel; frais d'envoi; frais de; nouveau compte; "
        "régler les frais; remboursement de; payez; frais de port; payer les frais; "
        "virement urgent; réglez les frais; frais d'affranchissement; régler la taxe",
        "es": "transferencia bancaria; tarjeta de regalo; tarjetas de regalo; nueva cuenta bancaria; nuevos datos "
        "bancarios; gastos de aduana; confidencial; tasas de aduana; abonado las tasas; confirme el pago; "
        "nueva cuenta; reembolso; "
        "abone los gastos; abone la tasa; pague la tasa; transferencia urgente; gastos de envío; pagar ahora",
        "it": "bonifico; bonifico urgente; buono regalo; carte regalo; nuovo iban; nuove coordinate bancarie; spese "
        "doganali; massima riservatezza; nuovo conto; bonifico istantaneo; spese di; rimborso; "
        "paga la spesa; paghi la spesa; paga ora; spesa di; coordinate bancarie; effettuare il bonifico; "
        "costo di spedizione; tassa doganale",
        "pt": "transferência bancária; cartão presente; cartões presente; vale-presente; nova conta bancária; novos "
        "dados bancários; taxa alfandegária; confidencial; taxas; taxa de; nova conta; pague; reembolso; "
        "pague a taxa; pagar taxa; transferência urgente; novo iban; taxa de entrega",
        "nl": "overboeking; cadeaubon; cadeaubonnen; cadeaukaart; nieuw rekeningnummer; gewijzigd rekeningnummer; "
        "douanekosten; vertrouwelijk; nieuwe rekening; verzendkosten; betaal; terugbetaling; "
        "spoedbetaling; met spoed een betaling; invoerkosten; nieuwe iban",
    },
    "ask_gift_card": {
        "any": "gift card; gift cards; itunes card; google play card; steam card; scratch the back; send me the "
        "codes; geschenkkarte; geschenkkarten; gutscheinkarten; carte cadeau; cartes cadeaux; tarjeta de "
        "regalo; tarjetas de regalo; buono regalo; carte regalo; cartão presente; cartões presente; "
        "cadeaubon; cadeaubonnen; cadeaukaart",
    },
    "ask_bank_change": {
        "any": "bank account has changed; new bank details; new bank account; changed our bank; change of bank; "
        "updated bank details; bank details have changed; updated banking; new account details; update our "
        "bank; neue bankverbindung; geänderte bankverbindung; neue kontoverbindung; nouveau rib; nouvelles "
        "coordonnées bancaires; nueva cuenta bancaria; nuevos datos bancarios; nuovo iban; nuove coordinate "
        "bancarie; nova conta bancária; novos dados bancários; nieuw rekeningnummer; gewijzigd "
        "rekeningnummer; changed banks; switch my salary; my direct deposit; new account below; to the new "
        "account; to our new bank; account can no longer receive; cannot receive payments; change of account; "
        "auf das neue konto; sul nuovo conto; account on file; my paycheck; next pay run; next payroll; my "
        "payroll; my payroll information; update my direct deposit; my salary account; neue iban; meine neue "
        "iban; mon nouveau compte; mi nueva cuenta; il mio nuovo iban; minha nova conta; mijn nieuwe rekening; "
        "coordinate bancarie sono cambiate; our new bank; usual bank account; bankverbindung hat sich; "
        "coordonnées bancaires ont; datos bancarios han; dados bancários mudaram; bankgegevens zijn "
        "gewijzigd; meine neue bankverbindung; salary to be paid; our new iban; new iban; novo iban; nieuwe iban",
    },
    "secrecy": {
        "any": "keep this confidential; keep this between us; discreet; don't tell anyone; do not discuss; can't "
        "talk; cannot talk; can't take calls; cannot take calls; in a meeting right now; are you at your "
        "desk; are you available right now; quick task; need a favor; need a favour; vertraulich behandeln; "
        "strictement confidentiel; massima riservatezza; reply only to this; sent from my mobile; "
        "confidential meeting; keep it confidential; confidential until; keep it between us; please keep it; "
        "don't discuss; do not loop; don't loop; cannot speak about; no calls please; are you available; are "
        "you free at the moment; are you in the office; run an errand; your mobile number; your cell number; "
        "your cell phone number; whatsapp number; personal number; in a conference call; in a conference "
        "meeting; stuck in a meeting; in the governors' meeting; get back to me asap; i need you to; it is "
        "rather urgent; bist du gerade am platz; sind sie im büro; es-tu disponible; êtes-vous disponible; "
        "discrétion; confidentialité; "
        "do not discuss it; strictly confidential; keep this quiet; it is a surprise; niemandem darüber; mit "
        "niemandem; streng vertraulich; behalten sie es für sich; n'en parlez à personne; uniquement par "
        "mail; par mail uniquement; no lo comente; no hable con nadie; estrictamente confidencial; non ne "
        "parli; resti tra noi; não comente; entre nós; houd dit onder ons; kan niet bellen; ben je "
        "bereikbaar; sei disponibile; está disponible; está disponível",
    },
    "security_reassurance": {
        "any": "you can ignore this; you can safely ignore; please ignore this email; ignore this email; if this was "
        "you; you requested; if you requested this; you don't need to do anything; go to your google account; "
        "thanks for signing up; you do not need to do anything; no action is needed; no action needed; never "
        "ask for your password; never asks for your password; we do not include links; if you did not sign "
        "up; if you didn't sign up; wir schicken keine links; did not request; didn't request; you asked us; "
        "at your request; op je verzoek; auf ihren wunsch",
    },
    "nobodys_greeting": {
        "any": "estimado(a) cliente; estimada cliente; caro(a) cliente; estimados clientes; chers clients; "
        "sehr geehrte "
        "damen und herren; gentili clienti; geachte verzekerde; geachte relatie; cher assuré; estimado asegurado;"
        " gentile assicurato; "
        "dear customer; dear valued customer; dear user; dear client; dear member; dear paypal member; dear "
        "account owner; dear account holder; dear account user; dear email user; dear e-mail user; dear "
        "webmail user; dear subscriber; dear taxpayer; dear applicant; dear ebay member; dear ebay user; dear "
        "paypal user; dear paypal customer; dear cardholder; dear card holder; dear valued member; dear "
        "valued client; dear employee; dear staff; dear beneficiary; dear friend; dear sir; dear sir/madam; "
        "dear sir or madam; valued customer; attention; attn; hello dear; dear amazon customer; dear netflix "
        "user; dear mailbox user; dear owner; sehr geehrte kundin; sehr geehrter kunde; sehr geehrter nutzer; "
        "lieber kunde; cher client; chère cliente; cher utilisateur; cher abonné; estimado cliente; estimado "
        "usuario; estimado conductor; gentile cliente; gentile utente; caro cliente; prezado cliente; prezado "
        "usuário; geachte klant; geachte heer/mevrouw; beste klant; beste gebruiker",
    },
    "pretext": {
        "en": "mailbox; mail box; quota; mail administrator; webmail; mail admin; help desk; helpdesk; system "
        "administrator; it department; it support; password expiry; password expiration; quarantined; "
        "quarantine; undelivered mail; pending mails; held messages; voicemail; voice message; voice mail; "
        "missed call; page fax; shared a file; shared a document; shared with you; review and sign; view "
        "document; secure document; encrypted message; protected document; remittance advice; overdue "
        "invoice; payroll; salary; human resources; tax refund; eligible to receive; fiscal activity; "
        "tracking number; your parcel; your package; your shipment; redelivery; customs; online banking; "
        "internet banking; account review; billing department; security department; technical department; "
        "security upgrade; search engine registration; search engine submission; this is not a bill; domain notice; "
        "survey; reward; chosen by; credited to your account; withdrawal; your order; "
        "renewed; domain; your wallet; wallets; purchase order; request for quotation; rfq; unusual sign-in; "
        "new sign-in; security alert; account security; security team; account team; files via; question "
        "about item; ebay sent this message; respond now; your registered name; paypal account; ebay account; "
        "your membership; account review team; account update; important update; important notice; "
        "notification from; customer notification; security notice; security notification; your bill; invoice "
        "attached; statement attached; refund; reimbursement; tax return; gift; congratulations; you have "
        "won; you've won; your subscription; billing problem; billing issue; payment declined; payment "
        "failed; your payment; unable to process; could not process; couldn't process; could not collect; "
        "appeal; verification required; termination; missed a zoom; join the meeting; review invitation; "
        "microsoft teams; software update; update teams; winner; lottery; toll; statement; trade offer",
        "de": "postfach; pushtan; online-banking; ihr paket; zustellung; steuererstattung; kundenservice",
        "fr": "votre colis; remboursement; assurance maladie; carte vitale; carte de santé; espace client; "
        "messagerie",
        "es": "su paquete; su envío; reembolso; multa; banca online; notificación; buzón",
        "it": "pacco; spedizione; rimborso; la tua carta; il tuo conto; home banking; casella",
        "pt": "encomenda; reembolso; internet banking; sua conta; seu pacote; multa; caixa de correio",
        "nl": "pakket; bezorging; teruggave; digid; internetbankieren; mijn omgeving; bankpas; mailbox",
    },
    "short_time": {
        "any": "within 24 hours; within 48 hours; within 72 hours; within 12 hours; in 24 hours; in 48 hours; within "
        "50 hours; 24 hours; 48 hours; 12 hours; within seven days; within 3 days; immediately; as soon as "
        "possible; at once; one day; by tonight; today; expires; last warning; final notice; innerhalb von 24 "
        "stunden; innerhalb von 48 stunden; 24 stunden; sofort; umgehend; sous 24 heures; sous 48 heures; "
        "sous 48 h; immédiatement; 24 horas; 48 horas; inmediatamente; imediatamente; entro 24 ore; entro 48 "
        "ore; entro oggi; immediatamente; binnen 24 uur; binnen 48 uur; onmiddellijk",
    },
    "extortion": {
        "any": "recorded a video; recorded you; video of you; made a video; your webcam; your camera; webcam; adult "
        "sites; adult websites; adult content; porn; pornographic; installed a trojan; trojan; malware; "
        "spyware; access to your device; full access; all your contacts; your contacts; hacked; hacked your; "
        "our little secret; compromising; masturbating; infected; your browsing history; do not try to reply; "
        "don't try to answer; the timer; from your own account; your own mailbox; deine kamera; ihre kamera; "
        "ihr gerät; votre caméra; su cámara; tu cámara; tua webcam; sua webcam; je webcam; uw webcam; "
        "ddos; network will be; customer database; your database; your files; will publish; your network; "
        "your servers; your password",
    },
    "ransom": {
        "any": "bitcoin; btc; bitcoins; bitcoin wallet; crypto wallet; to my wallet; wallet address; to the wallet; "
        "usdt; litecoin; monero; "
        "ransom; pay a ransom",
    },
    "call_back": {
        "en": "call our support; call our customer; call us immediately; call us right away; call now; toll free; "
        "toll-free; call to cancel; cancel and get a refund; want to cancel; to cancel this; cancel the "
        "subscription; cancel this order; contact our support; customer care number; support team right away; "
        "helpline; contact us at; speak to our; call us on; call us at; reach us at; to cancel call; to "
        "cancel, call; please call; call +1; call the number; call our; give us a call; call customer; call "
        "this number; cancel call; dial",
    },
    "auto_renewal": {
        "en": "was renewed; has been renewed; will be debited; will be charged; has been charged; auto renewal; "
        "auto-renewal; auto renewed; subscription renewed; has been debited; charged from your; debited from "
        "your; order confirmation; renewal invoice",
    },
    "stranded": {
        "any": "komme nicht in mein konto; nicht an mein konto; geb es dir morgen; geb ich dir morgen; zahle es dir; "
        "meine neue adresse; mir auslegen; mir vorstrecken; sag mama nichts; sag niemandem; je te rembourse; te "
        "le rends demain; accéder à mon compte; te lo devuelvo; entrar en mi cuenta; te li ridò; entrare nel mio "
        "conto; devolvo-te; te devolvo; entrar na minha conta; betaal je terug; ik kan niet bij mijn; cannot get "
        "into my; using a friend's; using a friends; "
        "western union; moneygram; loan me; lend me; my bag stolen; bag stolen; was robbed; got mugged; "
        "mugged at; stranded; the embassy; pay the hotel; hotel bill; as soon as i get home; can't be reached "
        "by phone; reply with the number; reply with the code; verification to your phone; send me the code; "
        "forward me the code; 6 digit verification; "
        "my phone broke; my phone is broken; phone is broken; broke my phone; dropped my phone; lost my phone; "
        "this is my new number; a friend's phone; a friends phone; a friend's email; a friends email; "
        "cant get into my bank; can't get into my bank; can't access my bank; handy ist kaputt; meine neue nummer; "
        "téléphone est cassé; téléphone cassé; mon nouveau numéro; se me ha roto el móvil; mi nuevo número; "
        "rotto il telefono; mio nuovo numero; celular quebrou; telemóvel avariou; meu novo número; "
        "telefoon is kapot; mijn nieuwe nummer; pay it back tomorrow; give it back tomorrow; ill give it back; "
        "i'll give it back; i'll pay you back; "
        "bag was stolen; passport and cards; my passport was; need a quick loan; pay you back as soon",
    },
    "scan_code": {
        "any": "scan the qr; scan the code; scan this qr; scan qr; scanning the qr; qr code below; qr code in the; "
        "with your phone camera; with your mobile device; scannen sie den qr; qr-code scannen; scannez le code; "
        "scannez le qr; flashez le; escanee el código; escanea el código; scansiona il codice; scansioni il codice; "
        "leia o código; escaneie o código; scan de qr; scan de code",
    },
    "sign_in_words": {
        "any": "mfa; 2fa; multi-factor; multifactor; two-factor; authenticator; authentication; re-authenticate; "
        "sign in; log in; login; password; payslip; payroll; salary; increment; anmelden; passwort; gehalt; "
        "connecter; mot de passe; contraseña; acceder; accedere; accesso; senha; inloggen; wachtwoord",
    },
    "file_password": {
        "any": "the password is; password is:; password for the file; password for the archive; passwort lautet; "
        "passwort ist; das kennwort lautet; mot de passe est; mot de passe :; la contraseña es; la password è; "
        "a senha é; a palavra-passe é; het wachtwoord is",
    },
    "family": {
        "any": "mum; mom; mommy; dad; daddy; grandma; grandpa; granny; nana; mama; papa; oma; opa; mutti; maman; "
        "mamie; "
        "papi; mamá; papá; abuela; abuelo; mamma; nonna; nonno; mãe; pai; avó; avô; mam; pap",
    },
    "by_paper": {
        "any": "print out this; print this form; print and sign; mail the completed; completed and signed; by post; "
        "by regular mail; po box; p.o. box; sign where indicated; at the counter; in person; per post; am schalter; "
        "par courrier; au guichet; por correo postal; en la oficina; per posta; allo sportello; pelo correio; "
        "ao balcão; aan de balie",
    },
    "staff_data": {
        "any": "p60s; list of staff; staff list with; home addresses of; "
        "w-2 forms; the w-2; w-2 form; w2 forms; list of employees; employee list; list of all employees; "
        "social security numbers; staff tax forms; earnings statement; wage and tax; "
        "copies of all employees; employees' w-2; staff w-2; p60 forms; gehaltsliste; liste der mitarbeiter; "
        "payroll list",
    },
    "warns_of_fraud": {
        "any": "phishing; do not click; don't click; don't open; scam; scams; scammers; fake mails; fake emails; "
        "fraud awareness; beware of; report them; report it with; spotting; never share your; we will never "
        "ask; hereinfallen; betrugsversuche; hameçonnage; arnaque; estafas; truffe; golpes; nepmail; "
        "oplichting",
    },
}
