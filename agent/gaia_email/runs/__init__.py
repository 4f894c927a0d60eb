"""Runs that outlive a program: triage, watch and snooze-wake, as steps that DBOS repeats or resumes.

Entry: `host.execute`.

```
kinds.py     the kinds of run: a table with the arguments and the code of each
job.py       the parameters of a run as JSON: IDs only, no mail
steps.py     the steps as plain functions, each repeatable from its start
workflows.py the steps as DBOS workflows (importing it imports DBOS, which is slow)
here.py      a run without DBOS
host.py      executes runs in this program, or asks the program that does
history.py   past, current, waiting and scheduled runs
```
"""
