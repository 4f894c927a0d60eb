"""Words that tell what kind of mail this is, whoever sent it. Read by `category`."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

CATEGORIES: Table = {
    "cat_receipt": {
        "en": "order confirmation; your order; order number; order #; order no; your receipt; receipt for; "
        "receipt from; e-receipt; payment received; payment confirmation; thank you for your order; "
        "thanks for your order; thank you for your purchase; thanks for your purchase; your purchase; "
        "thank you for your payment; has been charged; was charged; you sent a; wire payment; ach payment; "
        "your invoice; your bill; billing statement; your statement; statement is ready; e-statement; "
        "payment of; total paid; amount paid; amount charged; subtotal; order total; booking confirmation; "
        "booking reference; reservation confirmed; your reservation; your booking; your itinerary; e-ticket; "
        "your ticket; your tickets; refund issued; your refund; we've refunded; has been refunded; "
        "preauthorized for; settled amount; account ending in; card ending in; received a payment; "
        "has been credited; your trip receipt; thanks for riding; you paid; you've received; invoice id; "
        "debit card; your card has been; your subscription receipt; payment method; billed to; tax invoice; "
        "transaction id; your payslip; payslip; pay stub; deposit of; donation receipt; check-in is open; "
        "boarding pass; payment reference; direct debit; your delivery slot; your ride on; your trip on; "
        "vat included; incl. vat; including vat; was renewed; has been renewed; was renewed for; "
        "your plan was renewed; we confirm your booking; we confirm your reservation",
        "de": "bestellbestätigung; ihre bestellung; deine bestellung; bestellnummer; auftragsbestätigung; "
        "ihre rechnung; deine rechnung; rechnungsnummer; zahlungseingang; zahlungsbestätigung; zahlungsbeleg; "
        "quittung; kaufbeleg; vielen dank für ihre bestellung; danke für deine bestellung; gesamtbetrag; "
        "zwischensumme; buchungsbestätigung; reservierungsbestätigung; ihre buchung; deine buchung; "
        "kontoauszug; abbuchung; lastschrift; erstattung; gutschrift; online-ticket; gehaltsabrechnung",
        "fr": "confirmation de commande; votre commande; numéro de commande; votre reçu; reçu de paiement; "
        "votre facture; paiement reçu; confirmation de paiement; merci pour votre commande; merci de votre achat; "
        "montant total; sous-total; confirmation de réservation; votre réservation; relevé de compte; "
        "prélèvement; remboursement; votre billet; e-billet; bulletin de paie",
        "es": "confirmación de pedido; su pedido; tu pedido; número de pedido; su recibo; tu recibo; su factura; "
        "tu factura; pago recibido; confirmación de pago; gracias por su compra; gracias por tu compra; "
        "importe total; total pagado; confirmación de reserva; su reserva; tu reserva; extracto de cuenta; "
        "reembolso; cargo en su tarjeta; domiciliación; nómina",
        "it": "conferma d'ordine; conferma ordine; il tuo ordine; il suo ordine; numero d'ordine; ricevuta; "
        "la tua fattura; la sua fattura; pagamento ricevuto; conferma di pagamento; grazie per il tuo acquisto; "
        "grazie per il tuo ordine; importo totale; subtotale; conferma di prenotazione; la tua prenotazione; "
        "estratto conto; addebito; rimborso; il tuo biglietto; cedolino",
        "pt": "confirmação do pedido; confirmação de encomenda; seu pedido; a sua encomenda; número do pedido; "
        "seu recibo; sua fatura; a sua fatura; pagamento recebido; confirmação de pagamento; "
        "obrigado pela sua compra; valor total; confirmação de reserva; sua reserva; a sua reserva; "
        "extrato de conta; reembolso; débito direto; recibo de vencimento",
        "nl": "orderbevestiging; bestelbevestiging; je bestelling; uw bestelling; bestelnummer; ordernummer; "
        "je factuur; uw factuur; betaling ontvangen; betalingsbevestiging; bedankt voor je bestelling; "
        "bedankt voor uw bestelling; totaalbedrag; subtotaal; boekingsbevestiging; reserveringsbevestiging; "
        "je reservering; uw reservering; rekeningafschrift; automatische incasso; terugbetaling; loonstrook",
    },
    "cat_delivery": {
        "en": "has shipped; has been shipped; on its way; out for delivery; was delivered; has been delivered; "
        "tracking number; track your; track my; your package; your parcel; your delivery; your shipment; "
        "estimated delivery; expected delivery; delivery update; shipping confirmation; ready for pickup; "
        "ready for collection; delivered to; arriving today; arriving tomorrow; shipping update; "
        "shipped your order",
        "de": "wurde versandt; wurde versendet; sendungsnummer; sendungsverfolgung; ihr paket; dein paket; "
        "ihre sendung; deine sendung; wird heute zugestellt; wurde zugestellt; versandbestätigung; "
        "abholbereit; voraussichtliche lieferung; zur abholung bereit; unterwegs zu",
        "fr": "a été expédié; a été expédiée; votre colis; numéro de suivi; suivre votre colis; en cours de livraison; "
        "a été livré; livraison prévue; prêt à être retiré; votre livraison",
        "es": "ha sido enviado; está en camino; número de seguimiento; su paquete; tu paquete; su envío; tu envío; "
        "en reparto; ha sido entregado; entrega estimada; listo para recoger",
        "it": "è stato spedito; in consegna; numero di spedizione; numero di tracciamento; il tuo pacco; "
        "la tua spedizione; è stato consegnato; consegna prevista; pronto per il ritiro",
        "pt": "foi enviado; foi enviada; a caminho; código de rastreio; código de rastreamento; sua encomenda; "
        "saiu para entrega; foi entregue; entrega prevista; pronto para levantamento",
        "nl": "is verzonden; is onderweg; track & trace; je pakket; uw pakket; wordt vandaag bezorgd; is bezorgd; "
        "verwachte bezorging; ligt klaar; je zending; uw zending",
    },
    "cat_promotion": {
        "en": "% off; shop now; buy now; order now; save up to; flash sale; limited time; limited-time; sale ends; "
        "ends tonight; ends soon; ends today; last chance; promo code; coupon code; discount code; use code; "
        "free shipping; free delivery; special offer; exclusive offer; exclusive deal; best deals; deals; "
        "black friday; cyber monday; clearance; new arrivals; new collection; don't miss out; don't miss; "
        "while supplies last; while stocks last; early bird; early access; upgrade now; upgrade today; "
        "start your free trial; free trial; try it free; claim your; reward points; just dropped; back in stock; "
        "members only; price drop; lowest prices; bogo; gift guide; bestsellers; "
        "half price; act now; hurry; discover our; join now; sale; discounts; limited spots; book your spot; "
        "left in your cart; you left something; your cart; cashback; spend & save; offer expires; "
        "special discount; unlock; webinar; for the price of; 2 for 1; two for one; today only; "
        "free month; we miss you; valued customer; personal offer; in your basket; your basket; "
        "points expire; bonus points; redeem; enrol by; enroll by; book by; order today; places left; "
        "with the code; save eur; save $; save £; save €; "
        "pre-approved; reserve your spot; save your spot; save your seat; reserve your seat; secure your spot; "
        "secure your place; seats are limited; space is limited; places are limited; almost sold out; "
        "selling fast; filling up; almost gone; final hours; final notice; hours left; hours only; "
        "register now; register today; join us for; free copy; free webinar; free session; free quote; "
        "no obligation; no-obligation; no credit check; chip in; donate now; give today; every gift; "
        "your gift will; before midnight; match your gift; tripled; doubled by; sign the petition; "
        "add your name; limited to; once it's gone; vip access; vip only; your discount; your reward; treat yourself; "
        "new customers; first order; risk-free; money-back; per month for; starting at $; prices from; "
        "take our survey; short survey; leave a review; how did we do; your opinion; gift card",
        "de": "% rabatt; jetzt kaufen; jetzt bestellen; jetzt shoppen; jetzt sichern; nur heute; nur noch heute; "
        "angebot; angebote; sonderangebot; rabattcode; gutscheincode; gutschein; gratis versand; "
        "kostenloser versand; schlussverkauf; sale; neu eingetroffen; letzte chance; sparen sie; spare bis zu; "
        "jetzt entdecken; bis zu; endet heute; solange der vorrat reicht; versandkostenfrei; schnäppchen",
        "fr": "% de réduction; de remise; achetez maintenant; j'en profite; profitez; offre spéciale; "
        "offre exclusive; code promo; livraison gratuite; livraison offerte; soldes; ventes privées; "
        "dernière chance; nouveautés; offre limitée; jusqu'à; bon plan; dernières heures; se termine ce soir",
        "es": "% de descuento; compra ahora; comprar ahora; oferta especial; ofertas; oferta exclusiva; "
        "código promocional; envío gratis; rebajas; última oportunidad; últimas horas; aprovecha; descuentos; "
        "por tiempo limitado; termina hoy; novedades; hasta un",
        "it": "% di sconto; acquista ora; compra ora; offerta speciale; offerte; codice sconto; codice promo; "
        "spedizione gratuita; saldi; ultima occasione; ultime ore; approfitta; sconti; tempo limitato; "
        "scopri ora; novità; termina oggi; scade stasera",
        "pt": "% de desconto; compre agora; comprar agora; oferta especial; ofertas; código promocional; cupom; "
        "frete grátis; portes grátis; saldos; última oportunidade; últimas horas; aproveite; descontos; "
        "por tempo limitado; termina hoje; novidades",
        "nl": "% korting; koop nu; bestel nu; shop nu; aanbieding; aanbiedingen; kortingscode; gratis verzending; "
        "uitverkoop; laatste kans; nog maar even; profiteer; alleen vandaag; nieuwe collectie; op is op; "
        "eindigt vandaag; eindigt vanavond; mis het niet",
    },
    "cat_newsletter": {
        "en": "newsletter; weekly digest; daily digest; digest; this week in; in this issue; this issue; "
        "in this edition; weekly roundup; roundup; round-up; top stories; weekly update; monthly update; "
        "daily briefing; morning briefing; latest news; this week's; read more; read online; "
        "subscribed to; thanks for reading; thank you for reading; forwarded this email; "
        "forwarded to you; what we're reading; editor's note; product update; release notes; what's new in; "
        "highlights of the week; our latest; from the blog; bulletin; sponsored by; today's headlines; "
        "new post; new episode; welcome to issue",
        "de": "newsletter; in dieser ausgabe; wochenrückblick; diese woche; rundbrief; die themen; "
        "weiterlesen; mehr lesen; neuigkeiten; die nachrichten des tages; liebe leserinnen; liebe leser",
        "fr": "newsletter; infolettre; lettre d'information; dans ce numéro; cette semaine; lire la suite; "
        "à la une; l'actualité; la lettre; chers lecteurs",
        "es": "boletín; newsletter; en este número; esta semana; leer más; resumen semanal; titulares; "
        "queridos lectores; últimas noticias",
        "it": "newsletter; in questo numero; questa settimana; leggi tutto; leggi di più; notiziario; "
        "cari lettori; ultime notizie",
        "pt": "newsletter; boletim; nesta edição; esta semana; ler mais; leia mais; resumo semanal; "
        "caros leitores; últimas notícias",
        "nl": "nieuwsbrief; in dit nummer; in deze editie; deze week; lees meer; lees verder; weekoverzicht; "
        "beste lezers; laatste nieuws",
    },
    "cat_notification": {
        "en": "notification; new sign-in; new login; sign-in attempt; login attempt; verification code; "
        "security code; one-time code; one-time password; passcode; password reset; reset your password; "
        "verify your email; confirm your email; confirm your address; commented on; commented:; mentioned you in; "
        "assigned to you; "
        "has been assigned; assigned you; pull request; merge request; build failed; build passed; pipeline; "
        "workflow run; deployment; was deployed; issue #; ticket #; shared a document; shared a folder; "
        "shared a file; has shared; invited you to; "
        "shared with you; requested access; reminder:; storage is; new device; new message from; alert:; alert; "
        "incident; scheduled maintenance; will renew; renewal; your account; terms of service; privacy policy; "
        "voicemail; missed call; backup completed; backup failed; cron; usage report; has been updated; "
        "you have been added; delivery status notification; undelivered mail; out of office; automatic reply; "
        "calendar:; accepted:; declined:; tentative:; your password was changed; was changed; "
        "two-factor authentication; sign-in code; is ready; new comment; system notification; "
        "review requested; certificate expires; disk usage; quota",
        "de": "benachrichtigung; neue anmeldung; anmeldeversuch; bestätigungscode; sicherheitscode; "
        "einmalcode; passwort zurücksetzen; e-mail-adresse bestätigen; hat kommentiert; dir zugewiesen; "
        "ihnen zugewiesen; ihr konto; dein konto; abwesenheitsnotiz; automatische antwort; erinnerung:; "
        "wartungsarbeiten; nutzungsbedingungen; datenschutzerklärung; wurde geändert",
        "fr": "notification; nouvelle connexion; code de vérification; code de sécurité; "
        "réinitialiser votre mot de passe; confirmez votre adresse; a commenté; votre compte; "
        "réponse automatique; absence du bureau; rappel :; maintenance programmée; conditions d'utilisation",
        "es": "notificación; nuevo inicio de sesión; código de verificación; código de seguridad; "
        "restablecer su contraseña; restablecer tu contraseña; confirma tu correo; ha comentado; su cuenta; "
        "tu cuenta; respuesta automática; fuera de la oficina; recordatorio:; mantenimiento programado",
        "it": "notifica; nuovo accesso; codice di verifica; codice di sicurezza; reimposta la password; "
        "conferma il tuo indirizzo; ha commentato; il tuo account; risposta automatica; fuori sede; "
        "promemoria:; manutenzione programmata",
        "pt": "notificação; novo início de sessão; novo login; código de verificação; código de segurança; "
        "redefinir sua senha; repor a palavra-passe; confirme seu e-mail; comentou; sua conta; a sua conta; "
        "resposta automática; fora do escritório; lembrete:; manutenção programada",
        "nl": "melding; nieuwe aanmelding; verificatiecode; beveiligingscode; wachtwoord opnieuw instellen; "
        "bevestig je e-mailadres; heeft gereageerd; je account; uw account; automatisch antwoord; "
        "afwezigheidsbericht; herinnering:; gepland onderhoud",
    },
    "cat_social": {
        "en": "liked your; commented on your post; commented on your photo; commented on your story; "
        "replied to your comment; mentioned you in a; tagged you; friend request; wants to connect; "
        "wants to be friends; started following you; new follower; new followers; is now following; "
        "your connection; your connections; invitation to connect; people you may know; shared a post; "
        "endorsed you; viewed your profile; reacted to; new connection; your network; appeared in searches; "
        "retweeted; posted a new; your memories; who viewed; happy work anniversary; unread messages",
        "de": "gefällt dein; hat deinen beitrag; freundschaftsanfrage; folgt dir jetzt; möchte sich vernetzen; "
        "hat dich markiert; hat dich erwähnt; dein profil; neue follower; kontaktanfrage",
        "fr": "a aimé votre; a commenté votre; demande d'ami; vous suit désormais; souhaite rejoindre votre réseau; "
        "vous a identifié; vous a mentionné; votre profil; nouveaux abonnés",
        "es": "le gusta tu; ha comentado tu; solicitud de amistad; ha empezado a seguirte; quiere conectar; "
        "te ha etiquetado; te ha mencionado; tu perfil; nuevos seguidores",
        "it": "piace il tuo; ha commentato il tuo; richiesta di amicizia; ha iniziato a seguirti; "
        "vuole collegarsi; ti ha taggato; ti ha menzionato; il tuo profilo; nuovi follower",
        "pt": "curtiu sua; gostou da tua; comentou sua; pedido de amizade; começou a seguir; quer conectar; "
        "marcou você; mencionou você; seu perfil; novos seguidores",
        "nl": "vindt je; heeft gereageerd op je; vriendschapsverzoek; volgt je nu; wil verbinden; "
        "heeft je getagd; heeft je genoemd; je profiel; nieuwe volgers",
    },
    "machine_text": {
        "en": "do not reply; don't reply; please do not respond; automatically generated; "
        "auto-generated; automated message; automated email; automated notification; this is an automated; "
        "this mailbox is not monitored; this inbox is not monitored; unattended mailbox; "
        "you are receiving this; you're receiving this; you received this email because; "
        "you are receiving notifications; this email was sent to; this message was sent to; sent with care from; "
        "notification settings; email preferences; manage your preferences; manage preferences; "
        "manage notifications; update your preferences; reply to this email directly",
        "de": "bitte antworten sie nicht; bitte nicht antworten; automatisch erstellt; automatisch generiert; "
        "automatisch versendet; diese e-mail wurde automatisch; sie erhalten diese e-mail; "
        "du erhältst diese e-mail; benachrichtigungseinstellungen",
        "fr": "ne pas répondre; merci de ne pas répondre; envoyé automatiquement; message automatique; "
        "généré automatiquement; vous recevez cet e-mail; vous recevez ce message; gérer vos préférences",
        "es": "no responda; no respondas; por favor no responda; generado automáticamente; mensaje automático; "
        "correo automático; recibe este correo; recibes este correo; gestionar preferencias",
        "it": "non rispondere; si prega di non rispondere; generato automaticamente; messaggio automatico; "
        "inviata automaticamente; ricevi questa email; hai ricevuto questa email",
        "pt": "não responda; por favor não responda; gerado automaticamente; mensagem automática; "
        "enviada automaticamente; você recebeu este e-mail; recebeu este e-mail",
        "nl": "niet beantwoorden; niet op deze e-mail reageren; automatisch gegenereerd; automatisch verzonden; "
        "automatisch bericht; je ontvangt deze e-mail; u ontvangt deze e-mail",
    },
    "bulk_text": {
        "en": "unsubscribe; view in browser; view this email in your browser; view online; opt out; opt-out; "
        "all rights reserved; add us to your address book; no longer wish to receive; "
        "stop receiving these; to be removed; to stop receiving; update subscription; privacy policy",
        "de": "abmelden; abbestellen; im browser ansehen; im browser anzeigen; newsletter abbestellen; "
        "alle rechte vorbehalten; impressum; online ansehen",
        "fr": "se désabonner; se désinscrire; désinscription; voir dans le navigateur; version en ligne; "
        "tous droits réservés; désabonner; ne plus recevoir",
        "es": "darse de baja; cancelar suscripción; ver en el navegador; todos los derechos reservados; "
        "dejar de recibir; darte de baja",
        "it": "annulla iscrizione; disiscriviti; visualizza nel browser; tutti i diritti riservati; "
        "cancellarsi; disiscrizione",
        "pt": "cancelar inscrição; cancelar subscrição; descadastrar; ver no navegador; "
        "todos os direitos reservados; deixar de receber",
        "nl": "afmelden; uitschrijven; bekijk in browser; bekijk online; alle rechten voorbehouden",
    },
    "outreach_claim": {
        "en": "short demo; quick demo; book a demo; schedule a demo; teams like yours; companies like yours; "
        "businesses like yours; agencies like yours; studios like yours; firms like yours; "
        "i was on your website; i was looking at your website; i visited your website; errors on your website; "
        "page one of; first page of google; page 1 of google; top of google; seo; search engine optimization; "
        "backlinks; guest post; link exchange; our price list; our rate card; free audit; free website audit; "
        "more leads; qualified leads; lead generation; book more meetings; double your revenue; "
        "increase your revenue; grow your business; your pain points; floating this to; bumping this to; "
        "top of your inbox; we help companies; we help businesses; we help teams; we help brands; "
        "web design services; mobile app development; dedicated developers; discovery call; intro call; "
        "could save your company; could be a great fit; great fit for your; cut costs by; reduce costs by; up to 35%; "
        "attendee list; attendees list; verified contacts; open to a quick; worth a chat; your profile stood out; "
        "your profile really stood out; my client is; exciting opportunity; reached out a couple; close your file; "
        "set up a trial; experienced developers; price list; we are factory; lowest price; catalog",
        "de": "kurze demo; kostenlose demo; unternehmen wie ihres; firmen wie ihre; seite 1 bei google; "
        "auf seite eins; suchmaschinenoptimierung; mehr kunden gewinnen; neue kunden gewinnen; "
        "unverbindliches gespräch; unsere preisliste; wir helfen unternehmen; kostenlose analyse",
        "fr": "courte démo; une démo rapide; entreprises comme la vôtre; première page de google; "
        "plus de prospects; audit gratuit; nous aidons les entreprises; référencement naturel",
        "es": "breve demo; demo gratuita; empresas como la suya; empresas como la tuya; "
        "primera página de google; posicionamiento web; auditoría gratuita; ayudamos a empresas",
        "it": "breve demo; demo gratuita; aziende come la vostra; aziende come la tua; prima pagina di google; "
        "analisi gratuita; aiutiamo le aziende; posizionamento sui motori",
        "pt": "breve demonstração; demo gratuita; empresas como a sua; primeira página do google; "
        "auditoria gratuita; ajudamos empresas",
        "nl": "korte demo; gratis demo; bedrijven zoals het uwe; bedrijven zoals die van jou; "
        "eerste pagina van google; zoekmachineoptimalisatie; wij helpen bedrijven; gratis analyse",
    },
    "outreach_approach": {
        "en": "a demo; 10 minutes; 15 minutes; 15-minute; 20 minutes; quick chat; quick call; hop on a; jump on a; "
        "i noticed that; i noticed your; came across your; stumbled upon your; the right person; right person to; "
        "following up on my last; following up on my previous; circling back; case study; case studies; "
        "worth a chat; worth a quick; open to a; would it make sense; we specialize in; we specialise in; "
        "leading provider of; hours a week; save time and; guaranteed; free consultation; any thoughts",
        "de": "15 minuten; kurzes gespräch; auf ihrer website; auf ihrer webseite; richtige ansprechpartner; "
        "unverbindliches angebot; nochmals auf meine letzte",
        "fr": "15 minutes; court échange; votre site web; la bonne personne; je me permets de vous relancer",
        "es": "15 minutos; breve llamada; su sitio web; la persona adecuada",
        "it": "15 minuti; breve chiamata; il vostro sito; la persona giusta",
        "pt": "15 minutos; breve conversa; o seu site; a pessoa certa",
        "nl": "15 minuten; kort gesprek; uw website; de juiste persoon",
    },
    "outreach_optout": {
        "any": "don't want to hear from me; do not want to hear from me; rather not hear from me; "
        "prefer not to hear from; not hear from me again; stop hearing from me; not interested, just; "
        "just reply stop; reply stop; reply with stop; reply with no; reply no; let me know and i won't; "
        "i won't reach out again; i will not contact you again; opt out; opt-out; unsubscribe; "
        "keine weiteren e-mails; keine weiteren nachrichten; nicht mehr kontaktieren; abmelden; "
        "ne plus recevoir; ne plus être contacté; no recibir más; no desea recibir; non ricevere più; "
        "não receber mais; geen berichten meer; niet meer benaderd",
    },
    "own_settings": {
        "en": "your subscription; your subscriptions; manage preferences; email preferences; your preferences; "
        "subscription preferences; subscription options; your profile; edit profile; change your address; "
        "change your email address; change your e-mail address; update your email; manage newsletters; "
        "notification settings; email settings; choose what you receive; how often you receive",
        "de": "ihr abonnement; dein abonnement; einstellungen ändern; einstellungen verwalten; ihr profil; "
        "dein profil; e-mail-adresse ändern; abo verwalten; newsletter verwalten; ihre einstellungen",
        "fr": "votre abonnement; vos abonnements; vos préférences; gérer mes préférences; votre profil; mon profil; "
        "modifier votre adresse; gérer mon abonnement; mes abonnements",
        "es": "su suscripción; tu suscripción; sus preferencias; tus preferencias; gestionar preferencias; su perfil; "
        "tu perfil; cambiar su dirección; actualizar sus datos",
        "it": "la tua iscrizione; il tuo abbonamento; le tue preferenze; gestisci le preferenze; il tuo profilo; "
        "modifica il tuo indirizzo; le preferenze",
        "pt": "a sua subscrição; sua inscrição; sua assinatura; suas preferências; gerir preferências; "
        "gerenciar preferências; o seu perfil; seu perfil",
        "nl": "je abonnement; uw abonnement; je voorkeuren; uw voorkeuren; voorkeuren beheren; je profiel; uw profiel; "
        "e-mailadres wijzigen",
    },
    "edition": {
        "any": "issue no; vol.; edition; ausgabe; numéro; edición; edizione; edição; editie",
    },
}
