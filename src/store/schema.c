#include "store/schema.h"

/* A step in review: the numbers it stands at, and the hints open there. */
#define REVIEW_TABLE                                                                                         \
    "CREATE TABLE review ("                                                                                  \
    " course TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL,"                                       \
    " attempt INTEGER NOT NULL DEFAULT 0, hints INTEGER NOT NULL DEFAULT 0,"                                 \
    " PRIMARY KEY (course, lesson, step)) WITHOUT ROWID;"

/* Two authors may give their courses one id. The first of them that is seen has the id as its key in the other tables. */
#define COURSE_TABLE                                                                                         \
    "CREATE TABLE course ("                                                                                  \
    " key TEXT PRIMARY KEY, id TEXT NOT NULL, author TEXT NOT NULL, title TEXT NOT NULL,"                    \
    " UNIQUE (id, author)) WITHOUT ROWID;"

const char *const schema_upgrades[SCHEMA_VERSION - 1] = {REVIEW_TABLE, COURSE_TABLE};

/* `mark` is drawn at random: writing an answer again, or joining two files, keeps it once. Seeds are the bits
   of a uint64_t. verdict: 1 right, 2 wrong, 3 given up. `turn` counts up: the greatest is the lesson that was
   open last. */
const char schema_create[] =
    "CREATE TABLE answer ("
    " id INTEGER PRIMARY KEY, mark INTEGER NOT NULL UNIQUE,"
    " course TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL,"
    " seed INTEGER NOT NULL, attempt INTEGER NOT NULL, answer TEXT NOT NULL, verdict INTEGER NOT NULL,"
    " mistake TEXT NOT NULL, said TEXT NOT NULL, sure INTEGER NOT NULL, time INTEGER NOT NULL);"
    "CREATE INDEX answer_of_step ON answer (course, lesson, step, seed, attempt, verdict, sure);"
    "CREATE TABLE step ("
    " course TEXT NOT NULL, lesson TEXT NOT NULL, step TEXT NOT NULL,"
    " seen INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0, hints INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (course, lesson, step)) WITHOUT ROWID;"
    "CREATE TABLE place ("
    " course TEXT NOT NULL, lesson TEXT NOT NULL, seed INTEGER NOT NULL,"
    " step TEXT NOT NULL DEFAULT '', page INTEGER NOT NULL DEFAULT 0,"
    " time INTEGER NOT NULL, turn INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (course, lesson)) WITHOUT ROWID;"
    "CREATE TABLE catalogue ("
    " path TEXT PRIMARY KEY, stamp TEXT NOT NULL, outline BLOB NOT NULL) WITHOUT ROWID;" REVIEW_TABLE COURSE_TABLE;

#define NEXT_TURN "(SELECT coalesce(max(turn), 0) + 1 FROM place WHERE course = ?1)"

/* Attempts from here on are those of reviews: STORE_REVIEW. */
#define REVIEWS "2147483648"

/* A step that moves to other numbers has no hints open. */
#define MOVE_TO_ATTEMPT                                                                                      \
    " ON CONFLICT (course, lesson, step) DO UPDATE SET seen = max(seen, excluded.seen),"                     \
    " hints = CASE WHEN attempt = excluded.attempt THEN hints ELSE 0 END, attempt = excluded.attempt"

/* An id that was renamed. What is known under the new one already gives way, unless it was answered under it. */
#define OF_LESSON " WHERE course = ?1 AND lesson = ?2"
#define NEW_LESSON                                                                                           \
    " WHERE course = ?1 AND lesson = ?3"                                                                     \
    " AND NOT EXISTS (SELECT 1 FROM answer WHERE course = ?1 AND lesson = ?3)"
#define OF_STEP " WHERE course = ?1 AND lesson = ?2 AND step = ?3"
#define NEW_STEP                                                                                             \
    " WHERE course = ?1 AND lesson = ?2 AND step = ?4"                                                       \
    " AND NOT EXISTS (SELECT 1 FROM answer WHERE course = ?1 AND lesson = ?2 AND step = ?4)"

const char *const schema_statements[STATEMENT_COUNT][STATEMENT_PARTS] = {
    [ADD_ANSWER] =
        {
            "INSERT INTO answer"
            " (course, lesson, step, seed, attempt, answer, verdict, mistake, said, sure, time, mark)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (mark) DO NOTHING",
            "INSERT INTO step (course, lesson, step, seen, attempt)"
            " SELECT ?1, ?2, ?3, 1, ?5 WHERE ?5 < " REVIEWS MOVE_TO_ATTEMPT
            " WHERE NOT seen OR attempt <> excluded.attempt",
        },
    [MAKE_PLACE] =
        {
            "INSERT INTO place (course, lesson, seed, time) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (course, lesson) DO NOTHING",
        },
    [SET_PLACE] =
        {
            "INSERT INTO place (course, lesson, seed, time, step, page, turn)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, " NEXT_TURN ")"
            " ON CONFLICT (course, lesson) DO UPDATE SET time = excluded.time, step = excluded.step,"
            " page = excluded.page, turn = excluded.turn",
        },
    [SET_SEED] =
        {
            "UPDATE step SET attempt = 0, hints = 0 WHERE course = ?1 AND lesson = ?2"
            " AND ?3 <> (SELECT seed FROM place WHERE course = ?1 AND lesson = ?2)",
            "UPDATE review SET hints = 0 WHERE course = ?1 AND lesson = ?2"
            " AND ?3 <> (SELECT seed FROM place WHERE course = ?1 AND lesson = ?2)",
            "INSERT INTO place (course, lesson, seed, time) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (course, lesson) DO UPDATE SET seed = excluded.seed, time = excluded.time"
            " WHERE seed <> excluded.seed",
        },
    [SET_SEEN] =
        {
            "INSERT INTO step (course, lesson, step, seen) VALUES (?1, ?2, ?3, 1)"
            " ON CONFLICT (course, lesson, step) DO UPDATE SET seen = 1 WHERE NOT seen",
        },
    [SET_ATTEMPT] =
        {
            "INSERT INTO step (course, lesson, step, attempt) VALUES (?1, ?2, ?3, ?4)" MOVE_TO_ATTEMPT
            " WHERE attempt <> excluded.attempt",
        },
    [SET_HINTS] =
        {
            "INSERT INTO step (course, lesson, step, hints) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (course, lesson, step) DO UPDATE SET hints = excluded.hints WHERE hints <> "
            "excluded.hints",
        },
    [SET_REVIEW] =
        {
            "INSERT INTO review (course, lesson, step, attempt) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (course, lesson, step) DO UPDATE SET hints = 0, attempt = excluded.attempt"
            " WHERE attempt <> excluded.attempt",
        },
    [SET_REVIEW_HINTS] =
        {
            "UPDATE review SET hints = ?4 WHERE course = ?1 AND lesson = ?2 AND step = ?3 AND hints <> ?4",
        },
    [PUT_CATALOGUE] =
        {
            "INSERT INTO catalogue (path, stamp, outline) VALUES (?1, ?2, ?3)"
            " ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, outline = excluded.outline",
        },
    [PUT_COURSE] =
        {
            "UPDATE course SET title = ?3 WHERE id = ?1 AND author = ?2",
            /* An author who had not given a name. */
            "UPDATE course SET author = ?2 WHERE id = ?1 AND author = '' AND title = ?3 AND ?2 <> ''"
            " AND NOT EXISTS (SELECT 1 FROM course WHERE id = ?1 AND author = ?2)",
            "INSERT INTO course (key, id, author, title)"
            " SELECT CASE WHEN EXISTS (SELECT 1 FROM course WHERE key = ?1) THEN ?4 ELSE ?1 END, ?1, ?2, ?3"
            " WHERE NOT EXISTS (SELECT 1 FROM course WHERE id = ?1 AND author = ?2)",
        },
    [MOVE_LESSON] =
        {
            "DELETE FROM place" NEW_LESSON " AND EXISTS (SELECT 1 FROM place" OF_LESSON ")",
            "DELETE FROM step" NEW_LESSON " AND EXISTS (SELECT 1 FROM step" OF_LESSON ")",
            "UPDATE OR IGNORE place SET lesson = ?3" OF_LESSON,
            "UPDATE OR IGNORE step SET lesson = ?3" OF_LESSON,
            "UPDATE OR IGNORE review SET lesson = ?3" OF_LESSON,
            "UPDATE answer SET lesson = ?3" OF_LESSON,
            "DELETE FROM place" OF_LESSON,
            "DELETE FROM step" OF_LESSON,
            "DELETE FROM review" OF_LESSON,
        },
    [MOVE_STEP] =
        {
            "DELETE FROM step" NEW_STEP " AND EXISTS (SELECT 1 FROM step" OF_STEP ")",
            "UPDATE OR IGNORE step SET step = ?4" OF_STEP,
            "UPDATE OR IGNORE review SET step = ?4" OF_STEP,
            "UPDATE answer SET step = ?4" OF_STEP,
            "UPDATE place SET step = ?4" OF_STEP,
            "DELETE FROM step" OF_STEP,
            "DELETE FROM review" OF_STEP,
        },
    [GET_PLACE] = {"SELECT seed, step, page, time FROM place WHERE course = ?1 AND lesson = ?2"},
    [LAST_LESSON] =
        {
            "SELECT lesson FROM place WHERE course = ?1 AND turn > 0 ORDER BY turn DESC, time DESC LIMIT 1",
        },
    [GET_STEPS] =
        {
            "SELECT of.step, of.seen, of.attempt, of.hints, of.tries, of.was_right, of.given_up, "
            "of.predicted,"
            " last.answer, last.verdict, last.sure, wrong.said, latest.time"
            " FROM (SELECT s.step, s.seen, s.attempt, s.hints,"
            "  sum(a.verdict <> 3) AS tries, max(a.verdict = 1) AS was_right, max(a.verdict = 3) AS given_up,"
            "  max(a.sure > 0) AS predicted, max(a.id) AS latest, max(CASE a.verdict WHEN 2 THEN a.id END) "
            "AS wrong,"
            "  max(CASE WHEN a.attempt = s.attempt AND (p.seed IS NULL OR a.seed = p.seed) THEN a.id END) AS "
            "last"
            "  FROM step AS s"
            "  LEFT JOIN place AS p ON p.course = s.course AND p.lesson = s.lesson"
            "  LEFT JOIN answer AS a ON a.course = s.course AND a.lesson = s.lesson AND a.step = s.step"
            "  AND a.attempt < " REVIEWS
            "  WHERE s.course = ?1 AND s.lesson = ?2 GROUP BY s.step) AS of"
            " LEFT JOIN answer AS latest ON latest.id = of.latest"
            " LEFT JOIN answer AS wrong ON wrong.id = of.wrong"
            " LEFT JOIN answer AS last ON last.id = of.last"
            " ORDER BY of.step",
        },
    [GET_ANSWERS] =
        {
            "SELECT lesson, step, seed, attempt, verdict, sure, time FROM answer WHERE course = ?1"
            " ORDER BY lesson, step, id",
        },
    [GET_GIVEN] =
        {
            "SELECT step, seed, attempt, answer, verdict, said, sure, time FROM answer" OF_LESSON " ORDER BY id",
        },
    [GET_REVIEW] =
        {
            "SELECT r.attempt, r.hints, a.answer, a.verdict, a.sure FROM review AS r"
            " LEFT JOIN answer AS a ON a.id = (SELECT max(id) FROM answer"
            "  WHERE course = ?1 AND lesson = ?2 AND step = ?3 AND seed = ?4 AND attempt = r.attempt)"
            " WHERE r.course = ?1 AND r.lesson = ?2 AND r.step = ?3",
        },
    [GET_CATALOGUE] = {"SELECT outline FROM catalogue WHERE path = ?1 AND stamp = ?2"},
    [GET_COURSE] = {"SELECT key, title FROM course WHERE id = ?1 AND author = ?2"},
    [HAS_LESSON] =
        {
            "SELECT EXISTS (SELECT 1 FROM place" OF_LESSON ") OR EXISTS (SELECT 1 FROM step" OF_LESSON ")"
            " OR EXISTS (SELECT 1 FROM answer" OF_LESSON ")",
        },
    [HAS_STEP] =
        {
            "SELECT EXISTS (SELECT 1 FROM place" OF_STEP ") OR EXISTS (SELECT 1 FROM step" OF_STEP ")"
            " OR EXISTS (SELECT 1 FROM answer" OF_STEP ")",
        },
};

#define ANSWER_COLUMNS "mark, course, lesson, step, seed, attempt, answer, verdict, mistake, said, sure, time"
#define STEP_COLUMNS "course, lesson, step, seen, attempt, hints"
#define PLACE_COLUMNS "course, lesson, seed, step, page, time, turn"
#define REVIEW_COLUMNS "course, lesson, step, attempt, hints"
#define COURSE_COLUMNS "key, id, author, title"

const struct schema_copy schema_copies[SCHEMA_COPIES] = {
    {
        1,
        "SELECT id, " ANSWER_COLUMNS " FROM answer WHERE id >= ?1 ORDER BY id",
        "SELECT id FROM answer NOT INDEXED ORDER BY id DESC",
        "INSERT INTO answer (" ANSWER_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
        " ON CONFLICT (mark) DO NOTHING",
    },
    {
        0,
        "SELECT " STEP_COLUMNS " FROM step ORDER BY course, lesson, step",
        "SELECT " STEP_COLUMNS " FROM step ORDER BY course DESC, lesson DESC, step DESC",
        "INSERT INTO step (" STEP_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT (course, lesson, step) DO NOTHING",
    },
    {
        0,
        "SELECT " PLACE_COLUMNS " FROM place ORDER BY course, lesson",
        "SELECT " PLACE_COLUMNS " FROM place ORDER BY course DESC, lesson DESC",
        "INSERT INTO place (" PLACE_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (course, lesson) DO NOTHING",
    },
    {
        0,
        "SELECT " REVIEW_COLUMNS " FROM review ORDER BY course, lesson, step",
        "SELECT " REVIEW_COLUMNS " FROM review ORDER BY course DESC, lesson DESC, step DESC",
        "INSERT INTO review (" REVIEW_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT (course, lesson, step) DO NOTHING",
    },
    {
        0,
        "SELECT " COURSE_COLUMNS " FROM course ORDER BY key",
        "SELECT " COURSE_COLUMNS " FROM course ORDER BY key DESC",
        "INSERT INTO course (" COURSE_COLUMNS ") VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
    },
};
