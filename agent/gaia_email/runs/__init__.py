"""Runs that outlive a program: triage, watch and snooze-wake, as steps that DBOS repeats or resumes.

Entry: `host.execute`.

```
kinds.py     the kinds of run: one table of what each takes and what runs it
job.py       what a run is asked for, as JSON: no mail, only ids
steps.py     the steps themselves, plain functions: each may be repeated from its start
workflows.py the same as DBOS workflows (importing it imports DBOS, which takes a while)
here.py      a run without DBOS
host.py      this program as the one that runs them, or the way to the one that does
history.py   what ran, runs and waits, and when it is to run
```
"""
