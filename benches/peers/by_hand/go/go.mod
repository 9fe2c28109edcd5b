module example.org/by_hand

go 1.19
