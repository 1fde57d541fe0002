return course "norms" {
  format   = 1,
  title    = "Layer normalization and residual connections",
  author   = "the normtutor authors",
  licence  = "MIT",
  sources  = {
    "PyTorch documentation: torch.nn.LayerNorm", "Ba, Kiros, Hinton: Layer Normalization, 2016 (arXiv:1607.06450)",
    "He, Zhang, Ren, Sun: Deep Residual Learning, 2015 (arXiv:1512.03385)", "Vaswani et al.: Attention Is All You Need, 2017 (arXiv:1706.03762)",
  },
  report   = "It is for learning: check its examples against the documentation of the versions you use. If you find a mistake, tell whoever "
    .. "gave you this program the lesson and the step, or mend it: a lesson is a text file, and the licence lets you change it and pass it on.",
  language = "en",
  lessons  = {
    "two-jobs", "normalize", "axis", "epsilon", "scale-bias", "batch-norm", "residual", "gradient-paths", "post-or-pre", "final-norm",
    "rms-norm", "mixed-precision", "which-axis",
  },
}
