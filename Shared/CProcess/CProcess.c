#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#else
#include <sys/event.h>
#endif

/// Returns a descriptor with a number above 2: the given one, or a duplicate that replaces it. On
/// failure closes the descriptor and returns -1 with errno.
static int lifted(int descriptor) {
  if (descriptor > 2) return descriptor;
  int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  int error = errno;
  close(descriptor);
  errno = error;
  return higher;
}

int cprocess_make_pipe(int ends[2]) {
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
#else
  if (pipe(ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
  ends[0] = lifted(ends[0]);
  if (ends[0] < 0) {
    int error = errno;
    close(ends[1]);
    return error;
  }
  ends[1] = lifted(ends[1]);
  if (ends[1] < 0) {
    int error = errno;
    close(ends[0]);
    return error;
  }
  return 0;
}

static int set_actions(
  posix_spawn_file_actions_t *actions, const char *directory, const int streams[3]) {
  int error = 0;
  for (int target = 0; target < 3 && error == 0; target++) {
    if (streams[target] == CPROCESS_NULL) {
      error = posix_spawn_file_actions_addopen(actions, target, "/dev/null", O_RDWR, 0);
    } else if (streams[target] != CPROCESS_INHERIT) {
      error = posix_spawn_file_actions_adddup2(actions, streams[target], target);
    } else {
#ifdef __APPLE__
      error = posix_spawn_file_actions_addinherit_np(actions, target);
#endif
    }
  }
  if (error == 0 && directory != NULL) {
    error = posix_spawn_file_actions_addchdir_np(actions, directory);
  }
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
  // Other code in this process may open sockets without O_CLOEXEC, so close them in the child. On
  // macOS a spawn flag does this.
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
#endif
  return error;
}

static int set_attributes(posix_spawnattr_t *attributes, bool new_group) {
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  if (new_group) flags |= POSIX_SPAWN_SETPGROUP;

  sigset_t every, none;
  sigfillset(&every);
  sigdelset(&every, SIGKILL);
  sigdelset(&every, SIGSTOP);
  sigemptyset(&none);

  int error = posix_spawnattr_setflags(attributes, flags);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &every);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0 && new_group) error = posix_spawnattr_setpgroup(attributes, 0);
  return error;
}

int cprocess_spawn(
  pid_t *process,
  const char *path,
  char *const arguments[],
  char *const environment[],
  const char *directory,
  const int streams[3],
  bool new_group) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  error = set_actions(&actions, directory, streams);
  if (error == 0) error = set_attributes(&attributes, new_group);
  if (error == 0) {
    error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

#ifdef __linux__
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>

static int release_segments(struct dl_phdr_info *module, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
    // Skip writable segments, because they contain changes, such as relocated pointers.
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t start = (module->dlpi_addr + segment->p_vaddr + page - 1) & -page;
    uintptr_t end = (module->dlpi_addr + segment->p_vaddr + segment->p_memsz) & -page;
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void cprocess_release_startup_memory(void) {
  dl_iterate_phdr(release_segments, NULL);
  malloc_trim(0);
}
#else
void cprocess_release_startup_memory(void) {}
#endif

int cprocess_unread(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

enum { WAIT_CAPACITY = 64 };

#ifdef __linux__
int cprocess_make_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }

int cprocess_watch(int list, int descriptor, bool for_writing) {
  struct epoll_event event = {
    .events = (for_writing ? EPOLLOUT : EPOLLIN) | EPOLLONESHOT, .data = {.fd = descriptor}};
  if (epoll_ctl(list, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
  if (errno != ENOENT) return errno;
  return epoll_ctl(list, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

int cprocess_wait_watched(int list, int descriptors[], int capacity) {
  struct epoll_event events[WAIT_CAPACITY];
  int count = epoll_wait(list, events, capacity < WAIT_CAPACITY ? capacity : WAIT_CAPACITY, -1);
  for (int index = 0; index < count; index++) descriptors[index] = events[index].data.fd;
  return count < 0 && errno == EINTR ? 0 : count;
}
#else
int cprocess_make_watch(void) {
  int list = kqueue();
  if (list >= 0) fcntl(list, F_SETFD, FD_CLOEXEC);
  return list;
}

int cprocess_watch(int list, int descriptor, bool for_writing) {
  struct kevent event;
  EV_SET(
    &event, descriptor, for_writing ? EVFILT_WRITE : EVFILT_READ, EV_ADD | EV_ONESHOT, 0, 0, NULL);
  return kevent(list, &event, 1, NULL, 0, NULL) < 0 ? errno : 0;
}

int cprocess_wait_watched(int list, int descriptors[], int capacity) {
  struct kevent events[WAIT_CAPACITY];
  int count = kevent(
    list, NULL, 0, events, capacity < WAIT_CAPACITY ? capacity : WAIT_CAPACITY, NULL);
  for (int index = 0; index < count; index++) descriptors[index] = (int)events[index].ident;
  return count < 0 && errno == EINTR ? 0 : count;
}
#endif

int cprocess_exchange(const char *first, const char *second) {
#ifdef __APPLE__
  return renamex_np(first, second, RENAME_SWAP) == 0 ? 0 : errno;
#else
  if (renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE) == 0) return 0;
  return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
#endif
}
