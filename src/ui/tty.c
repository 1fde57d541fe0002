#include "ui/tty.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef columns /* <term.h> makes macros of these words */
#undef lines

#include "base/clock.h"
#include "base/visible.h"
#include "ui/paste.h"
#include "ui/theme.h"

enum {
    ESCAPE_DELAY = 25, /* ms */
    DEAD_READS = 8,    /* readable but without a key: the terminal is gone */
    PASTE_PATIENCE = 2000 /* ms without a byte: the end of what is pasted was lost */
};

/* Codes for keys that curses has no names for: above its own and those that it makes up. */
enum { OWN_KEYS = 02000, OWN_PASTE, OWN_PASTE_END, OWN_WORD_LEFT, OWN_WORD_RIGHT, OWN_TEXT_START, OWN_TEXT_END };

/* The terminal tells what is pasted from what is typed. */
static const char PASTES_TOLD[] = "\033[?2004h", PASTES_TYPED[] = "\033[?2004l";

struct tty {
    SCREEN *screen;
    struct termios saved;
    struct grid *shown;             /* what curses was given last; NULL: nothing yet */
    attr_t attributes[STYLE_COUNT]; /* of the styles */
    short pairs[STYLE_COUNT];
    int dead_reads;
    cchar_t *line; /* as wide as `shown` */
    bool pasting;  /* its end has not come yet */
    int64_t pasted_at;
    struct paste paste;
};

/* What a signal handler needs: filled before the screen is entered. */
static struct {
    volatile sig_atomic_t active;
    struct termios saved;
    char bytes[256];
    size_t length;
} emergency;

bool tty_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool has_capability(const char *name)
{
    const char *value = tigetstr(name);
    return value && value != (char *)-1 && *value;
}

bool tty_possible(struct error *err)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        error_set(err, "input and output are not both a terminal");
        return false;
    }
    const char *term = getenv("TERM");
    if (!term || !*term) {
        error_set(err, "TERM is not set");
        return false;
    }
    int status;
    if (setupterm(term, STDOUT_FILENO, &status) != OK) {
        error_set(err, "there is no description of the terminal \"%.60s\"", term);
        return false;
    }
    bool able = has_capability("cup") && has_capability("clear");
    if (!able)
        error_set(err, "the terminal \"%.60s\" cannot move its cursor", term);
    del_curterm(cur_term);
    return able;
}

/* ---- pasting ---- */

/* One that speaks the escape sequences of its kind: what it does not know of them it drops. */
static bool tells_pastes(void)
{
    const char *move = tigetstr("cup");
    return move && move != (char *)-1 && strncmp(move, "\033[", 2) == 0;
}

static void send_words(const char *words)
{
    fputs(words, stdout);
    fflush(stdout);
}

/* ---- leaving in an emergency ---- */

static int keep_byte(int byte)
{
    if (emergency.length < sizeof emergency.bytes)
        emergency.bytes[emergency.length++] = (char)byte;
    return byte;
}

static void prepare_emergency(const struct tty *tty)
{
    static const char *const names[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
    emergency.saved = tty->saved;
    emergency.length = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *value = tigetstr((char *)(size_t)names[i]);
        if (value && value != (char *)-1)
            tputs(value, 1, keep_byte);
    }
    for (const char *at = PASTES_TYPED; tells_pastes() && *at; at++)
        keep_byte(*at);
    emergency.active = 1;
}

void tty_restore_on_signal(void)
{
    if (!emergency.active)
        return;
    emergency.active = 0;
    int kept = errno;
    size_t sent = 0;
    while (sent < emergency.length) {
        ssize_t n = write(STDOUT_FILENO, emergency.bytes + sent, emergency.length - sent);
        if (n <= 0)
            break;
        sent += (size_t)n;
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &emergency.saved);
    errno = kept;
}

/* ---- opening and closing ---- */

static attr_t attributes(struct look look)
{
    attr_t attr = A_NORMAL;
    attr |= look.bold ? A_BOLD : 0;
    attr |= look.dim ? A_DIM : 0;
    if (look.italic)
        attr |= has_capability("sitm") ? A_ITALIC : A_UNDERLINE;
    return attr;
}

static void name_keys(void)
{
    static const struct {
        const char *bytes;
        int code;
    } keys[] = {
        {"\033[200~", OWN_PASTE},        {"\033[201~", OWN_PASTE_END},
        {"\033[1;5D", OWN_WORD_LEFT},    {"\033[1;5C", OWN_WORD_RIGHT},
        {"\033Od", OWN_WORD_LEFT},       {"\033Oc", OWN_WORD_RIGHT},
        {"\033[1;5H", OWN_TEXT_START},   {"\033[1;5F", OWN_TEXT_END},
        {"\033[1~", KEY_HOME},           {"\033[4~", KEY_END}, /* whatever TERM says: tmux and rxvt send … */
        {"\033[7~", KEY_HOME},           {"\033[8~", KEY_END}, /* … what xterm's description lacks */
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        define_key(keys[i].bytes, keys[i].code);
}

static void set_modes(void)
{
    raw(); /* Ctrl-C and Ctrl-Z are keys, and do in every mode what they should */
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    typeahead(-1); /* a frame goes out whole, not in pieces that look for keys in between */
    name_keys();
    if (tells_pastes())
        send_words(PASTES_TOLD);
}

static void set_styles(struct tty *tty)
{
    int colours = 0;
    if (theme_colour_wanted() && has_colors() && start_color() == OK && use_default_colors() == OK &&
        COLOR_PAIRS > STYLE_COUNT)
        colours = COLORS >= 256 ? 256 : COLORS >= 8 ? 8 : 0;
    for (int style = 0; style < STYLE_COUNT; style++) {
        struct look look = theme_look((enum style)style, colours);
        tty->attributes[style] = attributes(look);
        if (look.colour >= 0 && init_pair((short)(style + 1), (short)look.colour, -1) == OK)
            tty->pairs[style] = (short)(style + 1);
    }
}

int tty_open(struct tty **out, struct error *err)
{
    *out = NULL;
    if (!tty_possible(err))
        return -1;
    struct tty *tty = calloc(1, sizeof *tty);
    if (!tty)
        return error_set(err, "out of memory");
    if (tcgetattr(STDIN_FILENO, &tty->saved) != 0) {
        free(tty);
        return error_set(err, "cannot read the terminal's settings: %s", strerror(errno));
    }
    /* The window's size is asked of the terminal, again and again; these would freeze it. */
    unsetenv("LINES");
    unsetenv("COLUMNS");
    tty->screen = newterm(NULL, stdout, stdin);
    if (!tty->screen) {
        free(tty);
        return error_set(err, "the terminal cannot be opened");
    }
    set_term(tty->screen);
    prepare_emergency(tty);
    set_escdelay(ESCAPE_DELAY);
    set_modes();
    set_styles(tty);
    *out = tty;
    return 0;
}

static void forget_shown(struct tty *tty)
{
    grid_free(tty->shown);
    free(tty->line);
    tty->shown = NULL;
    tty->line = NULL;
}

static void stop_pastes(struct tty *tty)
{
    tty->pasting = false;
    if (tells_pastes())
        send_words(PASTES_TYPED);
}

void tty_close(struct tty *tty)
{
    if (!tty)
        return;
    stop_pastes(tty);
    endwin();
    emergency.active = 0;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &tty->saved);
    delscreen(tty->screen);
    forget_shown(tty);
    strbuf_free(&tty->paste.text);
    free(tty);
}

void tty_leave(struct tty *tty)
{
    stop_pastes(tty);
    endwin();
    emergency.active = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &tty->saved);
}

void tty_return(struct tty *tty)
{
    flushinp();
    set_modes();
    clearok(curscr, TRUE);
    forget_shown(tty);
    emergency.active = 1;
    refresh();
}

void tty_redraw(struct tty *tty)
{
    (void)tty;
    clearok(curscr, TRUE);
}

void tty_suspend(struct tty *tty)
{
    tty_leave(tty);
    struct sigaction standard = {.sa_handler = SIG_DFL}, kept;
    sigset_t stop, mask;
    sigemptyset(&standard.sa_mask);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigaction(SIGTSTP, &standard, &kept);
    sigprocmask(SIG_UNBLOCK, &stop, &mask);
    kill(0, SIGTSTP); /* here until continued */
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGTSTP, &kept, NULL);
    tty_return(tty);
}

/* ---- size and keys ---- */

static bool window_size(int *columns, int *rows)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row)
        return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

void tty_size(struct tty *tty, int *columns, int *rows)
{
    (void)tty;
    *columns = COLS;
    *rows = LINES;
}

int tty_fd(const struct tty *tty)
{
    (void)tty;
    return STDIN_FILENO;
}

static struct key key_of(enum key_code code, uint32_t rune)
{
    return (struct key){code, rune};
}

static struct key function_key(wint_t code)
{
    static const struct {
        wint_t from;
        enum key_code to;
    } keys[] = {
        {KEY_ENTER, KEY_ENTER_},     {KEY_BTAB, KEY_BACKTAB_},  {KEY_BACKSPACE, KEY_BACKSPACE_},
        {KEY_DC, KEY_DELETE_},       {KEY_IC, KEY_INSERT_},     {KEY_LEFT, KEY_LEFT_},
        {KEY_RIGHT, KEY_RIGHT_},     {KEY_UP, KEY_UP_},         {KEY_DOWN, KEY_DOWN_},
        {KEY_HOME, KEY_HOME_},       {KEY_END, KEY_END_},       {KEY_PPAGE, KEY_PAGE_UP_},
        {KEY_NPAGE, KEY_PAGE_DOWN_}, {KEY_RESIZE, KEY_RESIZE_},
        {OWN_WORD_LEFT, KEY_WORD_LEFT_},   {OWN_WORD_RIGHT, KEY_WORD_RIGHT_},
        {OWN_TEXT_START, KEY_TEXT_START_}, {OWN_TEXT_END, KEY_TEXT_END_},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].from == code)
            return key_of(keys[i].to, 0);
    }
    if (code >= KEY_F(1) && code <= KEY_F(12))
        return key_of(KEY_F_, (uint32_t)(code - KEY_F(0)));
    return key_of(KEY_NONE_, 0);
}

/* With Ctrl held: "1;5" before the letter. */
static enum key_code final_key(wint_t letter, bool with_ctrl)
{
    switch (letter) {
    case 'A':
        return KEY_UP_;
    case 'B':
        return KEY_DOWN_;
    case 'C':
        return with_ctrl ? KEY_WORD_RIGHT_ : KEY_RIGHT_;
    case 'D':
        return with_ctrl ? KEY_WORD_LEFT_ : KEY_LEFT_;
    case 'F':
        return with_ctrl ? KEY_TEXT_END_ : KEY_END_;
    case 'H':
        return with_ctrl ? KEY_TEXT_START_ : KEY_HOME_;
    default:
        return KEY_NONE_;
    }
}

static void begin_paste(struct tty *tty)
{
    tty->pasting = true;
    tty->pasted_at = clock_ms();
    paste_begin(&tty->paste);
}

/* Esc, or a key that the terminal's description does not name: its bytes must not be taken for an Esc and letters. */
static struct key escape_key(struct tty *tty)
{
    wint_t first, code = 0;
    char inner[8] = "";
    int kind = get_wch(&first);
    if (kind == ERR)
        return key_of(KEY_ESC_, 0);
    if (kind == KEY_CODE_YES) {
        ungetch((int)first);
        return key_of(KEY_ESC_, 0);
    }
    bool sequence = false;
    if (first == '[' || first == 'O') {
        for (size_t used = 0; (kind = get_wch(&code)) == OK && code >= 0x20 && code < 0x40; sequence = true)
            if (used + 1 < sizeof inner)
                inner[used++] = (char)code;
        sequence |= kind == OK;
    }
    if (!sequence) {
        unget_wch((wchar_t)first);
        return key_of(KEY_ESC_, 0);
    }
    if (kind == OK && code == '~' && strcmp(inner, "200") == 0)
        begin_paste(tty);
    return key_of(kind == OK ? final_key(code, strcmp(inner, "1;5") == 0) : KEY_NONE_, 0);
}

static struct key character_key(struct tty *tty, wint_t code)
{
    switch (code) {
    case '\r':
    case '\n':
        return key_of(KEY_ENTER_, 0);
    case '\t':
        return key_of(KEY_TAB_, 0);
    case 27:
        return escape_key(tty);
    case 8:
    case 127:
        return key_of(KEY_BACKSPACE_, 0);
    default:
        break;
    }
    if (code >= 1 && code <= 26)
        return key_of(KEY_CTRL_, (uint32_t)('a' + code - 1));
    if (code == 31)
        return key_of(KEY_CTRL_, '_');
    if (code < 32 || (code >= 0x80 && code < 0xA0))
        return key_of(KEY_NONE_, 0);
    return key_of(KEY_CHAR_, (uint32_t)code);
}

/* Nothing was read although something is there to read, or the line was hung up: nobody will type any more.
 */
static bool is_gone(struct tty *tty)
{
    struct pollfd poll_fd = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&poll_fd, 1, 0) <= 0) {
        tty->dead_reads = 0;
        return false;
    }
    if (poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL))
        return true;
    return ++tty->dead_reads >= DEAD_READS;
}

/* True: that was all of it. */
static bool take_pasted(struct tty *tty, int kind, wint_t code)
{
    int64_t now = clock_ms();
    bool lost = now - tty->pasted_at > PASTE_PATIENCE, end = kind == KEY_CODE_YES && code == OWN_PASTE_END;
    tty->pasted_at = now;
    if (lost && kind == KEY_CODE_YES && !end)
        ungetch((int)code);
    else if (lost && !end)
        unget_wch((wchar_t)code);
    else if (kind == OK)
        paste_add(&tty->paste, code);
    tty->pasting = !end && !lost;
    return !tty->pasting;
}

const char *tty_pasted(const struct tty *tty)
{
    return strbuf_string(&tty->paste.text);
}

struct key tty_read(struct tty *tty)
{
    int columns, rows;
    if (window_size(&columns, &rows) && (columns != COLS || rows != LINES)) {
        resizeterm(rows, columns);
        return key_of(KEY_RESIZE_, 0);
    }
    wint_t code;
    int kind;
    while ((kind = get_wch(&code)) != ERR) {
        tty->dead_reads = 0;
        if (tty->pasting) {
            if (take_pasted(tty, kind, code))
                return key_of(KEY_PASTE_, 0);
            continue;
        }
        if (kind == KEY_CODE_YES && code == OWN_PASTE) {
            begin_paste(tty);
            continue;
        }
        struct key key = kind == KEY_CODE_YES ? function_key(code) : character_key(tty, code);
        if (key.code != KEY_NONE_)
            return key;
    }
    return key_of(is_gone(tty) ? KEY_GONE_ : KEY_NONE_, 0);
}

/* ---- showing ---- */

static void fill_line(struct tty *tty, const struct grid_cell *cells, int columns)
{
    int used = 0;
    for (int column = 0; column < columns; column++) {
        wchar_t wide[CCHARW_MAX + 1];
        size_t count = 0, length = strlen(cells[column].text), at = 0;
        if (!length)
            continue; /* the right half of a wide one */
        while (at < length && count < CCHARW_MAX) {
            uint32_t rune;
            at += utf8_decode(cells[column].text + at, length - at, &rune);
            wide[count++] = (wchar_t)rune;
        }
        wide[count] = L'\0';
        int style = cells[column].style < STYLE_COUNT ? cells[column].style : STYLE_PLAIN;
        if (setcchar(&tty->line[used], wide, tty->attributes[style], tty->pairs[style], NULL) != OK)
            setcchar(&tty->line[used], L"?", tty->attributes[style], tty->pairs[style], NULL);
        used++;
    }
    tty->line[used] = (cchar_t){0};
}

static bool fit_shown(struct tty *tty, const struct grid *grid)
{
    if (tty->shown && tty->shown->columns == grid->columns && tty->shown->rows == grid->rows)
        return true;
    forget_shown(tty);
    tty->shown = grid_new(grid->columns, grid->rows, grid->ascii);
    tty->line = calloc((size_t)grid->columns + 1, sizeof *tty->line);
    if (!tty->shown || !tty->line) {
        forget_shown(tty);
        return false;
    }
    erase();
    return true;
}

void tty_show(struct tty *tty, const struct grid *grid)
{
    if (!fit_shown(tty, grid))
        return;
    size_t bytes = (size_t)grid->columns * sizeof *grid->cells;
    for (int row = 0; row < grid->rows && row < LINES; row++) {
        const struct grid_cell *cells = &grid->cells[(size_t)row * (size_t)grid->columns];
        struct grid_cell *shown = &tty->shown->cells[(size_t)row * (size_t)grid->columns];
        if (memcmp(cells, shown, bytes) == 0)
            continue;
        int first = 0, end = grid->columns;
        while (memcmp(&cells[first], &shown[first], sizeof *cells) == 0)
            first++;
        while (memcmp(&cells[end - 1], &shown[end - 1], sizeof *cells) == 0)
            end--;
        if (first > 0 && !cells[first].text[0])
            first--; /* the left half of what is wide */
        memcpy(shown, cells, bytes);
        fill_line(tty, cells + first, end - first);
        mvadd_wchnstr(row, first, tty->line, -1);
    }
    bool caret = grid->cursor_row >= 0 && grid->cursor_column >= 0 && grid->cursor_row < LINES &&
                 grid->cursor_column < COLS;
    curs_set(caret);
    if (caret)
        move(grid->cursor_row, grid->cursor_column);
    refresh();
}

const char *tty_version(void)
{
    return curses_version();
}
