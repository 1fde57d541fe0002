--: `normtutor translate` keeps this file in step with the lesson, and makes the lines that begin with --: anew.
--: They hold the lesson's own words. Words that are empty are not translated yet: the lesson's own are shown.
--: `of` says which words were translated; where it is missing, those that the lesson has now.
return {

  --: Layer normalization and residual connections
  ["title"] = { "Layer Normalization und Residualverbindungen", of = "d7d1cd96" },

  --: It is for learning: check its examples against the documentation of the versions you use. If you find a mistake, tell whoever gave you this program the lesson and the step, or mend it: a lesson is a text file, and the licence lets you change it and pass it on.
  ["report"] = { "Er ist zum Lernen da: Prüfe seine Beispiele an der Dokumentation der Versionen, die du benutzt. Wenn du einen Fehler findest, nenne dem, von dem du dieses Programm hast, die Lektion und den Schritt, oder bessere ihn aus: Eine Lektion ist eine Textdatei, und die Lizenz erlaubt, sie zu ändern und weiterzugeben.", of = "a848bc51" },

}
