begin_version
3
end_version
begin_metric
0
end_metric
11
begin_variable
var0
-1
6
Atom lifted(e)
Atom on(e, a)
Atom on(e, b)
Atom on(e, c)
Atom on(e, d)
Atom on-table(e)
end_variable
begin_variable
var1
-1
2
Atom bare(e)
NegatedAtom bare(e)
end_variable
begin_variable
var2
-1
2
Atom bare(a)
NegatedAtom bare(a)
end_variable
begin_variable
var3
-1
2
Atom bare(b)
NegatedAtom bare(b)
end_variable
begin_variable
var4
-1
2
Atom bare(c)
NegatedAtom bare(c)
end_variable
begin_variable
var5
-1
2
Atom bare(d)
NegatedAtom bare(d)
end_variable
begin_variable
var6
-1
2
Atom idle()
NegatedAtom idle()
end_variable
begin_variable
var7
-1
6
Atom lifted(a)
Atom on(a, b)
Atom on(a, c)
Atom on(a, d)
Atom on(a, e)
Atom on-table(a)
end_variable
begin_variable
var8
-1
6
Atom lifted(b)
Atom on(b, a)
Atom on(b, c)
Atom on(b, d)
Atom on(b, e)
Atom on-table(b)
end_variable
begin_variable
var9
-1
6
Atom lifted(c)
Atom on(c, a)
Atom on(c, b)
Atom on(c, d)
Atom on(c, e)
Atom on-table(c)
end_variable
begin_variable
var10
-1
6
Atom lifted(d)
Atom on(d, a)
Atom on(d, b)
Atom on(d, c)
Atom on(d, e)
Atom on-table(d)
end_variable
6
begin_mutex_group
6
2 0
7 0
8 1
9 1
10 1
0 1
end_mutex_group
begin_mutex_group
6
3 0
7 1
8 0
9 2
10 2
0 2
end_mutex_group
begin_mutex_group
6
4 0
7 2
8 2
9 0
10 3
0 3
end_mutex_group
begin_mutex_group
6
5 0
7 3
8 3
9 3
10 0
0 4
end_mutex_group
begin_mutex_group
6
1 0
7 4
8 4
9 4
10 4
0 0
end_mutex_group
begin_mutex_group
6
6 0
7 0
8 0
9 0
10 0
0 0
end_mutex_group
begin_state
4
0
1
1
0
1
0
5
1
2
5
end_state
begin_goal
4
7 3
8 4
9 1
10 2
end_goal
50
begin_operator
lift a
0
3
0 2 0 1
0 6 0 1
0 7 5 0
1
end_operator
begin_operator
lift b
0
3
0 3 0 1
0 6 0 1
0 8 5 0
1
end_operator
begin_operator
lift c
0
3
0 4 0 1
0 6 0 1
0 9 5 0
1
end_operator
begin_operator
lift d
0
3
0 5 0 1
0 6 0 1
0 10 5 0
1
end_operator
begin_operator
lift e
0
3
0 1 0 1
0 6 0 1
0 0 5 0
1
end_operator
begin_operator
lower a
0
3
0 2 -1 0
0 6 -1 0
0 7 0 5
1
end_operator
begin_operator
lower b
0
3
0 3 -1 0
0 6 -1 0
0 8 0 5
1
end_operator
begin_operator
lower c
0
3
0 4 -1 0
0 6 -1 0
0 9 0 5
1
end_operator
begin_operator
lower d
0
3
0 5 -1 0
0 6 -1 0
0 10 0 5
1
end_operator
begin_operator
lower e
0
3
0 1 -1 0
0 6 -1 0
0 0 0 5
1
end_operator
begin_operator
put-on a b
0
4
0 2 -1 0
0 3 0 1
0 6 -1 0
0 7 0 1
1
end_operator
begin_operator
put-on a c
0
4
0 2 -1 0
0 4 0 1
0 6 -1 0
0 7 0 2
1
end_operator
begin_operator
put-on a d
0
4
0 2 -1 0
0 5 0 1
0 6 -1 0
0 7 0 3
1
end_operator
begin_operator
put-on a e
0
4
0 2 -1 0
0 1 0 1
0 6 -1 0
0 7 0 4
1
end_operator
begin_operator
put-on b a
0
4
0 2 0 1
0 3 -1 0
0 6 -1 0
0 8 0 1
1
end_operator
begin_operator
put-on b c
0
4
0 3 -1 0
0 4 0 1
0 6 -1 0
0 8 0 2
1
end_operator
begin_operator
put-on b d
0
4
0 3 -1 0
0 5 0 1
0 6 -1 0
0 8 0 3
1
end_operator
begin_operator
put-on b e
0
4
0 3 -1 0
0 1 0 1
0 6 -1 0
0 8 0 4
1
end_operator
begin_operator
put-on c a
0
4
0 2 0 1
0 4 -1 0
0 6 -1 0
0 9 0 1
1
end_operator
begin_operator
put-on c b
0
4
0 3 0 1
0 4 -1 0
0 6 -1 0
0 9 0 2
1
end_operator
begin_operator
put-on c d
0
4
0 4 -1 0
0 5 0 1
0 6 -1 0
0 9 0 3
1
end_operator
begin_operator
put-on c e
0
4
0 4 -1 0
0 1 0 1
0 6 -1 0
0 9 0 4
1
end_operator
begin_operator
put-on d a
0
4
0 2 0 1
0 5 -1 0
0 6 -1 0
0 10 0 1
1
end_operator
begin_operator
put-on d b
0
4
0 3 0 1
0 5 -1 0
0 6 -1 0
0 10 0 2
1
end_operator
begin_operator
put-on d c
0
4
0 4 0 1
0 5 -1 0
0 6 -1 0
0 10 0 3
1
end_operator
begin_operator
put-on d e
0
4
0 5 -1 0
0 1 0 1
0 6 -1 0
0 10 0 4
1
end_operator
begin_operator
put-on e a
0
4
0 2 0 1
0 1 -1 0
0 6 -1 0
0 0 0 1
1
end_operator
begin_operator
put-on e b
0
4
0 3 0 1
0 1 -1 0
0 6 -1 0
0 0 0 2
1
end_operator
begin_operator
put-on e c
0
4
0 4 0 1
0 1 -1 0
0 6 -1 0
0 0 0 3
1
end_operator
begin_operator
put-on e d
0
4
0 5 0 1
0 1 -1 0
0 6 -1 0
0 0 0 4
1
end_operator
begin_operator
take-off a b
0
4
0 2 0 1
0 3 -1 0
0 6 0 1
0 7 1 0
1
end_operator
begin_operator
take-off a c
0
4
0 2 0 1
0 4 -1 0
0 6 0 1
0 7 2 0
1
end_operator
begin_operator
take-off a d
0
4
0 2 0 1
0 5 -1 0
0 6 0 1
0 7 3 0
1
end_operator
begin_operator
take-off a e
0
4
0 2 0 1
0 1 -1 0
0 6 0 1
0 7 4 0
1
end_operator
begin_operator
take-off b a
0
4
0 2 -1 0
0 3 0 1
0 6 0 1
0 8 1 0
1
end_operator
begin_operator
take-off b c
0
4
0 3 0 1
0 4 -1 0
0 6 0 1
0 8 2 0
1
end_operator
begin_operator
take-off b d
0
4
0 3 0 1
0 5 -1 0
0 6 0 1
0 8 3 0
1
end_operator
begin_operator
take-off b e
0
4
0 3 0 1
0 1 -1 0
0 6 0 1
0 8 4 0
1
end_operator
begin_operator
take-off c a
0
4
0 2 -1 0
0 4 0 1
0 6 0 1
0 9 1 0
1
end_operator
begin_operator
take-off c b
0
4
0 3 -1 0
0 4 0 1
0 6 0 1
0 9 2 0
1
end_operator
begin_operator
take-off c d
0
4
0 4 0 1
0 5 -1 0
0 6 0 1
0 9 3 0
1
end_operator
begin_operator
take-off c e
0
4
0 4 0 1
0 1 -1 0
0 6 0 1
0 9 4 0
1
end_operator
begin_operator
take-off d a
0
4
0 2 -1 0
0 5 0 1
0 6 0 1
0 10 1 0
1
end_operator
begin_operator
take-off d b
0
4
0 3 -1 0
0 5 0 1
0 6 0 1
0 10 2 0
1
end_operator
begin_operator
take-off d c
0
4
0 4 -1 0
0 5 0 1
0 6 0 1
0 10 3 0
1
end_operator
begin_operator
take-off d e
0
4
0 5 0 1
0 1 -1 0
0 6 0 1
0 10 4 0
1
end_operator
begin_operator
take-off e a
0
4
0 2 -1 0
0 1 0 1
0 6 0 1
0 0 1 0
1
end_operator
begin_operator
take-off e b
0
4
0 3 -1 0
0 1 0 1
0 6 0 1
0 0 2 0
1
end_operator
begin_operator
take-off e c
0
4
0 4 -1 0
0 1 0 1
0 6 0 1
0 0 3 0
1
end_operator
begin_operator
take-off e d
0
4
0 5 -1 0
0 1 0 1
0 6 0 1
0 0 4 0
1
end_operator
0
