--: `normtutor translate` keeps this file in step with the lesson, and makes the lines that begin with --: anew.
--: They hold the lesson's own words. Words that are empty are not translated yet: the lesson's own are shown.
--: `of` says which words were translated; where it is missing, those that the lesson has now.
return {

  --: Layer normalization and residual connections
  ["title"] = { "Layer Normalization und Residualverbindungen", of = "d7d1cd96" },

}
