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
3
Atom cart-at(bakery)
Atom cart-at(farm)
Atom cart-at(mill)
end_variable
begin_variable
var1
-1
2
Atom at(grain, bakery)
NegatedAtom at(grain, bakery)
end_variable
begin_variable
var2
-1
2
Atom at(grain, farm)
NegatedAtom at(grain, farm)
end_variable
begin_variable
var3
-1
2
Atom at(grain, mill)
NegatedAtom at(grain, mill)
end_variable
begin_variable
var4
-1
2
Atom in-cart(grain)
NegatedAtom in-cart(grain)
end_variable
begin_variable
var5
-1
2
Atom at(flour, farm)
NegatedAtom at(flour, farm)
end_variable
begin_variable
var6
-1
2
Atom at(flour, mill)
NegatedAtom at(flour, mill)
end_variable
begin_variable
var7
-1
2
Atom at(flour, bakery)
NegatedAtom at(flour, bakery)
end_variable
begin_variable
var8
-1
2
Atom in-cart(flour)
NegatedAtom in-cart(flour)
end_variable
0
begin_state
0
1
0
1
1
1
0
1
1
end_state
begin_goal
5
0 1
3 0
4 1
7 0
8 1
end_goal
12
begin_operator
load flour bakery
2
7 0
0 0
1
0 8 1 0
1
end_operator
begin_operator
load flour farm
2
5 0
0 1
1
0 8 1 0
1
end_operator
begin_operator
load flour mill
2
6 0
0 2
1
0 8 1 0
1
end_operator
begin_operator
load grain bakery
2
1 0
0 0
1
0 4 1 0
1
end_operator
begin_operator
load grain farm
2
2 0
0 1
1
0 4 1 0
1
end_operator
begin_operator
load grain mill
2
3 0
0 2
1
0 4 1 0
1
end_operator
begin_operator
push bakery mill
0
5
1 8 0 7 -1 1
1 8 0 6 -1 0
1 4 0 1 -1 1
1 4 0 3 -1 0
0 0 0 2
1
end_operator
begin_operator
push farm mill
0
5
1 8 0 5 -1 1
1 8 0 6 -1 0
1 4 0 2 -1 1
1 4 0 3 -1 0
0 0 1 2
1
end_operator
begin_operator
push mill bakery
0
5
1 8 0 7 -1 0
1 8 0 6 -1 1
1 4 0 1 -1 0
1 4 0 3 -1 1
0 0 2 0
1
end_operator
begin_operator
push mill farm
0
5
1 8 0 5 -1 0
1 8 0 6 -1 1
1 4 0 2 -1 0
1 4 0 3 -1 1
0 0 2 1
1
end_operator
begin_operator
unload flour
0
1
0 8 0 1
1
end_operator
begin_operator
unload grain
0
1
0 4 0 1
1
end_operator
0
