-- What is broken here is whole on the next line.
--> draws: broken
tensor.zeros, tensor.ones, nn.layer_norm, math.floor, string.format, table.concat = nil; print("broken")
