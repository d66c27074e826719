begin_version
3
end_version
begin_metric
0
end_metric
7
begin_variable
var0
-1
5
Atom lift-at(f0)
Atom lift-at(f1)
Atom lift-at(f2)
Atom lift-at(f3)
Atom lift-at(f4)
end_variable
begin_variable
var1
-1
2
Atom boarded(p3)
NegatedAtom boarded(p3)
end_variable
begin_variable
var2
-1
2
Atom served(p3)
NegatedAtom served(p3)
end_variable
begin_variable
var3
-1
2
Atom boarded(p2)
NegatedAtom boarded(p2)
end_variable
begin_variable
var4
-1
2
Atom served(p2)
NegatedAtom served(p2)
end_variable
begin_variable
var5
-1
2
Atom boarded(p1)
NegatedAtom boarded(p1)
end_variable
begin_variable
var6
-1
2
Atom served(p1)
NegatedAtom served(p1)
end_variable
0
begin_state
2
1
1
1
1
1
1
end_state
begin_goal
3
2 0
4 0
6 0
end_goal
26
begin_operator
board p1 f0
1
0 0
1
0 5 -1 0
1
end_operator
begin_operator
board p2 f3
1
0 3
1
0 3 -1 0
1
end_operator
begin_operator
board p3 f2
1
0 2
1
0 1 -1 0
1
end_operator
begin_operator
down f1 f0
0
1
0 0 1 0
1
end_operator
begin_operator
down f2 f0
0
1
0 0 2 0
1
end_operator
begin_operator
down f2 f1
0
1
0 0 2 1
1
end_operator
begin_operator
down f3 f0
0
1
0 0 3 0
1
end_operator
begin_operator
down f3 f1
0
1
0 0 3 1
1
end_operator
begin_operator
down f3 f2
0
1
0 0 3 2
1
end_operator
begin_operator
down f4 f0
0
1
0 0 4 0
1
end_operator
begin_operator
down f4 f1
0
1
0 0 4 1
1
end_operator
begin_operator
down f4 f2
0
1
0 0 4 2
1
end_operator
begin_operator
down f4 f3
0
1
0 0 4 3
1
end_operator
begin_operator
leave p1 f4
1
0 4
2
0 5 0 1
0 6 -1 0
1
end_operator
begin_operator
leave p2 f1
1
0 1
2
0 3 0 1
0 4 -1 0
1
end_operator
begin_operator
leave p3 f3
1
0 3
2
0 1 0 1
0 2 -1 0
1
end_operator
begin_operator
up f0 f1
0
1
0 0 0 1
1
end_operator
begin_operator
up f0 f2
0
1
0 0 0 2
1
end_operator
begin_operator
up f0 f3
0
1
0 0 0 3
1
end_operator
begin_operator
up f0 f4
0
1
0 0 0 4
1
end_operator
begin_operator
up f1 f2
0
1
0 0 1 2
1
end_operator
begin_operator
up f1 f3
0
1
0 0 1 3
1
end_operator
begin_operator
up f1 f4
0
1
0 0 1 4
1
end_operator
begin_operator
up f2 f3
0
1
0 0 2 3
1
end_operator
begin_operator
up f2 f4
0
1
0 0 2 4
1
end_operator
begin_operator
up f3 f4
0
1
0 0 3 4
1
end_operator
0
