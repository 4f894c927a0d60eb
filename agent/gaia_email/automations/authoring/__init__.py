"""How a definition comes to be: from a sentence, a starter or a language model, then changed until a person saves it.

```
template.py    a definition with holes, and the questions whose answers fill them
sentences.py   a sentence to a template, without a model; its words are in data/sentences.json
starters.py    templates to begin with: data/starters/
generating.py  the same by the model that the user chose, checked and asked again; its review
describing.py  what a definition does, in sentences, and what is worth a look
refining.py    a change in words, without a model
patching.py    the difference of two definitions as a JSON Patch (RFC 6902)
drafts.py      what is not saved yet, for an hour
```
Nothing here saves an automation, reads mail or has an effect.
"""
