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
2
Atom lit(l7)
NegatedAtom lit(l7)
end_variable
begin_variable
var1
-1
2
Atom lit(l6)
NegatedAtom lit(l6)
end_variable
begin_variable
var2
-1
2
Atom lit(l5)
NegatedAtom lit(l5)
end_variable
begin_variable
var3
-1
2
Atom lit(l4)
NegatedAtom lit(l4)
end_variable
begin_variable
var4
-1
2
Atom lit(l3)
NegatedAtom lit(l3)
end_variable
begin_variable
var5
-1
2
Atom lit(l2)
NegatedAtom lit(l2)
end_variable
begin_variable
var6
-1
2
Atom lit(l1)
NegatedAtom lit(l1)
end_variable
0
begin_state
1
1
1
1
1
1
0
end_state
begin_goal
7
0 1
1 1
2 1
3 1
4 1
5 1
6 1
end_goal
7
begin_operator
flip s1
0
4
1 6 1 6 -1 0
1 6 0 6 -1 1
1 5 1 5 -1 0
1 5 0 5 -1 1
1
end_operator
begin_operator
flip s2
0
6
1 6 1 6 -1 0
1 6 0 6 -1 1
1 5 1 5 -1 0
1 5 0 5 -1 1
1 4 1 4 -1 0
1 4 0 4 -1 1
1
end_operator
begin_operator
flip s3
0
6
1 5 1 5 -1 0
1 5 0 5 -1 1
1 4 1 4 -1 0
1 4 0 4 -1 1
1 3 1 3 -1 0
1 3 0 3 -1 1
1
end_operator
begin_operator
flip s4
0
6
1 4 1 4 -1 0
1 4 0 4 -1 1
1 3 1 3 -1 0
1 3 0 3 -1 1
1 2 1 2 -1 0
1 2 0 2 -1 1
1
end_operator
begin_operator
flip s5
0
6
1 3 1 3 -1 0
1 3 0 3 -1 1
1 2 1 2 -1 0
1 2 0 2 -1 1
1 1 1 1 -1 0
1 1 0 1 -1 1
1
end_operator
begin_operator
flip s6
0
6
1 2 1 2 -1 0
1 2 0 2 -1 1
1 1 1 1 -1 0
1 1 0 1 -1 1
1 0 1 0 -1 0
1 0 0 0 -1 1
1
end_operator
begin_operator
flip s7
0
4
1 1 1 1 -1 0
1 1 0 1 -1 1
1 0 1 0 -1 0
1 0 0 0 -1 1
1
end_operator
0
