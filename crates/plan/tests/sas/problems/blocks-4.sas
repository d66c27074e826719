begin_version
3
end_version
begin_metric
0
end_metric
9
begin_variable
var0
-1
5
Atom lifted(c)
Atom on(c, a)
Atom on(c, b)
Atom on(c, d)
Atom on-table(c)
end_variable
begin_variable
var1
-1
2
Atom bare(c)
NegatedAtom bare(c)
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
Atom bare(d)
NegatedAtom bare(d)
end_variable
begin_variable
var5
-1
2
Atom idle()
NegatedAtom idle()
end_variable
begin_variable
var6
-1
5
Atom lifted(a)
Atom on(a, b)
Atom on(a, c)
Atom on(a, d)
Atom on-table(a)
end_variable
begin_variable
var7
-1
5
Atom lifted(b)
Atom on(b, a)
Atom on(b, c)
Atom on(b, d)
Atom on-table(b)
end_variable
begin_variable
var8
-1
5
Atom lifted(d)
Atom on(d, a)
Atom on(d, b)
Atom on(d, c)
Atom on-table(d)
end_variable
5
begin_mutex_group
5
2 0
6 0
7 1
0 1
8 1
end_mutex_group
begin_mutex_group
5
3 0
6 1
7 0
0 2
8 2
end_mutex_group
begin_mutex_group
5
1 0
6 2
7 2
0 0
8 3
end_mutex_group
begin_mutex_group
5
4 0
6 3
7 3
0 3
8 0
end_mutex_group
begin_mutex_group
5
5 0
6 0
7 0
0 0
8 0
end_mutex_group
begin_state
2
1
1
1
0
0
4
1
3
end_state
begin_goal
3
6 2
7 3
8 1
end_goal
32
begin_operator
lift a
0
3
0 2 0 1
0 5 0 1
0 6 4 0
1
end_operator
begin_operator
lift b
0
3
0 3 0 1
0 5 0 1
0 7 4 0
1
end_operator
begin_operator
lift c
0
3
0 1 0 1
0 5 0 1
0 0 4 0
1
end_operator
begin_operator
lift d
0
3
0 4 0 1
0 5 0 1
0 8 4 0
1
end_operator
begin_operator
lower a
0
3
0 2 -1 0
0 5 -1 0
0 6 0 4
1
end_operator
begin_operator
lower b
0
3
0 3 -1 0
0 5 -1 0
0 7 0 4
1
end_operator
begin_operator
lower c
0
3
0 1 -1 0
0 5 -1 0
0 0 0 4
1
end_operator
begin_operator
lower d
0
3
0 4 -1 0
0 5 -1 0
0 8 0 4
1
end_operator
begin_operator
put-on a b
0
4
0 2 -1 0
0 3 0 1
0 5 -1 0
0 6 0 1
1
end_operator
begin_operator
put-on a c
0
4
0 2 -1 0
0 1 0 1
0 5 -1 0
0 6 0 2
1
end_operator
begin_operator
put-on a d
0
4
0 2 -1 0
0 4 0 1
0 5 -1 0
0 6 0 3
1
end_operator
begin_operator
put-on b a
0
4
0 2 0 1
0 3 -1 0
0 5 -1 0
0 7 0 1
1
end_operator
begin_operator
put-on b c
0
4
0 3 -1 0
0 1 0 1
0 5 -1 0
0 7 0 2
1
end_operator
begin_operator
put-on b d
0
4
0 3 -1 0
0 4 0 1
0 5 -1 0
0 7 0 3
1
end_operator
begin_operator
put-on c a
0
4
0 2 0 1
0 1 -1 0
0 5 -1 0
0 0 0 1
1
end_operator
begin_operator
put-on c b
0
4
0 3 0 1
0 1 -1 0
0 5 -1 0
0 0 0 2
1
end_operator
begin_operator
put-on c d
0
4
0 1 -1 0
0 4 0 1
0 5 -1 0
0 0 0 3
1
end_operator
begin_operator
put-on d a
0
4
0 2 0 1
0 4 -1 0
0 5 -1 0
0 8 0 1
1
end_operator
begin_operator
put-on d b
0
4
0 3 0 1
0 4 -1 0
0 5 -1 0
0 8 0 2
1
end_operator
begin_operator
put-on d c
0
4
0 1 0 1
0 4 -1 0
0 5 -1 0
0 8 0 3
1
end_operator
begin_operator
take-off a b
0
4
0 2 0 1
0 3 -1 0
0 5 0 1
0 6 1 0
1
end_operator
begin_operator
take-off a c
0
4
0 2 0 1
0 1 -1 0
0 5 0 1
0 6 2 0
1
end_operator
begin_operator
take-off a d
0
4
0 2 0 1
0 4 -1 0
0 5 0 1
0 6 3 0
1
end_operator
begin_operator
take-off b a
0
4
0 2 -1 0
0 3 0 1
0 5 0 1
0 7 1 0
1
end_operator
begin_operator
take-off b c
0
4
0 3 0 1
0 1 -1 0
0 5 0 1
0 7 2 0
1
end_operator
begin_operator
take-off b d
0
4
0 3 0 1
0 4 -1 0
0 5 0 1
0 7 3 0
1
end_operator
begin_operator
take-off c a
0
4
0 2 -1 0
0 1 0 1
0 5 0 1
0 0 1 0
1
end_operator
begin_operator
take-off c b
0
4
0 3 -1 0
0 1 0 1
0 5 0 1
0 0 2 0
1
end_operator
begin_operator
take-off c d
0
4
0 1 0 1
0 4 -1 0
0 5 0 1
0 0 3 0
1
end_operator
begin_operator
take-off d a
0
4
0 2 -1 0
0 4 0 1
0 5 0 1
0 8 1 0
1
end_operator
begin_operator
take-off d b
0
4
0 3 -1 0
0 4 0 1
0 5 0 1
0 8 2 0
1
end_operator
begin_operator
take-off d c
0
4
0 1 -1 0
0 4 0 1
0 5 0 1
0 8 3 0
1
end_operator
0
