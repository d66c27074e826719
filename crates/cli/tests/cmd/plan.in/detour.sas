begin_version
3
end_version
begin_metric
1
end_metric
1
begin_variable
place
-1
3
Atom home()
Atom bridge()
Atom market()
end_variable
0
begin_state
0
end_state
begin_goal
1
0 2
end_goal
3
begin_operator
ferry
0
1
0 0 0 2
5
end_operator
begin_operator
walk-to-bridge
0
1
0 0 0 1
2
end_operator
begin_operator
walk-to-market
0
1
0 0 1 2
2
end_operator
0
