--> draws: done
print = error; tostring = nil; x = nil; print = nil; return "done"
