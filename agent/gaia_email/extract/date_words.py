"""The words for days, months and deadlines in each language, as data. Read by `dates`.

In these tables `_` stands for white space and a `|` inside a value never occurs; weekdays count from Monday
as 0, months from January as 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["hour", "day", "week", "month", "year"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords:
    """How one language speaks about days.

    Attributes:
        months: A line a month, its spellings separated by spaces.
        weekdays: A line a weekday from Monday on; short forms that are also words must be capitalised in
            the text to count.
        relative: Days from the message's own, and how they are called.
        units: Units of time, singular and plural.
        numbers: Small numbers as words.
        upcoming: What stands before or after a weekday, week or month to mean the one after this.
        current: The same for the one now running or coming.
        past: The same for the one before.
        within: What stands before a span of time that ends in the future.
        after_span: What stands behind one ("from now").
        ago: What says that a span lies in the past, before or behind.
        close: Phrases for the end of a day, week, month or year, up to and including that unit.
        day_joint: What may stand between day and month, and between month and year.
        ordinal: What may stand behind the number of a day.
        clock_joint: What may stand between a date and a time of day.
        noon: Midday.
        deadline: Words directly before a date that make it a deadline.
        deadline_after: Words directly behind it that do.
        month_first: True when 3/5 is the fifth of March.
    """

    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    relative: dict[int, str]
    units: dict[Unit, str]
    numbers: tuple[str, ...]
    upcoming: str
    current: str
    past: str
    within: str
    after_span: str
    ago: str
    close: dict[Unit, str]
    day_joint: str
    ordinal: str
    clock_joint: str
    noon: str
    deadline: str
    deadline_after: str
    month_first: bool = False


ENGLISH = DateWords(
    months=(
        "january jan",
        "february feb",
        "march mar",
        "april apr",
        "may",
        "june jun",
        "july jul",
        "august aug",
        "september sept sep",
        "october oct",
        "november nov",
        "december dec",
    ),
    weekdays=(
        "monday mon",
        "tuesday tues tue",
        "wednesday wed",
        "thursday thurs thur thu",
        "friday fri",
        "saturday sat",
        "sunday sun",
    ),
    relative={
        0: "today tonight this_morning this_afternoon this_evening",
        1: "tomorrow tmrw tomorrow_morning tomorrow_afternoon tomorrow_evening tomorrow_night",
        2: "day_after_tomorrow the_day_after_tomorrow",
        -1: "yesterday last_night",
    },
    units={
        "hour": "hours hour hrs",
        "day": "days day business_days business_day working_days working_day calendar_days",
        "week": "weeks week",
        "month": "months month",
        "year": "years year",
    },
    numbers=("a an one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    upcoming="next",
    current="this this_coming coming",
    past="last past",
    within="in within",
    after_span="from_now from_today",
    ago="ago",
    close={
        "day": "end_of_day end_of_the_day end_of_business end_of_business_day close_of_business "
        "close_of_play eod cob",
        "week": "end_of_week end_of_the_week end_of_this_week eow",
        "month": "end_of_month end_of_the_month end_of_this_month eom",
        "year": "end_of_year end_of_the_year end_of_this_year year-end",
    },
    day_joint="of",
    ordinal="st|nd|rd|th",
    clock_joint="at around by from starting_at before until till between after @",
    noon="noon midday",
    deadline="by until till before due due_on due_by due_date due_date_is deadline deadline_is deadline_of "
    "no_later_than not_later_than prior_to latest expire expires expires_on expires_in expire_in "
    "expire_on will_expire_in "
    "expiring_on ends ends_on closes closes_on within submit_by respond_by reply_by rsvp_by on_or_before "
    "valid_until valid_through ahead_of up_to is_due is_due_on are_due are_due_on are_due_by payable_by",
    deadline_after="deadline at_the_latest latest cutoff cut-off",
    month_first=True,
)

GERMAN = DateWords(
    months=(
        "januar jänner jan",
        "februar feber feb",
        "märz mär mrz",
        "april apr",
        "mai",
        "juni jun",
        "juli jul",
        "august aug",
        "september sept sep",
        "oktober okt",
        "november nov",
        "dezember dez",
    ),
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag"),
    relative={
        0: "heute heute_abend heute_nachmittag heute_mittag heute_früh heute_vormittag",
        1: "morgen morgen_früh morgen_vormittag morgen_nachmittag morgen_abend",
        2: "übermorgen",
        -1: "gestern",
        -2: "vorgestern",
    },
    units={
        "hour": "stunden stunde",
        "day": "tagen tage tag werktagen werktage arbeitstagen",
        "week": "wochen woche",
        "month": "monaten monate monat",
        "year": "jahren jahre jahr",
    },
    numbers=(
        "einem einer ein eine",
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
    ),
    upcoming="nächsten nächste nächster nächstes nächstem",
    current="diesen diese dieser dieses diesem kommenden kommende kommender",
    past="letzten letzte letzter letztes vergangenen",
    within="in innerhalb_von binnen",
    after_span="ab_heute",
    ago="vor",
    close={
        "day": "ende_des_tages tagesende feierabend dienstschluss",
        "week": "ende_der_woche wochenende ende_dieser_woche",
        "month": "ende_des_monats monatsende ende_dieses_monats",
        "year": "ende_des_jahres jahresende",
    },
    day_joint="des",
    ordinal=r"\.",
    clock_joint="um gegen ab bis von ab_ca. um_ca.",
    noon="mittag",
    deadline="bis bis_zum bis_spätestens spätestens spätestens_am spätestens_bis vor vor_dem fällig "
    "fällig_am "
    "frist frist_bis deadline deadline_ist abgabe bis_einschließlich bis_zu endet_am läuft_ab_am stichtag zum",
    deadline_after="fällig spätestens",
)

FRENCH = DateWords(
    months=(
        "janvier janv",
        "février fevrier févr",
        "mars",
        "avril avr",
        "mai",
        "juin",
        "juillet juil",
        "août aout",
        "septembre sept",
        "octobre oct",
        "novembre nov",
        "décembre decembre déc",
    ),
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    relative={
        0: "aujourd'hui aujourd’hui ce_soir ce_matin cet_après-midi",
        1: "demain demain_matin demain_soir demain_après-midi",
        2: "après-demain",
        -1: "hier",
        -2: "avant-hier",
    },
    units={
        "hour": "heures heure",
        "day": "jours jour jours_ouvrés",
        "week": "semaines semaine",
        "month": "mois",
        "year": "ans an années année",
    },
    numbers=("un une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
    upcoming="prochain prochaine",
    current="ce cette",
    past="dernier dernière passé",
    within="dans d'ici sous",
    after_span="à_partir_d'aujourd'hui",
    ago="il_y_a",
    close={
        "day": "fin_de_journée fin_de_la_journée fin_du_jour",
        "week": "fin_de_semaine fin_de_la_semaine",
        "month": "fin_du_mois fin_de_mois",
        "year": "fin_de_l'année fin_d'année",
    },
    day_joint="",
    ordinal="er",
    clock_joint="à vers dès de avant après",
    noon="midi",
    deadline="avant avant_le avant_la d'ici d'ici_le d'ici_à au_plus_tard au_plus_tard_le jusqu'à jusqu'au "
    "échéance échéance_le date_limite date_limite_: pour_le pour expire_le délai",
    deadline_after="au_plus_tard dernier_délai",
)

SPANISH = DateWords(
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre setiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    weekdays=("lunes", "martes", "miércoles miercoles", "jueves", "viernes", "sábado sabado", "domingo"),
    relative={
        0: "hoy esta_noche esta_tarde esta_mañana",
        1: "mañana mañana_por_la_mañana mañana_por_la_tarde",
        2: "pasado_mañana",
        -1: "ayer",
        -2: "anteayer",
    },
    units={
        "hour": "horas hora",
        "day": "días dias día dia días_hábiles días_laborables",
        "week": "semanas semana",
        "month": "meses mes",
        "year": "años año",
    },
    numbers=("un una uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
    upcoming="próximo próxima que_viene siguiente",
    current="este esta",
    past="pasado pasada último última",
    within="en dentro_de",
    after_span="a_partir_de_hoy",
    ago="hace",
    close={
        "day": "final_del_día fin_del_día",
        "week": "final_de_la_semana fin_de_semana final_de_semana finales_de_semana",
        "month": "final_del_mes fin_de_mes fin_del_mes finales_de_mes final_de_mes",
        "year": "final_del_año fin_de_año finales_de_año",
    },
    day_joint="de del",
    ordinal="º|°",
    clock_joint="a_las a_la sobre_las hacia_las desde_las de",
    noon="mediodía",
    deadline="antes_de antes_del hasta hasta_el para para_el plazo a_más_tardar a_más_tardar_el vence "
    "vence_el "
    "fecha_límite fecha_límite_: límite como_tarde caduca_el antes_de_las",
    deadline_after="como_muy_tarde como_tarde",
)

ITALIAN = DateWords(
    months=(
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ),
    weekdays=(
        "lunedì lunedi",
        "martedì martedi",
        "mercoledì mercoledi",
        "giovedì giovedi",
        "venerdì venerdi",
        "sabato",
        "domenica",
    ),
    relative={
        0: "oggi stasera stamattina questa_sera questo_pomeriggio",
        1: "domani domani_mattina domani_sera domani_pomeriggio",
        2: "dopodomani",
        -1: "ieri",
    },
    units={
        "hour": "ore ora",
        "day": "giorni giorno giorni_lavorativi",
        "week": "settimane settimana",
        "month": "mesi mese",
        "year": "anni anno",
    },
    numbers=("un una uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci"),
    upcoming="prossimo prossima",
    current="questo questa",
    past="scorso scorsa",
    within="tra fra entro",
    after_span="da_oggi",
    ago="fa",
    close={
        "day": "fine_giornata fine_della_giornata",
        "week": "fine_settimana fine_della_settimana",
        "month": "fine_mese fine_del_mese",
        "year": "fine_anno fine_dell'anno",
    },
    day_joint="",
    ordinal="º|°",
    clock_joint="alle all' ore dalle verso_le per_le",
    noon="mezzogiorno",
    deadline="entro entro_il entro_la entro_le entro_e_non_oltre prima_di prima_del fino_a fino_al "
    "scadenza scade scade_il "
    "per per_il al_più_tardi termine",
    deadline_after="al_più_tardi",
)

PORTUGUESE = DateWords(
    months=(
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ),
    weekdays=(
        "segunda-feira segunda",
        "terça-feira terça",
        "quarta-feira quarta",
        "quinta-feira quinta",
        "sexta-feira sexta",
        "sábado",
        "domingo",
    ),
    relative={
        0: "hoje hoje_à_noite hoje_à_tarde",
        1: "amanhã amanhã_de_manhã amanhã_à_tarde",
        2: "depois_de_amanhã",
        -1: "ontem",
        -2: "anteontem",
    },
    units={
        "hour": "horas hora",
        "day": "dias dia dias_úteis",
        "week": "semanas semana",
        "month": "meses mês",
        "year": "anos ano",
    },
    numbers=("um uma", "dois duas", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"),
    upcoming="próximo próxima que_vem",
    current="este esta nesta neste",
    past="passado passada último última",
    within="em dentro_de daqui_a no_prazo_de",
    after_span="a_partir_de_hoje",
    ago="há",
    close={
        "day": "fim_do_dia final_do_dia",
        "week": "fim_da_semana final_da_semana fim_de_semana",
        "month": "fim_do_mês final_do_mês",
        "year": "fim_do_ano final_do_ano",
    },
    day_joint="de",
    ordinal="º|°",
    clock_joint="às as à pelas por_volta_das das",
    noon="meio-dia",
    deadline="até até_ao até_o até_à antes_de antes_do prazo para o_mais_tardar vence vence_em vencimento "
    "data_limite expira_em",
    deadline_after="no_máximo o_mais_tardar",
)

DUTCH = DateWords(
    months=(
        "januari jan",
        "februari feb",
        "maart mrt",
        "april apr",
        "mei",
        "juni jun",
        "juli jul",
        "augustus aug",
        "september sept sep",
        "oktober okt",
        "november nov",
        "december dec",
    ),
    weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    relative={
        0: "vandaag vanavond vanmiddag vanochtend vanmorgen",
        1: "morgen morgenochtend morgenmiddag morgenavond",
        2: "overmorgen",
        -1: "gisteren",
        -2: "eergisteren",
    },
    units={
        "hour": "uren uur",
        "day": "dagen dag werkdagen werkdag",
        "week": "weken week",
        "month": "maanden maand",
        "year": "jaren jaar",
    },
    numbers=("een één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien"),
    upcoming="volgende",
    current="deze aanstaande komende",
    past="vorige afgelopen",
    within="over binnen",
    after_span="vanaf_nu",
    ago="geleden",
    close={
        "day": "einde_van_de_dag eind_van_de_dag einde_dag",
        "week": "einde_van_de_week eind_van_de_week eind_deze_week",
        "month": "einde_van_de_maand eind_van_de_maand",
        "year": "einde_van_het_jaar eind_van_het_jaar",
    },
    day_joint="",
    ordinal="e|ste|de",
    clock_joint="om rond vanaf tussen",
    noon="",
    deadline="voor vóór uiterlijk uiterlijk_op tot tot_en_met deadline deadline_is voor_de vervalt_op "
    "verloopt_op "
    "vervaldatum uiterste_datum",
    deadline_after="uiterlijk",
)

LANGUAGES: dict[str, DateWords] = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
}
