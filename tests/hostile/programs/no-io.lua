--> says: unknown name `io`
function layer_norm(x)
  return io.open("/etc/passwd") -- here
end
