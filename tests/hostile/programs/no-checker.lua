-- The checker's things.
--> says: unknown name `answer`
function layer_norm(x)
  return answer -- here
end
