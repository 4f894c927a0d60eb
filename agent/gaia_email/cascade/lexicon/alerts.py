"""Machine mail that still needs a person, and how badly. Read by `alerts`.

`alert_now` needs somebody today, `alert_do` needs somebody, `alert_calm` takes it back ("nothing to do").
"""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

ALERTS: Table = {
    "alert_now": {
        "en": "is down; are down; production down; site down; outage; service disruption; sev1; sev-1; sev 1; p1; "
        "not responding; no longer responding; unresponsive; no longer resolving; severity: critical; "
        "severity: disaster; [disaster]; disaster:; fire alarm; emergency shutoff; is rejected; being rejected; "
        "leave the building; evacuate; stop using; do not use it; do not ship; has been suspended; "
        "processing suspended; "
        "critical alert; alert: critical; [critical]; critical:; [firing; incident opened; major incident; "
        "fraud alert; suspicious transaction; suspicious charge; suspected fraud; unusual activity on your card; "
        "did you make this purchase; did you make this transaction; card was blocked; card has been blocked; "
        "account will be suspended; will be disconnected; service will be suspended; will be deleted today; "
        "domain expires today; certificate expires today; certificate expires tomorrow; expires tomorrow; "
        "expires in 1 day; expire in 1 day; expires in one day; expires within 24 hours; expires in 24 hours; "
        "flight has been cancelled; flight is cancelled; flight has been canceled; flight is delayed; "
        "gate change; pickup by today; data loss; intrusion detected; "
        "was this you; wasn't you; was not you; if this wasn't you; new sign-in from",
        "de": "ausgefallen; störung; ausfall; kritischer alarm; kritisch:; betrugsverdacht; "
        "verdächtige transaktion; karte wurde gesperrt; flug wurde gestrichen; flug annulliert; "
        "läuft heute ab; läuft morgen ab; waren sie das; warst du das; wird gesperrt",
        "fr": "en panne; panne; interruption de service; alerte critique; fraude; transaction suspecte; "
        "carte a été bloquée; vol annulé; expire aujourd'hui; expire demain; était-ce vous; ce n'était pas vous",
        "es": "está caído; caída del servicio; interrupción del servicio; alerta crítica; fraude; "
        "transacción sospechosa; tarjeta ha sido bloqueada; vuelo cancelado; vence hoy; caduca mañana; "
        "has sido tú; no has sido tú; fue usted",
        "it": "non raggiungibile; interruzione del servizio; allarme critico; frode; transazione sospetta; "
        "carta è stata bloccata; volo cancellato; scade oggi; scade domani; sei stato tu; non sei stato tu",
        "pt": "está em baixo; fora do ar; interrupção do serviço; alerta crítico; fraude; transação suspeita; "
        "cartão foi bloqueado; voo cancelado; vence hoje; expira amanhã; foi você; não foi você",
        "nl": "ligt eruit; is down; storing; kritieke melding; fraude; verdachte transactie; pas is geblokkeerd; "
        "vlucht geannuleerd; vlucht is geannuleerd; verloopt vandaag; verloopt morgen; was jij dit; was u dit",
    },
    "alert_today": {
        "en": "within 24 hours; in the next 24 hours; in the next hour; will be towed; due today; is due today; "
        "last day; today is the last day; final day; expires today; closes today; "
        "closes tonight; runs out today; due by midnight; midnight tonight; suspended today; switched off today; "
        "stops today; stop today; will be deleted today; escalates to the next; "
        "escalates in; cut-off is; is received today; alarm:; alarm since; sev-1; severity 1; down since; "
        "is unreachable; have recalled this; has recalled this; safety recall; product recall",
        "de": "heute fällig; letzter tag; endet heute; läuft heute aus; wird heute abgeschaltet; heute gesperrt; "
        "alarm:; alarm seit; nicht erreichbar seit",
        "fr": "dernier jour; à régler aujourd'hui; seront suspendus aujourd'hui; sera suspendu aujourd'hui; "
        "expire ce soir; alarme:; alarme :",
        "es": "último día; vence hoy; será suspendido hoy; se suspenderá hoy; alarma crítica; parado desde",
        "it": "ultimo giorno; scade oggi; sarà sospeso oggi; sospesi oggi; allarme:",
        "pt": "último dia; vence hoje; será suspenso hoje; suspensos hoje; alarme:",
        "nl": "laatste dag; vervalt vandaag; wordt vandaag afgesloten; down sinds; onbereikbaar; alarm:",
    },
    "alert_cancelled": {
        "en": "has been cancelled; has been canceled; was cancelled; was canceled; is cancelled; is canceled; "
        "will not run; doesn't run; does not run; departs earlier; new departure time; now departs; gate has changed; "
        "rejected; was rejected; has been rejected; in draft; not been submitted; has not been filed; "
        "have not yet filed; not submitted; has not left; not yet been received; starting in; starts in",
        "de": "wurde gestrichen; wurde annulliert; fällt aus; fährt nicht; abgelehnt; nicht eingereicht",
        "fr": "a été annulé; est annulé; est supprimé; ne circulera pas; rejeté; n'a pas été déposé",
        "es": "ha sido cancelado; ha sido cancelada; está cancelado; no circulará; rechazado; no se ha presentado",
        "it": "è stato cancellato; è cancellato; è soppresso; non circolerà; respinto; non è stata presentata",
        "pt": "foi cancelado; está cancelado; não circula; foi rejeitado; não foi entregue",
        "nl": "is geannuleerd; rijdt niet; vervalt; afgekeurd; niet ingediend",
    },
    "alert_security": {
        "en": "was this you; was it you; did you just sign in; did you make this; did you request this; "
        "whether you made it; payments you don't contest; confirm it was you",
        "de": "waren sie das; warst du das",
        "fr": "était-ce vous; était-ce bien vous",
        "es": "has sido tú; fue usted",
        "it": "sei stato tu; è stato lei",
        "pt": "foi você; foste tu",
        "nl": "was jij dit; was u dit",
    },
    "alert_unless": {
        "en": "if this was not you; if this wasn't you; if it wasn't you; if it was not you; if you did not make; "
        "if you did not request; if you did not, please; if you didn't make; if you didn't request; "
        "if you did not do this; if you didn't do this; if you did not perform; if you didn't perform; "
        "if you did not add; "
        "if you didn't add; if you did not authorise; if you did not authorize; if you didn't authorise; "
        "if you didn't authorize; if you did not initiate; if you didn't initiate; if you did not approve; "
        "if this was not done by you; if this change was not; "
        "if you do not recognise; if you don't recognise; if you do not recognize; if you don't recognize",
        "de": "wenn sie das nicht waren; falls sie das nicht waren; wenn du das nicht warst; falls du das nicht warst",
        "fr": "si ce n'était pas vous; si ce n'est pas vous; si vous n'êtes pas à l'origine",
        "es": "si no has sido tú; si no fue usted; si no ha sido usted; no reconoces",
        "it": "se non sei stato tu; se non è stato lei; non riconosci",
        "pt": "se não foi você; se não foste tu; não reconhece",
        "nl": "als jij dit niet was; als u dit niet was; ben jij dit niet; bent u dit niet",
    },
    "alert_account": {
        "any": "sign-in; signed in; sign in; login; log-in; device; password; card; purchase; transaction; transfer; "
        "payee; payment; payments; pay-out; recovery; account; access token; ssh key; api key; passkey; konto; "
        "anmeldung; gerät; passwort; karte; zahlung; "
        "überweisung; compte; connexion; appareil; carte; paiement; virement; cuenta; sesión; dispositivo; tarjeta; "
        "pago; transferencia; conto; accesso; carta; pagamento; bonifico; conta; sessão; cartão; rekening; aanmelding; "
        "apparaat; wachtwoord; pas; betaling",
    },
    "alert_do": {
        "en": "please confirm; requires your approval; submitted an expense report for your approval; invited "
        "you to sign; "
        "sent you a document to sign; to sign; be signed until; review was requested; added you as a reviewer; "
        "added you as reviewer; not yet completed; has not yet been completed; have not completed; "
        "has not been submitted; not been submitted; await your decision; awaits your decision; awaiting your "
        "decision; "
        "didn't go through; did not go through; could not charge; was returned to you; information needed; "
        "is asking for edit access; payable within; failed on branch; "
        "change to your flight; schedule change; payment failed; payment was declined; "
        "payment has failed; payment didn't go through; "
        "payment unsuccessful; unable to process your payment; couldn't process your payment; "
        "could not process your payment; card declined; card was declined; card has expired; card expires; "
        "update your payment; update your billing; action required; action needed; requires your attention; "
        "needs your attention; needs your approval; awaiting your approval; waiting for your approval; "
        "approval required; approve or reject; review requested; requested your review; assigned to you; "
        "assigned you; have been assigned; needs your review; need your review; "
        "please confirm your appointment; confirm your appointment; confirm your attendance; to confirm your; "
        "build failed; build is broken; build broken; pipeline failed; tests failed; workflow failed; run failed; "
        "has failed for; deploy failed; deployment failed; job failed; check failed; failed on main; "
        "expires in; expire in; will expire; expires soon; domain expires; certificate expires; past due; overdue; "
        "invoice is due; payment due; payment is due; bill is due; amount due; balance due; due on; please pay; "
        "please sign; signature requested; waiting for your signature; review and sign; requests your signature; "
        "finish setting up; verify your identity; missed delivery; delivery attempt; "
        "unable to deliver; couldn't deliver; could not be delivered; delivery failed; held at customs; "
        "pick up your; pickup required; storage is full; almost full; disk usage; exceeded; exceeds threshold; "
        "backup failed; low balance; insufficient funds; new sign-in; unusual sign-in; sign-in attempt; "
        "password was changed; password has been changed; terms will change; check in now; check-in is open; "
        "requested access; access request; document is missing; documents are missing; respond by; reply by; "
        "submit by; renew by; renew your; vulnerability; vulnerabilities; quota exceeded",
        "de": "rücklastschrift; nicht eingezogen werden; nicht abgebucht werden; "
        "bitte bestätigen; "
        "zahlung fehlgeschlagen; zahlung abgelehnt; zahlung konnte nicht; lastschrift fehlgeschlagen; "
        "karte abgelehnt; karte läuft ab; zahlungsdaten aktualisieren; handlung erforderlich; aktion erforderlich; "
        "bitte bestätigen sie ihren termin; termin bestätigen; build fehlgeschlagen; pipeline fehlgeschlagen; "
        "läuft ab; läuft bald ab; fällig am; zahlbar bis; überfällig; offener betrag; zur unterschrift; "
        "bitte unterschreiben; genehmigung erforderlich; zugewiesen; zustellversuch; konnte nicht zugestellt; "
        "speicher fast voll; neue anmeldung; passwort wurde geändert; backup fehlgeschlagen; zahlungserinnerung",
        "fr": "paiement n'a pas abouti; prélèvement a été rejeté; prélèvement rejeté; n'a pas pu être prélevé; "
        "paiement refusé; échec du paiement; paiement a échoué; carte refusée; carte expire; "
        "mettre à jour votre moyen de paiement; action requise; confirmer votre rendez-vous; "
        "confirmez votre rendez-vous; expire dans; va expirer; échéance; à payer avant; en retard; "
        "signature requise; à signer; approbation requise; livraison échouée; n'a pas pu être livré; "
        "espace de stockage; nouvelle connexion; mot de passe a été modifié",
        "es": "no ha podido cobrarse; no se ha podido cobrar; ha devuelto el recibo; recibo devuelto; "
        "pago rechazado; pago fallido; pago ha fallado; no pudimos procesar; tarjeta rechazada; "
        "actualice su método de pago; actualiza tu método de pago; acción requerida; confirme su cita; "
        "confirma tu cita; caduca en; va a caducar; vence el; pendiente de pago; firma requerida; "
        "aprobación requerida; intento de entrega; no se pudo entregar; nuevo inicio de sesión; "
        "contraseña ha sido cambiada; almacenamiento lleno",
        "it": "addebito non riuscito; addebito respinto; pagamento non è andato a buon fine; "
        "pagamento rifiutato; pagamento non riuscito; pagamento fallito; carta rifiutata; "
        "aggiorna il metodo di pagamento; azione richiesta; conferma il tuo appuntamento; "
        "confermare l'appuntamento; scade il; sta per scadere; in scadenza; da pagare; firma richiesta; "
        "approvazione richiesta; mancata consegna; non è stato possibile consegnare; nuovo accesso; "
        "password è stata modificata; spazio esaurito",
        "pt": "não foi possível cobrar; débito devolvido; pagamento não foi concluído; "
        "pagamento recusado; pagamento falhou; falha no pagamento; cartão recusado; "
        "atualize sua forma de pagamento; atualize o seu método de pagamento; ação necessária; "
        "confirme sua consulta; confirme a sua consulta; expira em; vai expirar; vence em; pendente de pagamento; "
        "assinatura necessária; aprovação necessária; tentativa de entrega; não foi possível entregar; "
        "novo início de sessão; senha foi alterada; armazenamento cheio",
        "nl": "incasso is mislukt; incasso mislukt; gestorneerd; kon niet worden afgeschreven; "
        "betaling mislukt; betaling geweigerd; kaart geweigerd; werk je betaalgegevens bij; actie vereist; "
        "actie nodig; bevestig je afspraak; bevestig uw afspraak; verloopt op; verloopt binnenkort; "
        "te betalen voor; openstaand bedrag; handtekening vereist; goedkeuring vereist; bezorgpoging; "
        "kon niet worden bezorgd; nieuwe aanmelding; wachtwoord is gewijzigd; opslag vol; betalingsherinnering",
    },
    "alert_change": {
        "en": "change to your journey; change to your trip; change to your train; change to your booking; "
        "your train is delayed; train is late; leaves later; platform change; platform has changed; "
        "new departure time; your bus is delayed; delivery has been delayed; has been rebooked",
        "de": "fahrplanänderung; gleisänderung; gleiswechsel; verspätung; änderung ihrer reise; "
        "änderung ihrer fahrt; fährt heute von gleis",
        "fr": "modification de votre voyage; changement de voie; votre train est retardé; retard de votre train",
        "es": "cambio en su viaje; cambio en tu viaje; cambio de andén; su tren lleva; tren con retraso",
        "it": "variazione del tuo viaggio; cambio binario; treno in ritardo; cambio di binario",
        "pt": "alteração da sua viagem; alteração na sua viagem; mudança de plataforma; comboio atrasado",
        "nl": "wijziging in je reis; wijziging van uw reis; spoorwijziging; je trein heeft vertraging",
    },
    "alert_pay": {
        "en": "if you pay by; if you pay within; if paid by; if paid within; pay within; reduced if you pay; "
        "payable by; payable on; payable until; is payable; due by; invoice is due; bill is due; payment is due; "
        "payment due; is due on; please pay; please transfer; please settle; still unpaid; is unpaid; "
        "remains unpaid; outstanding balance; is overdue; are overdue; past due; amount due; rent is due",
        "de": "bei zahlung bis; bei zahlung innerhalb; wenn sie bis; "
        "zahlbar bis; zahlbar innerhalb; fällig am; fällig zum; zu zahlen bis; bitte überweisen; "
        "überweisen sie; bitte begleichen; noch offen; überfällig; offener betrag; zahlungsziel",
        "fr": "si vous payez avant; si vous réglez avant; en cas de paiement sous; minorée; "
        "à payer avant; payable avant; à régler avant; à régler; veuillez régler; reste impayée; "
        "demeure impayée; échéance; exigible le",
        "es": "si paga antes; si abona antes; con reducción; pronto pago; pagarlo con tarjeta; pagarla con tarjeta; "
        "pagar antes del; a pagar antes; vence el; sigue pendiente; pendiente de pago; con vencimiento",
        "it": "se paga entro; se pagata entro; pagamento in misura ridotta; "
        "da pagare entro; pagare entro; scade il; risulta non pagata; in scadenza; la preghiamo di pagare",
        "pt": "se pagar até; se pagar dentro; pagamento voluntário; "
        "pagar até; pagamento até; vence em; vence no dia; continua por pagar; em dívida",
        "nl": "als u betaalt voor; bij betaling voor; bij betaling binnen; "
        "te betalen voor; betalen vóór; betalen voor; gelieve te betalen; vervaldatum; openstaand; "
        "nog niet betaald",
    },
    "already_paid": {
        "any": "already paid; has been paid; was paid; paid by card; paid with; paid in full; payment received; "
        "thank you for your payment; automatically charged; charged automatically; will be charged to; "
        "were charged to; was charged to; direct debit; autopay; bereits bezahlt; schon bezahlt; wurde bezahlt; "
        "wird abgebucht; wird automatisch; lastschrift; dankend erhalten; déjà réglée; déjà payée; déjà réglé; "
        "déjà payé; a été payée; prélèvement; ya pagada; ya pagado; ha sido pagada; domiciliación; già pagata; "
        "già pagato; già saldata; addebito automatico; já paga; já pago; já foi paga; débito direto; al betaald; "
        "reeds betaald; is betaald; automatische incasso",
    },
    "bill": {
        "any": "penalty charge; charge notice; penalty notice; parking charge; parking fine; fine notice; bußgeld; "
        "verwarnungsgeld; amende; contravention; multa; contravvenzione; coima; boete; "
        "invoice; bill; dunning; rechnung; mahnung; zahlungserinnerung; beitrag; facture; avis d'échéance; "
        "factura; recibo; fattura; bolletta; fatura; boleto; factuur; nota; rekening; rent; miete; loyer; "
        "electricity; gas; premium; fee; tuition; subscription; membership",
    },
    "renewal_failed": {
        "any": "renewal failed; renewal: failed; renewal has failed; failed to renew; could not be renewed; "
        "renewal has given up; not been renewed; not renewed; automatic renewal is off; auto-renewal failed; "
        "erneuerung fehlgeschlagen; nicht erneuert; verlängerung fehlgeschlagen; nicht verlängert; "
        "renouvellement a échoué; pas été renouvelé; renovación fallida; renovación ha fallado; no se ha renovado; "
        "rinnovo fallito; rinnovo non riuscito; non è stato rinnovato; renovação falhou; não foi renovado; "
        "vernieuwen mislukt; vernieuwing mislukt; niet vernieuwd",
    },
    "alert_pickup": {
        "any": "pick up your parcel; pick up your package; collect your parcel; collect your package; "
        "waits for you at; "
        "is waiting for you at; ready for pickup; ready for collection; ready to collect; holen sie ihr paket; "
        "hol dein paket; zur abholung bereit; liegt zur abholung; abholbereit; retirer votre colis; "
        "récupérer votre colis; disponible en point relais; recoger su paquete; recoge tu paquete; "
        "listo para recoger; ritira il tuo pacco; pronto per il ritiro; levantar a sua encomenda; "
        "pronto para levantamento; haal je pakket; ligt klaar",
    },
    "alert_code": {
        "any": "code de confirmation; code pour valider; code à usage unique; código de confirmación; codice di "
        "conferma; código de confirmação; bevestigingscode; tan für; mtan; sms-tan; "
        "verification code; security code; one-time code; one-time password; one-time passcode; passcode; "
        "login code; sign-in code; confirmation code; access code; bestätigungscode; sicherheitscode; einmalcode; "
        "code de vérification; code de sécurité; código de verificación; código de seguridad; codice di verifica; "
        "codice di sicurezza; código de verificação; código de segurança; verificatiecode; beveiligingscode",
    },
    "alert_signup": {
        "en": "verify your email; confirm your email; verify your work email; confirm your account; "
        "activate your account; verify your account; reset your password; password reset; complete signup",
        "de": "e-mail-adresse bestätigen; e-mail bestätigen; konto aktivieren; passwort zurücksetzen",
        "fr": "confirmez votre adresse; activez votre compte; réinitialiser votre mot de passe",
        "es": "confirma tu correo; confirme su correo; activa tu cuenta; restablecer tu contraseña; "
        "restablecer su contraseña",
        "it": "conferma il tuo indirizzo; conferma la tua email; attiva il tuo account; reimposta la password",
        "pt": "confirme seu e-mail; confirme o seu e-mail; ative sua conta; redefinir sua senha",
        "nl": "bevestig je e-mailadres; bevestig uw e-mailadres; activeer je account; wachtwoord opnieuw instellen",
    },
    "alert_calm": {
        "en": "you need do nothing; there is nothing you need to do; there's nothing you need to do; nothing "
        "you need to do; nothing you have to do; "
        "there is nothing to do; nothing you need to arrange; planned outage; planned maintenance; withdrawn; "
        "we extended the; hold released; no action is required; no action required; no action needed; no "
        "action is needed; "
        "you don't need to do anything; no further action; resolved; has been resolved; recovered; "
        "back to normal; is back up; payment received; payment successful; was successful; build passed; "
        "succeeded; completed successfully; will be automatically charged; paid in full; thank you for your payment; "
        "automatically charged; [resolved]; all clear; autopay; will be charged automatically",
        "de": "keine aktion erforderlich; kein handlungsbedarf; behoben; wieder verfügbar; erfolgreich; "
        "wird automatisch abgebucht; sie müssen nichts tun; du musst nichts tun",
        "fr": "aucune action; résolu; rétabli; avec succès; sera prélevé automatiquement; rien à faire",
        "es": "no es necesario hacer nada; no se requiere ninguna acción; resuelto; restablecido; "
        "correctamente; se cobrará automáticamente",
        "it": "nessuna azione richiesta; non devi fare nulla; risolto; ripristinato; con successo; "
        "verrà addebitato automaticamente",
        "pt": "nenhuma ação necessária; não precisa fazer nada; resolvido; restabelecido; com sucesso; "
        "será cobrado automaticamente",
        "nl": "geen actie nodig; je hoeft niets te doen; opgelost; hersteld; gelukt; succesvol; "
        "wordt automatisch afgeschreven",
    },
}
