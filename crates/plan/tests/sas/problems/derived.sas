begin_version
3
end_version
begin_metric
0
end_metric
8
begin_variable
var0
-1
2
Atom locked(front)
NegatedAtom locked(front)
end_variable
begin_variable
var1
-1
2
Atom locked(back)
NegatedAtom locked(back)
end_variable
begin_variable
var2
-1
2
Atom guarded(front)
NegatedAtom guarded(front)
end_variable
begin_variable
var3
0
2
Atom safe(front)
NegatedAtom safe(front)
end_variable
begin_variable
var4
-1
2
Atom guarded(back)
NegatedAtom guarded(back)
end_variable
begin_variable
var5
0
2
Atom safe(back)
NegatedAtom safe(back)
end_variable
begin_variable
var6
1
2
Atom new-axiom@0()
NegatedAtom new-axiom@0()
end_variable
begin_variable
var7
-1
2
Atom at-rest()
NegatedAtom at-rest()
end_variable
0
begin_state
1
1
1
1
1
1
1
1
end_state
begin_goal
1
7 0
end_goal
5
begin_operator
guard back
0
1
0 4 1 0
1
end_operator
begin_operator
guard front
0
1
0 2 1 0
1
end_operator
begin_operator
lock back
0
1
0 1 1 0
1
end_operator
begin_operator
lock front
0
1
0 0 1 0
1
end_operator
begin_operator
rest 
1
6 1
1
0 7 -1 0
1
end_operator
6
begin_rule
1
4 0
5 1 0
end_rule
begin_rule
1
2 0
3 1 0
end_rule
begin_rule
1
1 0
5 1 0
end_rule
begin_rule
1
0 0
3 1 0
end_rule
begin_rule
1
5 1
6 1 0
end_rule
begin_rule
1
3 1
6 1 0
end_rule
