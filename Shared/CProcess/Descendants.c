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

/// Returns whether a process's environment has a variable, written NAME=value.
static bool has_variable(int folder, const char *path, const char *variable, size_t length) {
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  // The process is another user's, or has ended.
  if (file < 0) return false;
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
  return found;
}

/// Kills a process if its environment has the variable. Identifies the process by its open /proc
/// folder, because its ID may have been reused.
static bool kill_marked(int process, pid_t number, const char *variable, size_t length) {
  if (!has_variable(process, "environ", variable, length)) return false;
#ifdef SYS_pidfd_send_signal
  if (syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0) return true;
  if (errno != ENOSYS && errno != EPERM && errno != EBADF) return false;
#endif
  return kill(number, SIGKILL) == 0;
}

int cprocess_kill_marked(const char *variable) {
  size_t length = strlen(variable);
  DIR *processes = length <= LONGEST_MARK - 2 ? opendir("/proc") : NULL;
  if (processes == NULL) return 0;
  int killed = 0;
  pid_t own = getpid();
  struct dirent *entry;
  while ((entry = readdir(processes)) != NULL) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    pid_t number = (pid_t)atoi(entry->d_name);
    char path[32];
    snprintf(path, sizeof path, "%d/environ", (int)number);
    if (number == own || !has_variable(dirfd(processes), path, variable, length)) continue;
    int process = openat(dirfd(processes), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (process < 0) continue;
    if (kill_marked(process, number, variable, length)) killed++;
    close(process);
  }
  closedir(processes);
  return killed;
}
#else
int cprocess_kill_marked(const char *variable) {
  (void)variable;
  return 0;
}
#endif
