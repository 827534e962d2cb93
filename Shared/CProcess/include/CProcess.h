// System functions that Swift can't call, or that differ between Linux and macOS. They create pipes
// that children don't inherit, start processes, wait for many descriptors, release memory, kill
// descendants, and swap two folders.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/// The child shares the parent's descriptor of the same number.
#define CPROCESS_INHERIT (-1)
/// The child gets /dev/null.
#define CPROCESS_NULL (-2)

/// Creates a pipe, with ends[0] for reading and ends[1] for writing. Both are closed on exec. Their
/// numbers are above 2, because setting up a child's standard streams overwrites 0, 1 and 2.
///
/// Returns 0 or an errno value.
int cprocess_make_pipe(int ends[2]);

/// Starts a program with default signal dispositions, an empty signal mask and only the three
/// descriptors of `streams` open. Each element of `streams` is a descriptor, CPROCESS_INHERIT or
/// CPROCESS_NULL.
///
/// If `directory` is NULL, the child gets the parent's. Returns 0, or an errno value if the program
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

/// Starts to watch a pipe's descriptor. `cprocess_wait_watched` reports it once: when it can be
/// read (or written) without blocking, or when the pipe's other end is closed. A descriptor that is
/// ready now is reported at once. Closing a descriptor ends its watch.
///
/// Returns 0 or an errno value.
int cprocess_watch(int list, int descriptor, bool for_writing);

/// Waits without a time limit until watched descriptors are ready, and stores them in
/// `descriptors`.
///
/// Returns how many were stored, 0 after a signal, or -1 with errno.
int cprocess_wait_watched(int list, int descriptors[], int capacity);

/// Returns the number of bytes in a pipe that haven't been read yet; 0 on systems that don't report
/// it.
int cprocess_unread(int descriptor);

/// Gives memory that was needed only during startup back to the system: unused heap memory, and the
/// pages of the program's code and tables. Those pages are loaded again from the page cache on
/// their next use.
void cprocess_release_startup_memory(void);

/// Kills every other process that has a variable in its environment, if this process may read that
/// environment. `variable` is NAME=value, at most 254 bytes.
///
/// While a process executes another program, its environment can't be read. `is_undecided` is set to
/// whether there is such a process that started after `ancestor`: call the function again.
///
/// Returns the number of running processes that were killed; 0 on systems without /proc, such as
/// macOS.
int cprocess_kill_marked(const char *variable, pid_t ancestor, bool *is_undecided);

/// Swaps two files or folders of one file system in one step. Returns 0 or an errno value; ENOTSUP
/// means that the file system can't swap.
int cprocess_exchange(const char *first, const char *second);

#endif
