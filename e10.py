from sets import *
d=Data9(None,folds=SETS,pkl='/tmp/w/x9/rows2.pkl'); zfit({}); e=d.encode(c)
mods={s:X.model(d,e,(s,),X.MSG,dict(TEMPS),c)[1] for s in SETS}
for u in (2,3,4):
    O.COSTS['urgent']=u; r={}
    for s in SETS: r.update(score(d,(s,),mods[s]))
    if u==4:
        for s in SETS: print(line(s,r[s]))
    print(u,line('ALL',total(r))); print(u,line('synth',total({k:r[k] for k in('synth_blind','modern_blind')})),flush=True)
