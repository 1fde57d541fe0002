"""The worker dies, hangs, runs wild or answers rubbish, on every kind of step: the learner is where they were, one line says what
happened, keys are answered meanwhile, the next turn works, and the terminal is given back as it was."""

import os
import shutil
import signal
import tempfile
import time
import unittest

from places import (CTRL_C, ENTER, ESC, F1, LOOP, MEMORY, NORMTUTOR, PATTERN, PLACES, RUBBISH, TROUBLES, Terminal, everywhere,
                    gone, picture)

RUBBISH_TUTOR = os.path.dirname(NORMTUTOR) + "/tests/faults/rubbish"
BACKSTOP = "did not answer within 10 s and was stopped"
PAGES = [("goal", [], [], "You will be where you were", [ENTER], "The row"),
         ("end", ["--step", "hidden"], [("7", "› 7"), (ENTER, "The answer"), (ENTER, "Nothing is lost")], "Nothing is lost",
          ["b"], "Guess the largest")]


class Case(unittest.TestCase):
    def worker(self, terminal):
        deadline = time.monotonic() + 10
        while len(terminal.workers()) != 1:
            self.assertLess(time.monotonic(), deadline, "there is one worker")
            time.sleep(0.01)
        return terminal.workers()[0]

    def stop(self, terminal):
        worker = self.worker(terminal)
        os.kill(worker, signal.SIGSTOP)
        return worker

    def same(self, terminal, before):
        """The learner is where they were."""
        self.assertEqual(picture(terminal), before)

    def goes_on(self, place, terminal):
        """The next turn works; the terminal is given back; no worker is left."""
        terminal.send(*place.turn)
        terminal.wait(place.turned)
        self.leaves(terminal)

    def leaves(self, terminal):
        workers = terminal.workers()
        terminal.send(CTRL_C)
        terminal.wait_end(0)
        self.assertTrue(terminal.restored(), "the terminal is as it was")
        self.assertTrue(all(gone(worker) for worker in workers), "no worker is left")


class WorkerDies(Case):
    def test_killed_while_it_waits(self):
        for number in (signal.SIGKILL, signal.SIGSEGV):
            with everywhere() as there:
                for place, terminal in there:
                    with self.subTest(place.name, signal=number.name):
                        before, worker = picture(terminal), self.worker(terminal)
                        os.kill(worker, number)
                        terminal.wait_notice(f"signal {number.value})", "replaced; nothing is lost")
                        self.assertTrue(gone(worker))
                        self.same(terminal, before)
                        self.goes_on(place, terminal)

    def test_killed_while_it_computes(self):
        for number in (signal.SIGKILL, signal.SIGSEGV):
            with everywhere() as there:
                for place, terminal in there:
                    with self.subTest(place.name, signal=number.name):
                        worker = self.stop(terminal)
                        terminal.send(*place.turn)
                        terminal.wait("computing")
                        os.kill(worker, number)
                        if number != signal.SIGKILL:
                            os.kill(worker, signal.SIGCONT)
                        terminal.wait_notice(f"signal {number.value})", "replaced; nothing is lost")
                        terminal.wait(place.turned)
                        self.leaves(terminal)

    def test_killed_again_and_again(self):
        with everywhere() as there:
            for place, terminal in there:
                with self.subTest(place.name):
                    before = picture(terminal)
                    for words in ("replaced; nothing is lost", "replaced; nothing is lost", "3 times in a row"):
                        os.kill(self.worker(terminal), signal.SIGKILL)
                        terminal.wait_notice(words)
                        self.same(terminal, before)
                    self.assertEqual(terminal.workers(), [], "it is not started before it is needed")
                    self.goes_on(place, terminal)

    def test_hangs_until_the_learner_gives_up(self):
        with everywhere() as there:
            for place, terminal in there:
                with self.subTest(place.name):
                    before, worker = picture(terminal), self.stop(terminal)
                    sent = time.monotonic()
                    terminal.send(*place.turn)
                    terminal.wait("computing", seconds=5)
                    self.assertGreater(time.monotonic() - sent, 0.09, "the spinner waits for 100 ms")
                    terminal.send(F1)
                    terminal.wait("back to the lesson", seconds=5)
                    terminal.send(ESC)
                    terminal.wait_gone("back to the lesson", seconds=5)
                    terminal.send(ESC)
                    terminal.wait_notice("Given up", seconds=5)
                    terminal.wait_gone("computing")
                    self.assertTrue(gone(worker), "it does not linger")
                    self.same(terminal, before)
                    self.goes_on(place, terminal)

    def test_hangs_until_time_is_up(self):
        with everywhere() as there:
            pictures = [picture(terminal) for _, terminal in there]
            workers = [self.stop(terminal) for _, terminal in there]
            for place, terminal in there:
                terminal.send(*place.turn)
            for (place, terminal), before, worker in zip(there, pictures, workers):
                with self.subTest(place.name):
                    terminal.wait_notice(BACKSTOP, seconds=40)
                    self.assertTrue(gone(worker))
                    self.same(terminal, before)
                    self.goes_on(place, terminal)

    def runs_wild(self, which, words):
        with everywhere() as there:
            for pair in (there[at:at + 2] for at in range(0, len(there), 2)):  # or the clock on the wall runs out first
                pictures = []
                for place, terminal in pair:
                    stage, go = place.trouble(which)
                    terminal.send(*stage)
                    pictures.append(picture(terminal))
                    terminal.send(*go)
                for (place, terminal), before in zip(pair, pictures):
                    with self.subTest(place.name):
                        terminal.until(lambda _: words in terminal.notice or BACKSTOP in terminal.notice, words, seconds=40)
                        self.assertTrue(which == MEMORY or b"computing" in terminal.raw, "it is said that the worker is busy")
                        self.same(terminal, before)
                        terminal.send(*place.after_trouble(which))
                        self.goes_on(place, terminal)

    def test_loops(self):
        self.runs_wild(LOOP, "troubles.lua:4: this takes too long")

    def test_bombs_memory(self):
        self.runs_wild(MEMORY, "troubles.lua:7: the lesson needs more memory than it may have")

    def test_backtracks_where_no_hook_fires(self):
        self.runs_wild(PATTERN, "took longer than 2 s of processor time and was stopped")

    def test_given_up_while_it_runs_wild(self):
        with everywhere() as there:
            for place, terminal in there:
                with self.subTest(place.name):
                    stage, go = place.trouble(PATTERN)
                    terminal.send(*stage)
                    before, worker = picture(terminal), self.worker(terminal)
                    terminal.send(*go)
                    terminal.wait("computing")
                    terminal.send(ESC)
                    terminal.wait_notice("Given up")
                    self.assertTrue(gone(worker))
                    self.same(terminal, before)
                    terminal.send(*place.after_trouble(PATTERN))
                    self.goes_on(place, terminal)

    def test_on_a_page_without_a_question(self):
        for name, arguments, way, words, keys, after in PAGES:
            for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP):
                with self.subTest(name, signal=number.name), Terminal(["play", TROUBLES, *arguments]) as terminal:
                    terminal.wait(words if not way else after)
                    for key, then in way:
                        terminal.send(key)
                        terminal.wait(then)
                    before = picture(terminal)
                    os.kill(self.worker(terminal), number)
                    if number != signal.SIGSTOP:
                        terminal.wait_notice("replaced; nothing is lost")
                    self.same(terminal, before)
                    terminal.send(*keys)
                    if number == signal.SIGSTOP:
                        terminal.wait("computing")
                        terminal.send(ESC)
                        terminal.wait_notice("Given up")
                        continue
                    terminal.wait(after)
                    self.leaves(terminal)


def seconds_computed(process):
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class NoWorker(Case):
    def test_the_list_does_not_ask_again_and_again(self):
        """Seven descriptors are too few for a worker: that is said, and no processor is busy with it."""
        with Terminal(["-c", 'ulimit -n 7; exec "$0"', NORMTUTOR], program="/bin/sh") as terminal:
            terminal.wait("cannot be started")
            before = seconds_computed(terminal.process.pid)
            time.sleep(1)
            self.assertLess(seconds_computed(terminal.process.pid) - before, 0.3)
            self.leaves(terminal)


class WorkerAnswersRubbish(Case):
    """tests/faults/rubbish is a tutor whose worker answers rubbish; the name of the program's file says which."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="normtutor-rubbish.")
        self.addCleanup(shutil.rmtree, self.home)

    def tutor(self, sort):
        return shutil.copy(RUBBISH_TUTOR, os.path.join(self.home, sort))

    def answers(self, sort, words):
        with everywhere(self.tutor(sort)) as there:
            pictures = []
            for place, terminal in there:
                stage, go = place.trouble(RUBBISH)
                terminal.send(*stage)
                pictures.append(picture(terminal))
                terminal.send(*go)
            for (place, terminal), before in zip(there, pictures):
                with self.subTest(place.name):
                    terminal.wait_notice(f"lost twice over the same request ({words}", "was given up")
                    self.same(terminal, before)
                    terminal.send(*place.after_trouble(RUBBISH))
                    self.goes_on(place, terminal)

    def test_bytes_that_are_no_message(self):
        self.answers("bytes", "it answered rubbish")

    def test_an_absurd_length(self):
        self.answers("length", "it answered rubbish")

    def test_half_a_message(self):
        self.answers("half", "")

    def test_a_message_of_another_shape(self):
        self.answers("shape", "it answered rubbish")

    def test_a_greeting_in_place_of_an_answer(self):
        self.answers("greeting", "it answered rubbish")

    def test_the_answer_to_a_later_request(self):
        self.answers("future", "it answered rubbish: a reply to no request")

    def test_a_closed_socket(self):
        self.answers("closing", "it closed its socket")

    def test_rubbish_once(self):
        """The request is sent again to another worker: it is answered, and the line says why that took longer."""
        for sort in ("bytes", "length", "shape"):
            program = self.tutor(sort)
            for place in PLACES:
                with self.subTest(place.name, sort=sort), open(program + ".once", "w"), place.open(program) as terminal:
                    place.get_ready(terminal)
                    stage, go = place.trouble(RUBBISH)
                    terminal.send(*stage, *go)
                    terminal.wait_notice("it answered rubbish", "replaced; nothing is lost")
                    self.leaves(terminal)

    def test_workers_of_another_build(self):
        program = self.tutor("build")
        with everywhere(program) as there:
            pictures = [picture(terminal) for _, terminal in there]
            with open(program + ".old", "w"):
                pass
            for place, terminal in there:
                os.kill(self.worker(terminal), signal.SIGKILL)
                terminal.wait_notice("it is of another build", "the next request starts it again")
            os.unlink(program + ".old")
            for (place, terminal), before in zip(there, pictures):
                with self.subTest(place.name):
                    self.same(terminal, before)
                    self.goes_on(place, terminal)


if __name__ == "__main__":
    unittest.main()
