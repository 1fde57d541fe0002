"""How each question of the course is answered right, and how each of its mistakes is made: one file a lesson, whose ANSWERS
has each question by its id. A choice whose right option the lesson's file names has None."""

import collections

# reads: the holes of the question's text that hold what the formulas take. mistakes: id -> formula. tells: what stands in
# the holes of the feedback. when: whether a mistake can be made with these numbers.
Question = collections.namedtuple("Question", "reads answer mistakes tells when", defaults=({}, {}))

# A choice whose right option depends on what is shown: from all that is on the screen to its id.
Choice = collections.namedtuple("Choice", "right")

# What a learner's file may hold instead of the right program: mistakes: id -> a program that makes it.
Program = collections.namedtuple("Program", "answer mistakes")
