--> says: not a text
function layer_norm(x)
  error({}) -- here
end
