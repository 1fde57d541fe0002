-- A line of code that 80 columns have no room for.
return lesson "text-wide" {
  format = 1,
  title  = "Text wide",

  step "look" {
    text = [[ --! `text`: something in it is wider than the 76 columns that it has at 80x24
  The whole of it:

      def layer_norm(x, scale, bias, eps): return (x - x.mean(-1, keepdim=True)) / sqrt(x.var(-1) + eps)
  ]],
  },
}
