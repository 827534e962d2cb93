// Functions that Swift lacks or that differ between Linux and macOS: pipes that are never
// inherited, posix_spawn, waiting for many descriptors, releasing memory, killing descendants, and
// swapping two folders.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/// The child shares the parent's descriptor of the same number.
#define CPROCESS_INHERIT (-1)
/// The child gets /dev/null.
#define CPROCESS_NULL (-2)

/// Creates a pipe, with ends[0] for reading and ends[1] for writing. Both are closed on exec and
/// above 2: a pipe on 0, 1 or 2 would be overwritten while a child's standard streams are set up.
///
/// Returns 0 or an errno value.
int cprocess_make_pipe(int ends[2]);

/// Starts a program with default signal dispositions, an empty signal mask and no open descriptor
/// but the three of `streams`. Each is a descriptor, CPROCESS_INHERIT or CPROCESS_NULL.
///
/// `directory` may be NULL for the parent's. Returns 0 or an errno value, also when the program
/// can't be executed.
int cprocess_spawn(
  pid_t *process,
  const char *path,
  char *const arguments[],
  char *const environment[],
  const char *directory,
  const int streams[3],
  bool new_group);

/// Creates an epoll or kqueue instance. Returns its descriptor, or -1 with errno.
int cprocess_make_watch(void);

/// Adds a pipe's descriptor to the watched ones. It is reported once, when it can be read (or
/// written) without waiting or its other end is closed. One that is ready already is reported at
/// once. Closing the descriptor removes it.
///
/// Returns 0 or an errno value.
int cprocess_watch(int list, int descriptor, bool for_writing);

/// Waits without a time limit for watched descriptors, and stores their numbers.
///
/// Returns their number, 0 after a signal, or -1 with errno.
int cprocess_wait_watched(int list, int descriptors[], int capacity);

/// Returns the number of bytes in a pipe that nobody has read; 0 on systems that don't report it.
int cprocess_unread(int descriptor);

/// Returns to the system the memory that only startup needed: free memory, and the program's code
/// and tables, which are loaded again from the page cache when they are used.
void cprocess_release_startup_memory(void);

/// Kills every other process whose environment has a variable, written NAME=value in at most 254
/// bytes, and whose environment this process may read. Processes that have ended don't count.
///
/// Returns the number of processes killed; 0 on systems that don't list them, such as macOS.
int cprocess_kill_marked(const char *variable);

/// Swaps two files or folders of one file system. Returns 0 or an errno value, ENOTSUP if the file
/// system can't do it.
int cprocess_exchange(const char *first, const char *second);

#endif
