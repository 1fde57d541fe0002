return course "norms" {
  format   = 1,
  title    = "Layer normalization and residual connections",
  author   = "the normtutor authors",
  licence  = "MIT",
  language = "en",
  lessons  = {
    "two-jobs", "normalize", "axis", "epsilon", "scale-bias", "batch-norm", "residual", "gradient-paths", "post-or-pre", "final-norm",
    "rms-norm", "mixed-precision", "which-axis",
  },
}
