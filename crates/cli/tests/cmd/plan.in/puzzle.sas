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
2
Atom robot-in(attic)
Atom robot-in(cellar)
end_variable
begin_variable
var1
-1
7
Atom empty(left)
Atom held(ball1, left)
Atom held(ball2, left)
Atom held(ball3, left)
Atom held(ball4, left)
Atom held(ball5, left)
Atom held(ball6, left)
end_variable
begin_variable
var2
-1
7
Atom empty(right)
Atom held(ball1, right)
Atom held(ball2, right)
Atom held(ball3, right)
Atom held(ball4, right)
Atom held(ball5, right)
Atom held(ball6, right)
end_variable
begin_variable
var3
-1
3
Atom lies(ball1, attic)
Atom lies(ball1, cellar)
<none of those>
end_variable
begin_variable
var4
-1
3
Atom lies(ball2, attic)
Atom lies(ball2, cellar)
<none of those>
end_variable
begin_variable
var5
-1
3
Atom lies(ball3, attic)
Atom lies(ball3, cellar)
<none of those>
end_variable
begin_variable
var6
-1
3
Atom lies(ball4, attic)
Atom lies(ball4, cellar)
<none of those>
end_variable
begin_variable
var7
-1
3
Atom lies(ball5, attic)
Atom lies(ball5, cellar)
<none of those>
end_variable
begin_variable
var8
-1
3
Atom lies(ball6, attic)
Atom lies(ball6, cellar)
<none of those>
end_variable
6
begin_mutex_group
4
1 1
2 1
3 0
3 1
end_mutex_group
begin_mutex_group
4
1 2
2 2
4 0
4 1
end_mutex_group
begin_mutex_group
4
1 3
2 3
5 0
5 1
end_mutex_group
begin_mutex_group
4
1 4
2 4
6 0
6 1
end_mutex_group
begin_mutex_group
4
1 5
2 5
7 0
7 1
end_mutex_group
begin_mutex_group
4
1 6
2 6
8 0
8 1
end_mutex_group
begin_state
1
0
0
1
1
1
1
1
1
end_state
begin_goal
6
3 0
4 0
5 0
6 0
7 0
8 0
end_goal
50
begin_operator
grasp ball1 attic left
1
0 0
2
0 1 0 1
0 3 0 2
1
end_operator
begin_operator
grasp ball1 attic right
1
0 0
2
0 2 0 1
0 3 0 2
1
end_operator
begin_operator
grasp ball1 cellar left
1
0 1
2
0 1 0 1
0 3 1 2
1
end_operator
begin_operator
grasp ball1 cellar right
1
0 1
2
0 2 0 1
0 3 1 2
1
end_operator
begin_operator
grasp ball2 attic left
1
0 0
2
0 1 0 2
0 4 0 2
1
end_operator
begin_operator
grasp ball2 attic right
1
0 0
2
0 2 0 2
0 4 0 2
1
end_operator
begin_operator
grasp ball2 cellar left
1
0 1
2
0 1 0 2
0 4 1 2
1
end_operator
begin_operator
grasp ball2 cellar right
1
0 1
2
0 2 0 2
0 4 1 2
1
end_operator
begin_operator
grasp ball3 attic left
1
0 0
2
0 1 0 3
0 5 0 2
1
end_operator
begin_operator
grasp ball3 attic right
1
0 0
2
0 2 0 3
0 5 0 2
1
end_operator
begin_operator
grasp ball3 cellar left
1
0 1
2
0 1 0 3
0 5 1 2
1
end_operator
begin_operator
grasp ball3 cellar right
1
0 1
2
0 2 0 3
0 5 1 2
1
end_operator
begin_operator
grasp ball4 attic left
1
0 0
2
0 1 0 4
0 6 0 2
1
end_operator
begin_operator
grasp ball4 attic right
1
0 0
2
0 2 0 4
0 6 0 2
1
end_operator
begin_operator
grasp ball4 cellar left
1
0 1
2
0 1 0 4
0 6 1 2
1
end_operator
begin_operator
grasp ball4 cellar right
1
0 1
2
0 2 0 4
0 6 1 2
1
end_operator
begin_operator
grasp ball5 attic left
1
0 0
2
0 1 0 5
0 7 0 2
1
end_operator
begin_operator
grasp ball5 attic right
1
0 0
2
0 2 0 5
0 7 0 2
1
end_operator
begin_operator
grasp ball5 cellar left
1
0 1
2
0 1 0 5
0 7 1 2
1
end_operator
begin_operator
grasp ball5 cellar right
1
0 1
2
0 2 0 5
0 7 1 2
1
end_operator
begin_operator
grasp ball6 attic left
1
0 0
2
0 1 0 6
0 8 0 2
1
end_operator
begin_operator
grasp ball6 attic right
1
0 0
2
0 2 0 6
0 8 0 2
1
end_operator
begin_operator
grasp ball6 cellar left
1
0 1
2
0 1 0 6
0 8 1 2
1
end_operator
begin_operator
grasp ball6 cellar right
1
0 1
2
0 2 0 6
0 8 1 2
1
end_operator
begin_operator
release ball1 attic left
1
0 0
2
0 1 1 0
0 3 -1 0
1
end_operator
begin_operator
release ball1 attic right
1
0 0
2
0 2 1 0
0 3 -1 0
1
end_operator
begin_operator
release ball1 cellar left
1
0 1
2
0 1 1 0
0 3 -1 1
1
end_operator
begin_operator
release ball1 cellar right
1
0 1
2
0 2 1 0
0 3 -1 1
1
end_operator
begin_operator
release ball2 attic left
1
0 0
2
0 1 2 0
0 4 -1 0
1
end_operator
begin_operator
release ball2 attic right
1
0 0
2
0 2 2 0
0 4 -1 0
1
end_operator
begin_operator
release ball2 cellar left
1
0 1
2
0 1 2 0
0 4 -1 1
1
end_operator
begin_operator
release ball2 cellar right
1
0 1
2
0 2 2 0
0 4 -1 1
1
end_operator
begin_operator
release ball3 attic left
1
0 0
2
0 1 3 0
0 5 -1 0
1
end_operator
begin_operator
release ball3 attic right
1
0 0
2
0 2 3 0
0 5 -1 0
1
end_operator
begin_operator
release ball3 cellar left
1
0 1
2
0 1 3 0
0 5 -1 1
1
end_operator
begin_operator
release ball3 cellar right
1
0 1
2
0 2 3 0
0 5 -1 1
1
end_operator
begin_operator
release ball4 attic left
1
0 0
2
0 1 4 0
0 6 -1 0
1
end_operator
begin_operator
release ball4 attic right
1
0 0
2
0 2 4 0
0 6 -1 0
1
end_operator
begin_operator
release ball4 cellar left
1
0 1
2
0 1 4 0
0 6 -1 1
1
end_operator
begin_operator
release ball4 cellar right
1
0 1
2
0 2 4 0
0 6 -1 1
1
end_operator
begin_operator
release ball5 attic left
1
0 0
2
0 1 5 0
0 7 -1 0
1
end_operator
begin_operator
release ball5 attic right
1
0 0
2
0 2 5 0
0 7 -1 0
1
end_operator
begin_operator
release ball5 cellar left
1
0 1
2
0 1 5 0
0 7 -1 1
1
end_operator
begin_operator
release ball5 cellar right
1
0 1
2
0 2 5 0
0 7 -1 1
1
end_operator
begin_operator
release ball6 attic left
1
0 0
2
0 1 6 0
0 8 -1 0
1
end_operator
begin_operator
release ball6 attic right
1
0 0
2
0 2 6 0
0 8 -1 0
1
end_operator
begin_operator
release ball6 cellar left
1
0 1
2
0 1 6 0
0 8 -1 1
1
end_operator
begin_operator
release ball6 cellar right
1
0 1
2
0 2 6 0
0 8 -1 1
1
end_operator
begin_operator
walk attic cellar
0
1
0 0 0 1
1
end_operator
begin_operator
walk cellar attic
0
1
0 0 1 0
1
end_operator
0
