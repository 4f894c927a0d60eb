"""From a prepared message to entities: dates, money, people, codes, action items, meetings, receipts. Pure.

Entry point: `entities.extract_entities`. Shared with the cascade: `sentences.split_sentences` and
`requests.find_requests`.
"""
