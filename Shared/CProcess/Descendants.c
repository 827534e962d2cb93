#include "CProcess.h"

#ifdef __linux__
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CHUNK = 16 * 1024, LONGEST_MARK = 256 };

/// The result of a look at a process's environment. It is empty while the process executes another
/// program, because the kernel replaces the memory before it writes the environment there.
enum environment { MARKED, UNMARKED, EMPTY };

/// Looks for a variable, written NAME=value, in a process's environment.
static enum environment look_up(int folder, const char *path, const char *variable, size_t length) {
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  // The process is another user's, or has ended.
  if (file < 0) return UNMARKED;
  // A variable begins after the NUL that ends the one before it. The buffer starts with a NUL for
  // the first variable.
  char buffer[LONGEST_MARK + CHUNK];
  size_t kept = 1;
  buffer[0] = 0;
  bool found = false;
  while (!found) {
    ssize_t count = read(file, buffer + kept, CHUNK);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size_t end = kept + (size_t)count;
    for (char *at = buffer; (size_t)(at - buffer) + length + 2 <= end; at++) {
      at = memchr(at, 0, end - (size_t)(at - buffer));
      if (at == NULL || (size_t)(at - buffer) + length + 2 > end) break;
      found = memcmp(at + 1, variable, length) == 0 && at[length + 1] == 0;
      if (found) break;
    }
    kept = end < length + 1 ? end : length + 1;
    memmove(buffer, buffer + end - kept, kept);
  }
  close(file);
  if (found) return MARKED;
  // Only the NUL at the start is in the buffer if nothing was read.
  return kept == 1 ? EMPTY : UNMARKED;
}

/// A process's state, its parent, and the time of its start in clock ticks since the machine's start.
/// The time is 0 if there is no such process.
struct origin {
  char state;
  int parent;
  unsigned long long start;
};

static struct origin origin_of(int folder, const char *number) {
  struct origin origin = {0, 0, 0};
  char path[32], text[1024];
  snprintf(path, sizeof path, "%.20s/stat", number);
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return origin;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return origin;
  text[count] = 0;
  // The name in parentheses may contain any character. The state, the parent and, as the twentieth,
  // the start come after it.
  const char *at = strrchr(text, ')');
  if (at == NULL || sscanf(at + 1, " %c %d", &origin.state, &origin.parent) != 2) return origin;
  for (int field = 0; at != NULL && field < 20; field++) at = strchr(at + 1, ' ');
  if (at != NULL) origin.start = strtoull(at + 1, NULL, 10);
  return origin;
}

/// The process that starts the kernel's threads, whose environments are always empty.
enum { KERNEL_THREADS = 2 };

/// Returns whether a process with an empty environment may be executing another program, and may be
/// a descendant of a process that started at a given time.
static bool may_be_descendant(int folder, const char *number, unsigned long long start) {
  struct origin origin = origin_of(folder, number);
  // A process that has ended and wasn't waited for yet, Z, has no environment either.
  return start > 0 && origin.start >= start && origin.state != 'Z' && origin.parent != KERNEL_THREADS;
}

/// Kills a process that was marked a moment ago. Identifies the process by its open /proc folder,
/// because its ID may have been reused.
static bool kill_marked(
    int process, pid_t number, const char *variable, size_t length, bool *is_undecided) {
  enum environment environment = look_up(process, "environ", variable, length);
  if (environment == EMPTY) *is_undecided = true;
  if (environment != MARKED) return false;
#ifdef SYS_pidfd_send_signal
  if (syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0) return true;
  if (errno != ENOSYS && errno != EPERM && errno != EBADF) return false;
#endif
  return kill(number, SIGKILL) == 0;
}

int cprocess_kill_marked(const char *variable, pid_t ancestor, bool *is_undecided) {
  *is_undecided = false;
  size_t length = strlen(variable);
  DIR *processes = length <= LONGEST_MARK - 2 ? opendir("/proc") : NULL;
  if (processes == NULL) return 0;
  int killed = 0;
  pid_t own = getpid();
  char path[32];
  snprintf(path, sizeof path, "%d", (int)ancestor);
  unsigned long long start = origin_of(dirfd(processes), path).start;
  struct dirent *entry;
  while ((entry = readdir(processes)) != NULL) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    pid_t number = (pid_t)atoi(entry->d_name);
    if (number == own || number == ancestor) continue;
    snprintf(path, sizeof path, "%d/environ", (int)number);
    enum environment environment = look_up(dirfd(processes), path, variable, length);
    if (environment == EMPTY && may_be_descendant(dirfd(processes), entry->d_name, start))
      *is_undecided = true;
    if (environment != MARKED) continue;
    int process = openat(dirfd(processes), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (process < 0) continue;
    if (kill_marked(process, number, variable, length, is_undecided)) killed++;
    close(process);
  }
  closedir(processes);
  return killed;
}
#else
int cprocess_kill_marked(const char *variable, pid_t ancestor, bool *is_undecided) {
  (void)variable;
  (void)ancestor;
  *is_undecided = false;
  return 0;
}
#endif
