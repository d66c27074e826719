begin_version
3
end_version
begin_metric
0
end_metric
5
begin_variable
var0
-1
2
Atom courier-on(far)
Atom courier-on(near)
end_variable
begin_variable
var1
-1
3
Atom worn(broken)
Atom worn(cracked)
Atom worn(sound)
end_variable
begin_variable
var2
-1
2
Atom free()
NegatedAtom free()
end_variable
begin_variable
var3
-1
3
Atom carries(crate)
Atom parcel-on(crate, far)
Atom parcel-on(crate, near)
end_variable
begin_variable
var4
-1
3
Atom carries(letter)
Atom parcel-on(letter, far)
Atom parcel-on(letter, near)
end_variable
1
begin_mutex_group
3
3 0
4 0
2 0
end_mutex_group
begin_state
1
2
0
2
2
end_state
begin_goal
2
3 1
4 1
end_goal
16
begin_operator
cross far far cracked broken
1
0 0
1
0 1 1 0
1
end_operator
begin_operator
cross far far sound cracked
1
0 0
1
0 1 2 1
1
end_operator
begin_operator
cross far near cracked broken
0
2
0 0 0 1
0 1 1 0
1
end_operator
begin_operator
cross far near sound cracked
0
2
0 0 0 1
0 1 2 1
1
end_operator
begin_operator
cross near far cracked broken
0
2
0 0 1 0
0 1 1 0
1
end_operator
begin_operator
cross near far sound cracked
0
2
0 0 1 0
0 1 2 1
1
end_operator
begin_operator
cross near near cracked broken
1
0 1
1
0 1 1 0
1
end_operator
begin_operator
cross near near sound cracked
1
0 1
1
0 1 2 1
1
end_operator
begin_operator
drop crate far
1
0 0
2
0 3 0 1
0 2 -1 0
1
end_operator
begin_operator
drop crate near
1
0 1
2
0 3 0 2
0 2 -1 0
1
end_operator
begin_operator
drop letter far
1
0 0
2
0 4 0 1
0 2 -1 0
1
end_operator
begin_operator
drop letter near
1
0 1
2
0 4 0 2
0 2 -1 0
1
end_operator
begin_operator
take crate far
1
0 0
2
0 3 1 0
0 2 0 1
1
end_operator
begin_operator
take crate near
1
0 1
2
0 3 2 0
0 2 0 1
1
end_operator
begin_operator
take letter far
1
0 0
2
0 4 1 0
0 2 0 1
1
end_operator
begin_operator
take letter near
1
0 1
2
0 4 2 0
0 2 0 1
1
end_operator
0
