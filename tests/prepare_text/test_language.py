"""The language is named when the text says it clearly, and left open otherwise."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.language import detect_language

SAMPLES = {
    "en": "Could you send me the report by tomorrow afternoon, please?",
    "de": "Könnten Sie mir bitte den Bericht bis morgen Nachmittag schicken?",
    "fr": "Pourriez-vous m'envoyer le rapport avant demain après-midi ?",
    "es": "¿Podrías enviarme el informe antes de mañana por la tarde?",
    "it": "Potresti inviarmi la relazione entro domani pomeriggio?",
    "pt": "Você poderia me enviar o relatório até amanhã à tarde?",
    "nl": "Kun je me het rapport morgenmiddag sturen, alsjeblieft?",
    "sv": "Kan du skicka rapporten till mig senast i morgon eftermiddag?",
    "fi": "Voisitko lähettää minulle raportin huomiseen mennessä?",
    "pl": "Czy możesz wysłać mi raport do jutra po południu?",
    "cs": "Můžete mi prosím poslat zprávu do zítřejšího odpoledne?",
    "ru": "Не могли бы вы прислать мне отчёт до завтра?",
    "uk": "Чи могли б ви надіслати мені звіт до завтра?",
    "tr": "Raporu yarın öğleden sonraya kadar gönderebilir misiniz?",
    "hu": "El tudná küldeni nekem a jelentést holnap délutánig?",
    "ja": "明日の午後までに報告書を送ってください。",
    "zh": "请在明天下午之前把报告发给我。",
    "ko": "내일 오후까지 보고서를 보내 주세요.",
    "el": "Μπορείτε να μου στείλετε την αναφορά μέχρι αύριο;",
    "he": "האם תוכל לשלוח לי את הדוח עד מחר?",
    "ar": "هل يمكنك إرسال التقرير قبل ظهر الغد من فضلك؟",
    "vi": "Bạn có thể gửi cho tôi báo cáo trước chiều mai không?",
}


def test_a_plain_sentence_names_its_language(subtests: pytest.Subtests) -> None:
    for code, text in SAMPLES.items():
        with subtests.test(code=code):
            assert detect_language(text) == code
            assert (
                detect_language(text + "\n" + "https://example.com/some/long/path?with=words kim@example.com")
                == code
            )


@pytest.mark.parametrize(
    "text",
    ["", " \n", "OK", "1234 5678 90", "https://example.com/a", "qwzx vbnm", "👍👍👍", "- - - - - - - - -"],
)
def test_too_little_to_tell_is_left_open(text: str) -> None:
    assert detect_language(text) == ""


@pytest.mark.parametrize(
    ("code", "text"),
    [("ja", "はい"), ("zh", "好的，谢谢"), ("ko", "네, 감사합니다"), ("ru", "Это всё"), ("uk", "Їжа є")],
)
def test_a_script_of_one_language_needs_few_letters(code: str, text: str) -> None:
    assert detect_language(text) == code


def test_broken_code_points_do_no_harm() -> None:
    assert detect_language("Could you send me \ud800 the report\x00 by tomorrow, please?") == "en"


def test_the_answer_is_the_same_every_time() -> None:
    assert len({detect_language(SAMPLES["sv"]) for _ in range(20)}) == 1


def test_english_function_words_decide_but_not_those_of_one_english_clause() -> None:
    assert (
        detect_language("You can have the keys to our flat, if it is all the same to you and your wife.")
        == "en"
    )
    assert (
        detect_language("Der Vertrag ist von der Firma, and the rest steht in dem Brief von gestern.") == "de"
    )


def test_function_words_after_a_long_opening_decide() -> None:
    opening = (
        "DR MABO LOKO, BRANCH OFFICER, UNITED BANK FOR AFRICA PLC, ILUPEJU, LAGOS, NIGERIA, CONFIDENTIAL. "
    )
    assert (
        detect_language(opening + "I am writing to you with the papers that we have on the account.") == "en"
    )


def test_words_of_two_languages_are_left_to_the_model() -> None:
    assert (
        detect_language("Der Bericht ist fertig und liegt auf dem Tisch, so the rest of it is up to you.")
        == "de"
    )


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Hallo, das ist nicht die Datei, die ich meinte, und wir brauchen sie für den Kunden."),
        ("fr", "Bonjour, je suis avec vous pour la visite dans les bureaux et le plan est prêt."),
        ("es", "Hola, el informe está con los papeles y las fotos para usted, pero falta una firma."),
    ],
)
def test_function_words_of_other_languages_decide(code: str, text: str) -> None:
    assert detect_language(text) == code
