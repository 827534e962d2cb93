// What Swift can't say the same way on Linux and macOS: pipes that are never inherited,
// posix_spawn's opaque types, a detached thread, a wait for many descriptors, memory given back,
// and two folders swapped.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/// The child shares the parent's descriptor of the same number.
#define CPROCESS_INHERIT (-1)
/// The child gets /dev/null.
#define CPROCESS_NULL (-2)

/// Makes a pipe, ends[0] to read and ends[1] to write, both closed on exec and above 2: a pipe
/// on 0, 1 or 2 would be overwritten while a child's standard streams are put in place.
///
/// Returns 0 or an errno value.
int cprocess_make_pipe(int ends[2]);

/// Starts a program with default signal dispositions, an empty signal mask and no descriptor
/// but the three of `streams`, each a descriptor, CPROCESS_INHERIT or CPROCESS_NULL.
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

/// Makes a list of descriptors that the system keeps; returns its own descriptor, or -1 with errno.
int cprocess_make_watch(void);

/// Puts a descriptor on the list, until it can be read (or written) without waiting, or its other
/// end is gone; then it is told once. One that can be now is told at once; one that is closed is
/// off the list.
///
/// For pipes. Returns 0 or an errno value.
int cprocess_watch(int list, int descriptor, bool for_writing);

/// Waits for descriptors of the list, as long as it takes, and stores their numbers.
///
/// Returns how many there are, 0 after a signal, or -1 with errno.
int cprocess_wait_watched(int list, int descriptors[], int capacity);

/// How many bytes that were written to a pipe nobody has read; 0 where the system doesn't tell.
int cprocess_unread(int descriptor);

/// Gives back what only the start needed: free memory, and the program's code and tables, which
/// come back from the page cache as they are used.
void cprocess_release_startup_memory(void);

/// Kills every other process that was started with a variable, written NAME=value in at most 254
/// bytes, and that this one may look at. One that has ended already has none.
///
/// Returns how many they are; 0 where the system doesn't tell, as on macOS.
int cprocess_kill_marked(const char *variable);

/// Swaps two files or folders of one file system. Returns 0 or an errno value; ENOTSUP where the
/// file system can't.
int cprocess_exchange(const char *first, const char *second);

#endif
