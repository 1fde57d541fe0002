-- A course is this folder: course.lua, one file a lesson, and beside them
--
--     shared/    functions for several lessons: use "rows" runs shared/rows.lua
--     files/     data and programs that a lesson declares and reads
--     lang/      translations
--
-- What an instructor types, in this folder:
--
--     normtutor new lesson NAME    another lesson
--     normtutor pack .             the course as one file, for `normtutor install`
--     normtutor check .            what is wrong in it
--     normtutor play --watch new-lesson.lua
--                                  one lesson on the screen, loaded again at every save

return course "new-course" {    -- its id, for ever: learners' progress hangs on it. Letters a-z, digits and -
  format   = 1,
  title    = "New course",
  author   = "",                -- shown before anybody installs it, with the two below
  licence  = "",                -- what others may do with it: "MIT", "CC BY 4.0"
  version  = "0.1",
  report   = "",                -- what a learner may do who finds a mistake: whom to tell
  language = "en",

  -- Files without .lua, in the order of the list. Moving one loses nobody's progress.
  lessons  = { "new-lesson", "from-files" },
}
