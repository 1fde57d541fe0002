#include "cage/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/language.h"
#include "cage/channel.h"
#include "cage/child.h"
#include "cage/frame.h"
#include "scene/wire.h"

enum {
    STRIKES = 3,      /* workers lost in a row before an idle cage stays empty */
    STALE_MAX = 16,   /* messages nobody waits for before they count as rubbish */
    LOOK_MS = 250,    /* look at a busy worker's clock at least this often, */
    LOOK_SOONEST_MS = 5,
    SWEEP_MS = 50,
    PLACE_MAX = 300,  /* bytes of "file:line: " that a worker may say */
    CLOSING_MS = 1,
    CLOSING_SECONDS = 1 /* a worker that lives on without its socket is killed then */
};

/* A request, encoded. number 0: none. */
struct letter {
    uint64_t number;
    struct strbuf bytes;
    int files[REQUEST_FILES_MAX]; /* its own: it may have to be sent twice */
    size_t file_count;
};

struct cage {
    struct cage_options options;
    char *program;
    struct child child;
    struct graveyard graveyard;
    struct channel channel;
    bool greeted, served; /* by this worker: its greeting is read, a reply came */
    unsigned strikes, stale;

    uint64_t last_number;
    struct letter flying, waiting;
    bool sent_again;
    double cpu_from, wall_used, looked; /* seconds, of the letter in flight */
    double closed_at; /* when the worker's socket closed, while its end is awaited */

    bool noticed, failed; /* words that go out with the next scene; words that are due at once */
    struct error notice, failure;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void forget(struct letter *letter)
{
    letter->number = 0;
    strbuf_clear(&letter->bytes);
    letter->bytes.failed = false;
    while (letter->file_count)
        close(letter->files[--letter->file_count]);
}

static int take_files(struct letter *letter, const struct request *request, struct error *err)
{
    for (size_t i = 0; i < request->file_count; i++) {
        int fd = fcntl(request->files[i].fd, F_DUPFD_CLOEXEC, 0);
        if (fd < 0)
            return error_set(err, "files/%s cannot be handed to the lesson's worker: %s", request->files[i].name,
                             strerror(errno));
        letter->files[letter->file_count++] = fd;
    }
    return 0;
}

/* The waiting letter takes off in place of the one that was in flight. */
static void take_off(struct cage *cage)
{
    struct letter old = cage->flying;
    cage->flying = cage->waiting;
    cage->waiting = old;
    forget(&cage->waiting);
    cage->sent_again = false;
}

static void fail_later(struct cage *cage, const struct error *err)
{
    cage->failure = *err;
    cage->failed = true;
}

static void post(struct cage *cage)
{
    struct error err;
    cage->cpu_from = child_cpu(&cage->child);
    cage->wall_used = 0;
    cage->looked = now();
    cage->stale = 0;
    const struct letter *letter = &cage->flying;
    if (channel_put(&cage->channel, letter->bytes.text, letter->bytes.length, letter->files, letter->file_count, &err) < 0) {
        fail_later(cage, &err);
        forget(&cage->flying);
        channel_reset(&cage->channel);
        child_kill(&cage->child, &cage->graveyard);
        return;
    }
    channel_flush(&cage->channel, cage->child.fd);
}

/* A new worker, which gets what is in flight. */
static int start(struct cage *cage, struct error *err)
{
    channel_reset(&cage->channel);
    cage->greeted = cage->served = false;
    cage->stale = 0;
    if (child_spawn(&cage->child, &cage->options, err) < 0)
        return error_prefix(err, "The lesson's worker cannot be started: ");
    if (cage->flying.number)
        post(cage);
    return 0;
}

static void forget_all(struct cage *cage)
{
    forget(&cage->flying);
    forget(&cage->waiting);
    cage->noticed = cage->failed = false;
}

/* As start, for whoever steps: a failure is the end of what was asked. */
static enum cage_event start_or_fail(struct cage *cage, struct error *err)
{
    if (start(cage, err) == 0)
        return CAGE_NOTHING;
    forget_all(cage);
    return CAGE_FAILED;
}

/* The end of what was asked, in words. A worker that keeps dying is not started before it is needed. */
static enum cage_event fail(struct cage *cage, const char *words, struct error *err)
{
    forget_all(cage);
    if (cage->strikes < STRIKES)
        start(cage, NULL);
    error_set(err, "%s", words);
    return CAGE_FAILED;
}

static void note(struct cage *cage, const char *words)
{
    error_set(&cage->notice, "%s", words);
    cage->noticed = true;
}

/* A newer request stands behind the one that failed: it is sent, and the words wait for its reply. */
static enum cage_event go_on(struct cage *cage, const char *words, struct error *err)
{
    take_off(cage);
    note(cage, words);
    return start_or_fail(cage, err);
}

static enum cage_event stop(struct cage *cage, const char *words, struct error *err)
{
    child_kill(&cage->child, &cage->graveyard);
    return cage->waiting.number ? go_on(cage, words, err) : fail(cage, words, err);
}

static enum cage_event out_of_cpu(struct cage *cage, struct error *err)
{
    struct error words;
    error_set(&words, "The computation took longer than %g s of processor time and was stopped.",
              cage->options.cpu_seconds);
    return stop(cage, words.text, err);
}

static enum cage_event out_of_wall(struct cage *cage, struct error *err)
{
    struct error words;
    error_set(&words, "The lesson's worker did not answer within %g s and was stopped.",
              cage->options.wall_seconds);
    return stop(cage, words.text, err);
}

/* The worker is gone, `how` in words. */
static enum cage_event lost(struct cage *cage, const char *how, struct error *err)
{
    struct error words;
    cage->strikes++;
    error_set(&words, "The lesson's worker was lost (%s) and has been replaced; nothing is lost.", how);
    if (cage->waiting.number)
        return go_on(cage, words.text, err);
    if (cage->flying.number && !cage->sent_again) {
        cage->sent_again = true;
        note(cage, words.text);
        return start_or_fail(cage, err);
    }
    if (cage->flying.number) {
        error_set(&words, "The lesson's worker was lost twice over the same request (%s), which was given up.",
                  how);
        return fail(cage, words.text, err);
    }
    if (cage->strikes >= STRIKES) {
        error_set(&words,
                  "The lesson's worker was lost %u times in a row (%s); the next request starts it again.",
                  cage->strikes, how);
        return fail(cage, words.text, err);
    }
    if (start_or_fail(cage, err) == CAGE_FAILED)
        return CAGE_FAILED;
    *err = words;
    return CAGE_REPLACED;
}

static enum cage_event rubbish(struct cage *cage, const struct error *what, struct error *err)
{
    struct error how;
    error_set(&how, "it answered rubbish: %s", what->text);
    child_kill(&cage->child, &cage->graveyard);
    return lost(cage, how.text, err);
}

/* The worker felt its time run out, and said where. */
static enum cage_event stopped(struct cage *cage, const char *place, struct error *err)
{
    struct error words;
    if (!cage->flying.number) {
        error_set(&words, "last words over no request");
        return rubbish(cage, &words, err);
    }
    if (!*place)
        return out_of_cpu(cage, err);
    error_set(&words, "%sthe computation took longer than %g s of processor time and was stopped.", place,
              cage->options.cpu_seconds);
    return stop(cage, words.text, err);
}

/* The worker has closed its socket, as all do that end; what became of it is not known yet. */
static bool closing(const struct cage *cage)
{
    return cage->child.pid != 0 && cage->child.fd < 0;
}

static enum cage_event closed(struct cage *cage, struct error *err)
{
    char how[64];
    enum child_end end;
    bool served = cage->served;
    if (!child_ended(&cage->child, &end, how, sizeof how)) {
        if (now() - cage->closed_at < CLOSING_SECONDS)
            return CAGE_NOTHING;
        child_kill(&cage->child, &cage->graveyard);
        return lost(cage, _("it closed its socket"), err);
    }
    if (end == CHILD_OUT_OF_CPU && cage->flying.number)
        return out_of_cpu(cage, err);
    /* It said why; a request that crossed with that is simply sent again. */
    if (end == CHILD_FINISHED && served)
        return start_or_fail(cage, err);
    return lost(cage, how, err);
}

/* The first message of a worker. */
static int check_greeting(struct cage *cage, const char *bytes, size_t length, struct error *err)
{
    const char *greeting = frame_greeting();
    const size_t mark = strlen(FRAME_CANNOT);
    if (length == strlen(greeting) && !memcmp(bytes, greeting, length)) {
        cage->greeted = true;
        return 0;
    }
    if (length > mark && !memcmp(bytes, FRAME_CANNOT, mark))
        return error_set(err, "it cannot run: %.*s", length - mark < 256 ? (int)(length - mark) : 256,
                         bytes + mark);
    return error_set(err, "it is of another build");
}

/* What the message in the channel amounts to. */
static enum cage_event read_message(struct cage *cage, struct scene **scene, struct error *err)
{
    struct error what;
    size_t length;
    const char *bytes = channel_message(&cage->channel, &length);
    if (!cage->greeted) {
        int rc = check_greeting(cage, bytes, length, &what);
        channel_next(&cage->channel);
        if (rc == 0)
            return CAGE_NOTHING;
        child_kill(&cage->child, &cage->graveyard);
        return lost(cage, what.text, err);
    }

    const size_t mark = strlen(FRAME_STOPPED);
    if (length >= mark && !memcmp(bytes, FRAME_STOPPED, mark)) {
        error_set(&what, "%.*s", (int)(length - mark < PLACE_MAX ? length - mark : PLACE_MAX), bytes + mark);
        channel_next(&cage->channel);
        return stopped(cage, what.text, err);
    }

    struct scene *reply;
    int rc = wire_decode_scene(&reply, bytes, length, &what);
    channel_next(&cage->channel);
    if (rc < 0)
        return rubbish(cage, &what, err);
    uint64_t number = reply->number;
    if (number > (cage->flying.number ? cage->flying.number : cage->last_number)) {
        scene_free(reply);
        error_set(&what, "a reply to no request");
        return rubbish(cage, &what, err);
    }
    if (number != cage->flying.number) {
        scene_free(reply);
        error_set(&what, "replies to old requests");
        return ++cage->stale > STALE_MAX ? rubbish(cage, &what, err) : CAGE_NOTHING;
    }
    if (channel_sending(&cage->channel)) {
        scene_free(reply);
        error_set(&what, "a reply to a request that it has not read");
        return rubbish(cage, &what, err);
    }

    cage->served = true;
    cage->strikes = 0;
    forget(&cage->flying);
    if (number != cage->last_number) {
        scene_free(reply);
        if (cage->waiting.number) {
            take_off(cage);
            post(cage);
        }
        return CAGE_NOTHING;
    }
    if (cage->noticed)
        *err = cage->notice;
    cage->noticed = false;
    *scene = reply;
    return CAGE_SCENE;
}

static void look_at_clock(struct cage *cage)
{
    double t = now();
    double passed = t - cage->looked;
    cage->wall_used += passed < 1 ? passed : 1;
    cage->looked = t;
}

enum cage_event cage_step(struct cage *cage, struct scene **scene, struct error *err)
{
    *scene = NULL;
    err->text[0] = '\0';
    if (cage->graveyard.count)
        graveyard_sweep(&cage->graveyard);
    enum cage_event event = CAGE_NOTHING;
    while (event == CAGE_NOTHING) {
        if (cage->failed) {
            cage->failed = false;
            *err = cage->failure;
            return CAGE_FAILED;
        }
        if (cage->child.pid == 0)
            return CAGE_NOTHING;
        if (closing(cage)) {
            event = closed(cage, err);
            if (closing(cage))
                return CAGE_NOTHING;
            continue;
        }
        channel_flush(&cage->channel, cage->child.fd);
        struct error what;
        switch (channel_receive(&cage->channel, cage->child.fd, &what)) {
        case CHANNEL_MESSAGE:
            event = read_message(cage, scene, err);
            break;
        case CHANNEL_BAD:
            event = rubbish(cage, &what, err);
            break;
        case CHANNEL_CLOSED:
            child_hang_up(&cage->child);
            cage->closed_at = now();
            break;
        case CHANNEL_WAIT:
            if (!cage->flying.number)
                return CAGE_NOTHING;
            look_at_clock(cage);
            if (child_cpu(&cage->child) - cage->cpu_from >= cage->options.cpu_seconds)
                event = out_of_cpu(cage, err);
            else if (cage->wall_used >= cage->options.wall_seconds)
                event = out_of_wall(cage, err);
            else
                return CAGE_NOTHING;
            break;
        }
    }
    return event;
}

int cage_open(struct cage **out, const struct cage_options *options, struct error *err)
{
    *out = NULL;
    struct cage *cage = calloc(1, sizeof *cage);
    if (!cage)
        return error_set(err, "out of memory");
    cage->child.fd = -1;
    if (options)
        cage->options = *options;
    if (!(cage->options.cpu_seconds > 0))
        cage->options.cpu_seconds = 2;
    if (!(cage->options.wall_seconds > 0))
        cage->options.wall_seconds = 10;
    if (cage->options.program) {
        cage->program = strdup(cage->options.program);
        cage->options.program = cage->program;
        if (!cage->program) {
            cage_close(cage);
            return error_set(err, "out of memory");
        }
    }
    if (start(cage, err) < 0) {
        cage_close(cage);
        return -1;
    }
    *out = cage;
    return 0;
}

void cage_close(struct cage *cage)
{
    if (!cage)
        return;
    child_kill(&cage->child, &cage->graveyard);
    graveyard_wait(&cage->graveyard);
    channel_free(&cage->channel);
    forget(&cage->flying);
    forget(&cage->waiting);
    strbuf_free(&cage->flying.bytes);
    strbuf_free(&cage->waiting.bytes);
    free(cage->program);
    free(cage);
}

uint64_t cage_send(struct cage *cage, const struct request *request)
{
    struct request numbered = *request;
    struct error err;
    numbered.number = ++cage->last_number;
    cage->failed = false; /* of a request that is no longer the newest */
    forget(&cage->waiting);
    if (wire_encode_request(&cage->waiting.bytes, &numbered, &err) < 0 ||
        take_files(&cage->waiting, request, &err) < 0) {
        forget(&cage->waiting);
        fail_later(cage, &err);
        return numbered.number;
    }
    cage->waiting.number = numbered.number;
    if (cage->flying.number)
        return numbered.number;
    take_off(cage);
    if (cage->child.fd >= 0) {
        post(cage);
    } else if (cage->child.pid == 0 && start(cage, &err) < 0) {
        forget(&cage->flying);
        fail_later(cage, &err);
    }
    return numbered.number;
}

void cage_cancel(struct cage *cage)
{
    bool busy = cage->flying.number != 0;
    forget_all(cage);
    if (!busy)
        return;
    child_kill(&cage->child, &cage->graveyard);
    start(cage, NULL);
}

bool cage_busy(const struct cage *cage)
{
    return cage->flying.number || cage->waiting.number;
}

int cage_fd(const struct cage *cage)
{
    return cage->child.fd;
}

bool cage_wants_write(const struct cage *cage)
{
    return cage->child.fd >= 0 && channel_sending(&cage->channel);
}

int cage_timeout_ms(const struct cage *cage)
{
    if (cage->failed)
        return 0;
    if (closing(cage))
        return CLOSING_MS;
    if (!cage->flying.number)
        return cage->graveyard.count ? SWEEP_MS : -1;
    /* All processors may be at work at once, so CPU time runs faster than the clock on the wall. */
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double cpu_left = cage->options.cpu_seconds - (child_cpu(&cage->child) - cage->cpu_from);
    double wall_left = cage->options.wall_seconds - cage->wall_used - (now() - cage->looked);
    double soonest = cpu_left / (double)(processors > 0 ? processors : 1);
    double ms = (soonest < wall_left ? soonest : wall_left) * 1000;
    return ms > LOOK_MS ? LOOK_MS : ms < LOOK_SOONEST_MS ? LOOK_SOONEST_MS : (int)ms;
}

int cage_ask(struct cage *cage, const struct request *request, struct scene **scene, struct error *err)
{
    struct error words;
    uint64_t number = cage_send(cage, request);
    for (;;) {
        switch (cage_step(cage, scene, &words)) {
        case CAGE_SCENE:
            if ((*scene)->number == number) {
                if (err)
                    *err = words;
                return 0;
            }
            scene_free(*scene);
            break;
        case CAGE_FAILED:
            return error_set(err, "%s", words.text);
        case CAGE_REPLACED:
            break;
        case CAGE_NOTHING: {
            struct pollfd wait = { .fd = cage_fd(cage), .events = POLLIN };
            if (cage_wants_write(cage))
                wait.events |= POLLOUT;
            if (poll(&wait, 1, cage_timeout_ms(cage)) < 0 && errno != EINTR)
                return error_set(err, "waiting for the lesson's worker: %s", strerror(errno));
            break;
        }
        }
    }
}
