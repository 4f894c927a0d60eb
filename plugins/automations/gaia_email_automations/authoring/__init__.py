"""Write a definition: from a sentence, a starter or a language model, then changed until a user saves it.

```
template.py    a definition with holes, and the questions whose answers fill them
sentences.py   from a sentence to a template, without a model; its grammar is in data/sentences.json
starters.py    templates to begin with: data/starters/
generating.py  definitions by the user's model, checked and retried; and its review
describing.py  a definition's effects in sentences, and what to check
refining.py    changes in words, without a model
patching.py    the difference of two definitions as a JSON Patch (RFC 6902)
drafts.py      unsaved definitions, kept for an hour
```
Nothing here saves an automation, reads mail or has an effect.
"""
