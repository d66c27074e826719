begin_version
3
end_version
begin_metric
0
end_metric
13
begin_variable
var0
-1
7
Atom lifted(a)
Atom on(a, b)
Atom on(a, c)
Atom on(a, d)
Atom on(a, e)
Atom on(a, f)
Atom on-table(a)
end_variable
begin_variable
var1
-1
7
Atom lifted(f)
Atom on(f, a)
Atom on(f, b)
Atom on(f, c)
Atom on(f, d)
Atom on(f, e)
Atom on-table(f)
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
Atom bare(f)
NegatedAtom bare(f)
end_variable
begin_variable
var4
-1
2
Atom bare(b)
NegatedAtom bare(b)
end_variable
begin_variable
var5
-1
2
Atom bare(c)
NegatedAtom bare(c)
end_variable
begin_variable
var6
-1
2
Atom bare(d)
NegatedAtom bare(d)
end_variable
begin_variable
var7
-1
2
Atom bare(e)
NegatedAtom bare(e)
end_variable
begin_variable
var8
-1
2
Atom idle()
NegatedAtom idle()
end_variable
begin_variable
var9
-1
7
Atom lifted(b)
Atom on(b, a)
Atom on(b, c)
Atom on(b, d)
Atom on(b, e)
Atom on(b, f)
Atom on-table(b)
end_variable
begin_variable
var10
-1
7
Atom lifted(c)
Atom on(c, a)
Atom on(c, b)
Atom on(c, d)
Atom on(c, e)
Atom on(c, f)
Atom on-table(c)
end_variable
begin_variable
var11
-1
7
Atom lifted(d)
Atom on(d, a)
Atom on(d, b)
Atom on(d, c)
Atom on(d, e)
Atom on(d, f)
Atom on-table(d)
end_variable
begin_variable
var12
-1
7
Atom lifted(e)
Atom on(e, a)
Atom on(e, b)
Atom on(e, c)
Atom on(e, d)
Atom on(e, f)
Atom on-table(e)
end_variable
7
begin_mutex_group
7
2 0
0 0
9 1
10 1
11 1
12 1
1 1
end_mutex_group
begin_mutex_group
7
4 0
0 1
9 0
10 2
11 2
12 2
1 2
end_mutex_group
begin_mutex_group
7
5 0
0 2
9 2
10 0
11 3
12 3
1 3
end_mutex_group
begin_mutex_group
7
6 0
0 3
9 3
10 3
11 0
12 4
1 4
end_mutex_group
begin_mutex_group
7
7 0
0 4
9 4
10 4
11 4
12 0
1 5
end_mutex_group
begin_mutex_group
7
3 0
0 5
9 5
10 5
11 5
12 5
1 0
end_mutex_group
begin_mutex_group
7
8 0
0 0
9 0
10 0
11 0
12 0
1 0
end_mutex_group
begin_state
6
5
1
0
1
0
1
1
0
1
2
6
4
end_state
begin_goal
4
9 5
10 2
11 4
12 1
end_goal
72
begin_operator
lift a
0
3
0 2 0 1
0 8 0 1
0 0 6 0
1
end_operator
begin_operator
lift b
0
3
0 4 0 1
0 8 0 1
0 9 6 0
1
end_operator
begin_operator
lift c
0
3
0 5 0 1
0 8 0 1
0 10 6 0
1
end_operator
begin_operator
lift d
0
3
0 6 0 1
0 8 0 1
0 11 6 0
1
end_operator
begin_operator
lift e
0
3
0 7 0 1
0 8 0 1
0 12 6 0
1
end_operator
begin_operator
lift f
0
3
0 3 0 1
0 8 0 1
0 1 6 0
1
end_operator
begin_operator
lower a
0
3
0 2 -1 0
0 8 -1 0
0 0 0 6
1
end_operator
begin_operator
lower b
0
3
0 4 -1 0
0 8 -1 0
0 9 0 6
1
end_operator
begin_operator
lower c
0
3
0 5 -1 0
0 8 -1 0
0 10 0 6
1
end_operator
begin_operator
lower d
0
3
0 6 -1 0
0 8 -1 0
0 11 0 6
1
end_operator
begin_operator
lower e
0
3
0 7 -1 0
0 8 -1 0
0 12 0 6
1
end_operator
begin_operator
lower f
0
3
0 3 -1 0
0 8 -1 0
0 1 0 6
1
end_operator
begin_operator
put-on a b
0
4
0 2 -1 0
0 4 0 1
0 8 -1 0
0 0 0 1
1
end_operator
begin_operator
put-on a c
0
4
0 2 -1 0
0 5 0 1
0 8 -1 0
0 0 0 2
1
end_operator
begin_operator
put-on a d
0
4
0 2 -1 0
0 6 0 1
0 8 -1 0
0 0 0 3
1
end_operator
begin_operator
put-on a e
0
4
0 2 -1 0
0 7 0 1
0 8 -1 0
0 0 0 4
1
end_operator
begin_operator
put-on a f
0
4
0 2 -1 0
0 3 0 1
0 8 -1 0
0 0 0 5
1
end_operator
begin_operator
put-on b a
0
4
0 2 0 1
0 4 -1 0
0 8 -1 0
0 9 0 1
1
end_operator
begin_operator
put-on b c
0
4
0 4 -1 0
0 5 0 1
0 8 -1 0
0 9 0 2
1
end_operator
begin_operator
put-on b d
0
4
0 4 -1 0
0 6 0 1
0 8 -1 0
0 9 0 3
1
end_operator
begin_operator
put-on b e
0
4
0 4 -1 0
0 7 0 1
0 8 -1 0
0 9 0 4
1
end_operator
begin_operator
put-on b f
0
4
0 4 -1 0
0 3 0 1
0 8 -1 0
0 9 0 5
1
end_operator
begin_operator
put-on c a
0
4
0 2 0 1
0 5 -1 0
0 8 -1 0
0 10 0 1
1
end_operator
begin_operator
put-on c b
0
4
0 4 0 1
0 5 -1 0
0 8 -1 0
0 10 0 2
1
end_operator
begin_operator
put-on c d
0
4
0 5 -1 0
0 6 0 1
0 8 -1 0
0 10 0 3
1
end_operator
begin_operator
put-on c e
0
4
0 5 -1 0
0 7 0 1
0 8 -1 0
0 10 0 4
1
end_operator
begin_operator
put-on c f
0
4
0 5 -1 0
0 3 0 1
0 8 -1 0
0 10 0 5
1
end_operator
begin_operator
put-on d a
0
4
0 2 0 1
0 6 -1 0
0 8 -1 0
0 11 0 1
1
end_operator
begin_operator
put-on d b
0
4
0 4 0 1
0 6 -1 0
0 8 -1 0
0 11 0 2
1
end_operator
begin_operator
put-on d c
0
4
0 5 0 1
0 6 -1 0
0 8 -1 0
0 11 0 3
1
end_operator
begin_operator
put-on d e
0
4
0 6 -1 0
0 7 0 1
0 8 -1 0
0 11 0 4
1
end_operator
begin_operator
put-on d f
0
4
0 6 -1 0
0 3 0 1
0 8 -1 0
0 11 0 5
1
end_operator
begin_operator
put-on e a
0
4
0 2 0 1
0 7 -1 0
0 8 -1 0
0 12 0 1
1
end_operator
begin_operator
put-on e b
0
4
0 4 0 1
0 7 -1 0
0 8 -1 0
0 12 0 2
1
end_operator
begin_operator
put-on e c
0
4
0 5 0 1
0 7 -1 0
0 8 -1 0
0 12 0 3
1
end_operator
begin_operator
put-on e d
0
4
0 6 0 1
0 7 -1 0
0 8 -1 0
0 12 0 4
1
end_operator
begin_operator
put-on e f
0
4
0 7 -1 0
0 3 0 1
0 8 -1 0
0 12 0 5
1
end_operator
begin_operator
put-on f a
0
4
0 2 0 1
0 3 -1 0
0 8 -1 0
0 1 0 1
1
end_operator
begin_operator
put-on f b
0
4
0 4 0 1
0 3 -1 0
0 8 -1 0
0 1 0 2
1
end_operator
begin_operator
put-on f c
0
4
0 5 0 1
0 3 -1 0
0 8 -1 0
0 1 0 3
1
end_operator
begin_operator
put-on f d
0
4
0 6 0 1
0 3 -1 0
0 8 -1 0
0 1 0 4
1
end_operator
begin_operator
put-on f e
0
4
0 7 0 1
0 3 -1 0
0 8 -1 0
0 1 0 5
1
end_operator
begin_operator
take-off a b
0
4
0 2 0 1
0 4 -1 0
0 8 0 1
0 0 1 0
1
end_operator
begin_operator
take-off a c
0
4
0 2 0 1
0 5 -1 0
0 8 0 1
0 0 2 0
1
end_operator
begin_operator
take-off a d
0
4
0 2 0 1
0 6 -1 0
0 8 0 1
0 0 3 0
1
end_operator
begin_operator
take-off a e
0
4
0 2 0 1
0 7 -1 0
0 8 0 1
0 0 4 0
1
end_operator
begin_operator
take-off a f
0
4
0 2 0 1
0 3 -1 0
0 8 0 1
0 0 5 0
1
end_operator
begin_operator
take-off b a
0
4
0 2 -1 0
0 4 0 1
0 8 0 1
0 9 1 0
1
end_operator
begin_operator
take-off b c
0
4
0 4 0 1
0 5 -1 0
0 8 0 1
0 9 2 0
1
end_operator
begin_operator
take-off b d
0
4
0 4 0 1
0 6 -1 0
0 8 0 1
0 9 3 0
1
end_operator
begin_operator
take-off b e
0
4
0 4 0 1
0 7 -1 0
0 8 0 1
0 9 4 0
1
end_operator
begin_operator
take-off b f
0
4
0 4 0 1
0 3 -1 0
0 8 0 1
0 9 5 0
1
end_operator
begin_operator
take-off c a
0
4
0 2 -1 0
0 5 0 1
0 8 0 1
0 10 1 0
1
end_operator
begin_operator
take-off c b
0
4
0 4 -1 0
0 5 0 1
0 8 0 1
0 10 2 0
1
end_operator
begin_operator
take-off c d
0
4
0 5 0 1
0 6 -1 0
0 8 0 1
0 10 3 0
1
end_operator
begin_operator
take-off c e
0
4
0 5 0 1
0 7 -1 0
0 8 0 1
0 10 4 0
1
end_operator
begin_operator
take-off c f
0
4
0 5 0 1
0 3 -1 0
0 8 0 1
0 10 5 0
1
end_operator
begin_operator
take-off d a
0
4
0 2 -1 0
0 6 0 1
0 8 0 1
0 11 1 0
1
end_operator
begin_operator
take-off d b
0
4
0 4 -1 0
0 6 0 1
0 8 0 1
0 11 2 0
1
end_operator
begin_operator
take-off d c
0
4
0 5 -1 0
0 6 0 1
0 8 0 1
0 11 3 0
1
end_operator
begin_operator
take-off d e
0
4
0 6 0 1
0 7 -1 0
0 8 0 1
0 11 4 0
1
end_operator
begin_operator
take-off d f
0
4
0 6 0 1
0 3 -1 0
0 8 0 1
0 11 5 0
1
end_operator
begin_operator
take-off e a
0
4
0 2 -1 0
0 7 0 1
0 8 0 1
0 12 1 0
1
end_operator
begin_operator
take-off e b
0
4
0 4 -1 0
0 7 0 1
0 8 0 1
0 12 2 0
1
end_operator
begin_operator
take-off e c
0
4
0 5 -1 0
0 7 0 1
0 8 0 1
0 12 3 0
1
end_operator
begin_operator
take-off e d
0
4
0 6 -1 0
0 7 0 1
0 8 0 1
0 12 4 0
1
end_operator
begin_operator
take-off e f
0
4
0 7 0 1
0 3 -1 0
0 8 0 1
0 12 5 0
1
end_operator
begin_operator
take-off f a
0
4
0 2 -1 0
0 3 0 1
0 8 0 1
0 1 1 0
1
end_operator
begin_operator
take-off f b
0
4
0 4 -1 0
0 3 0 1
0 8 0 1
0 1 2 0
1
end_operator
begin_operator
take-off f c
0
4
0 5 -1 0
0 3 0 1
0 8 0 1
0 1 3 0
1
end_operator
begin_operator
take-off f d
0
4
0 6 -1 0
0 3 0 1
0 8 0 1
0 1 4 0
1
end_operator
begin_operator
take-off f e
0
4
0 7 -1 0
0 3 0 1
0 8 0 1
0 1 5 0
1
end_operator
0
