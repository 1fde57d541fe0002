/* The worker: reads requests, answers scenes, until its socket closes. Included by main.c alone. */
#ifndef ENGINE_WORKER_H
#define ENGINE_WORKER_H

/* The whole of `normtutor engine`: enters the cage, then serves the socket on descriptor 3. Returns the exit status. */
enum { WORKER_ARGC = 6 }; /* arguments of a worker, the program's name included */
int worker_main(int argc, char **argv);

#endif
