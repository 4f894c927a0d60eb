"""Words of those who order money moved: what is to be moved, that it is to be quick, that nobody is to know."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

ORDERS: Table = {
    "moves_money": {
        "en": "wire; wire transfer; payment; transfer; transfers; funds; money; invoice; invoices; deposit; pay; "
        "remit; gift card; gift cards; vouchers; bank transfer",
        "de": "überweisung; überweise; überweisen; zahlung; zahlen; zahle; begleiche; begleichen; betrag; rechnung; "
        "eilüberweisung; anweisung",
        "fr": "virement; virements; virer; virez; paiement; payer; payez; régler; réglez; règlement; fonds; facture",
        "es": "transferencia; transfiera; transferir; transfiere; pago; pague; pagar; factura; fondos; giro",
        "it": "bonifico; bonifichi; bonificare; pagamento; paghi; pagare; paga; fattura; fondi",
        "pt": "transferência; transfira; transferir; pagamento; pague; pagar; fatura; fundos",
        "nl": "overboeking; overmaken; maak; betaling; betaal; betalen; factuur; bedrag; overschrijving",
    },
    "in_haste": {
        "en": "today; tonight; this morning; this afternoon; right away; right now; immediately; immediate; asap; "
        "urgent; urgently; before noon; by noon; within the hour; end of day; eod; close of business; cob; at once; as "
        "soon as possible; without delay; straight away; first thing",
        "de": "heute; heute noch; sofort; dringend; umgehend; eilig; unverzüglich; eilt; ab sofort",
        "fr": "aujourd'hui; immédiatement; tout de suite; dans l'heure; urgente; sans délai; au plus vite",
        "es": "hoy; hoy mismo; urgente; inmediatamente; ahora mismo; cuanto antes; de inmediato",
        "it": "oggi; subito; urgente; urgenza; immediatamente; entro oggi; al più presto",
        "pt": "hoje; imediatamente; agora mesmo; o quanto antes; com urgência",
        "nl": "vandaag; meteen; onmiddellijk; spoed; zo snel mogelijk",
    },
    "keep_quiet": {
        "en": "tell nobody; tell no one; tell anyone; nobody else; between us; confidential; confidentially; discreet; "
        "discreetly; keep it quiet; can't talk; cannot talk; can't take calls; cannot take calls; can't speak; in a "
        "meeting; in meetings; in a conference; only email; only by email; by email only; email only; unavailable by "
        "phone; don't call; do not call; no calls; i am boarding; about to board; on a plane; stays between; do not "
        "discuss; don't discuss; not be disclosed; do not mention; don't mention",
        "de": "vertraulich; vertraulichkeit; niemandem; nicht anrufen; nur per mail; nur per e-mail; bleibt unter uns; "
        "in einer besprechung; telefonisch nicht erreichbar; diskretion",
        "fr": "confidentiel; confidentielle; confidentialité; à personne; discrétion; entre nous; en réunion; "
        "uniquement par mail; ne pas appeler",
        "es": "confidencial; nadie; entre nosotros; en una reunión; no me llame; discreción; reservado",
        "it": "riservatezza; riservato; riservata; nessuno; tra noi; in riunione; non mi chiami; confidenziale",
        "pt": "confidencial; ninguém; entre nós; em reunião; não me ligue; sigilo; discrição",
        "nl": "vertrouwelijk; niemand; onder ons; niet bellen; in een vergadering; geheim",
    },
}
