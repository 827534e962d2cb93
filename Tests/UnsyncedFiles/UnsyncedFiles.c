#include "UnsyncedFiles.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// A change that isn't synced yet.
typedef struct Change {
  struct Change *next;
  sqlite3_int64 offset;
  // A count of -1 truncates the file to `offset` bytes.
  int count;
  unsigned char bytes[];
} Change;

// The content of a file of the folder, by path: a file may be opened more than once.
typedef struct Content {
  struct Content *next;
  char *path;
  unsigned char *bytes;
  sqlite3_int64 size;
  Change *first, *last;
} Content;

typedef struct {
  sqlite3_file base;
  Content *content;
  // The real file follows.
} File;

static sqlite3_vfs *system_files;
static sqlite3_vfs layer;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static char *folder;
static Content *contents;
static int64_t operations, last_operation = -1;
static uint64_t dice;
static int is_off, is_full;

static sqlite3_file *real(sqlite3_file *file) {
  return (sqlite3_file *)((char *)file + sizeof(File));
}

static uint64_t roll(void) {
  dice ^= dice << 13;
  dice ^= dice >> 7;
  dice ^= dice << 17;
  return dice;
}

static void grow(Content *content, sqlite3_int64 size) {
  if (size <= content->size) return;
  content->bytes = realloc(content->bytes, size);
  memset(content->bytes + content->size, 0, size - content->size);
  content->size = size;
}

// Appends a change to the unsynced ones, and applies it in memory.
static void change(Content *content, const void *bytes, int count, sqlite3_int64 offset) {
  Change *change = malloc(sizeof(Change) + (count > 0 ? count : 0));
  change->next = NULL;
  change->offset = offset;
  change->count = count;
  if (count >= 0) {
    memcpy(change->bytes, bytes, count);
    grow(content, offset + count);
    memcpy(content->bytes + offset, bytes, count);
  } else if (offset < content->size) {
    content->size = offset;
  }
  if (content->last) content->last->next = change;
  else content->first = change;
  content->last = change;
}

// Writes the changes to the disk: all of them, or a random part.
static int flush(Content *content, sqlite3_file *file, int loses) {
  int result = SQLITE_OK;
  // Half of the time the order is kept, and half of the time the disk reorders.
  int drops_tail = loses && roll() % 2;
  while (content->first) {
    Change *change = content->first;
    content->first = change->next;
    int keeps = !loses || roll() % 2;
    if (drops_tail && !keeps) loses = 2;
    if (loses == 2) keeps = 0;
    if (keeps && result == SQLITE_OK) {
      if (change->count < 0) {
        result = file->pMethods->xTruncate(file, change->offset);
      } else {
        int count = change->count;
        // A torn write: whole sectors from its beginning.
        if (loses && roll() % 4 == 0) count = (int)(roll() % (count / 512 + 1)) * 512;
        if (count) result = file->pMethods->xWrite(file, change->bytes, count, change->offset);
      }
    }
    free(change);
  }
  content->last = NULL;
  return result;
}

// Counts an operation, and returns true once the power is off.
static int power_is_off(void) {
  operations += 1;
  if (last_operation >= 0 && operations > last_operation) is_off = 1;
  return is_off;
}

#define LOCKED(...)                                                                                 \
  pthread_mutex_lock(&mutex);                                                                       \
  __VA_ARGS__ pthread_mutex_unlock(&mutex);

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  Content *content = ((File *)file)->content;
  int result = SQLITE_OK;
  LOCKED({
    if (is_off) {
      result = SQLITE_IOERR_READ;
    } else {
      sqlite3_int64 there = content->size - offset;
      if (there > count) there = count;
      if (there < 0) there = 0;
      if (there) memcpy(bytes, content->bytes + offset, there);
      if (there < count) {
        memset((char *)bytes + there, 0, count - there);
        result = SQLITE_IOERR_SHORT_READ;
      }
    }
  })
  return result;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  Content *content = ((File *)file)->content;
  int result = SQLITE_OK;
  LOCKED({
    if (is_full && offset + count > content->size) {
      result = SQLITE_FULL;
    } else if (!is_off) {
      // The write at which the power fails may be on the disk in part.
      change(content, bytes, count, offset);
      if (power_is_off()) result = SQLITE_IOERR_WRITE;
    } else {
      result = SQLITE_IOERR_WRITE;
    }
  })
  return result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int result = SQLITE_OK;
  LOCKED({
    if (power_is_off()) result = SQLITE_IOERR_TRUNCATE;
    else change(((File *)file)->content, NULL, -1, size);
  })
  return result;
}

static int file_sync(sqlite3_file *file, int flags) {
  int result;
  LOCKED({
    if (power_is_off()) result = SQLITE_IOERR_FSYNC;
    // The real sync would take most of a test's time, and proves nothing here.
    else result = flush(((File *)file)->content, real(file), 0);
  })
  return result;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  LOCKED({ *size = ((File *)file)->content->size; })
  return SQLITE_OK;
}

static int file_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
static int file_check_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int file_control(sqlite3_file *file, int operation, void *argument) {
  // Nothing may bypass this layer.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int file_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}
// Returns the only promise of the disk: a torn write leaves the neighboring bytes alone.
static int file_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file)) & SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}
static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **result) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, result);
}
static int file_map_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_unmap(sqlite3_file *file, int delete) {
  return real(file)->pMethods->xShmUnmap(real(file), delete);
}

static const sqlite3_io_methods methods = {
  2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock,
  file_unlock, file_check_lock, file_control, file_sector_size, file_characteristics, file_map,
  file_map_lock, file_barrier, file_unmap,
};

static int is_held_back(const char *path) {
  return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static Content *content_of(const char *path, sqlite3_file *file) {
  for (Content *each = contents; each; each = each->next) {
    if (strcmp(each->path, path) == 0) return each;
  }
  Content *content = calloc(1, sizeof(Content));
  content->path = strdup(path);
  sqlite3_int64 size = 0;
  file->pMethods->xFileSize(file, &size);
  grow(content, size);
  if (size) file->pMethods->xRead(file, content->bytes, (int)size, 0);
  content->next = contents;
  contents = content;
  return content;
}

static int layer_open(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result_flags
) {
  int result = SQLITE_OK;
  LOCKED({
    if (!is_held_back(path)) {
      result = system_files->xOpen(system_files, path, file, flags, result_flags);
    } else if (is_off) {
      file->pMethods = NULL;
      result = SQLITE_CANTOPEN;
    } else {
      file->pMethods = NULL;
      result = system_files->xOpen(system_files, path, real(file), flags, result_flags);
      if (result == SQLITE_OK) {
        ((File *)file)->content = content_of(path, real(file));
        file->pMethods = &methods;
      }
    }
  })
  return result;
}

static void forget(Content **link) {
  Content *content = *link;
  *link = content->next;
  while (content->first) {
    Change *change = content->first;
    content->first = change->next;
    free(change);
  }
  free(content->bytes);
  free(content->path);
  free(content);
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  int result = SQLITE_OK;
  LOCKED({
    if (is_held_back(path) && power_is_off()) {
      result = SQLITE_IOERR_DELETE;
    } else {
      for (Content **link = &contents; *link; link = &(*link)->next) {
        if (strcmp((*link)->path, path) == 0) {
          forget(link);
          break;
        }
      }
      result = system_files->xDelete(system_files, path, syncs);
    }
  })
  return result;
}

int unsynced_install(void) {
  if (system_files) return SQLITE_OK;
  system_files = sqlite3_vfs_find(NULL);
  if (!system_files) return SQLITE_ERROR;
  layer = *system_files;
  layer.zName = "unsynced";
  layer.pNext = NULL;
  layer.szOsFile = (int)sizeof(File) + system_files->szOsFile;
  layer.xOpen = layer_open;
  layer.xDelete = layer_delete;
  return sqlite3_vfs_register(&layer, 1);
}

void unsynced_begin(const char *path, int64_t count, uint64_t seed) {
  LOCKED({
    folder = strdup(path);
    operations = 0;
    last_operation = count;
    dice = seed * 2 + 1;
    is_off = is_full = 0;
  })
}

void unsynced_end(void) {
  LOCKED({
    for (Content *content = contents; content; content = content->next) {
      sqlite3_file *file = malloc(system_files->szOsFile);
      memset(file, 0, system_files->szOsFile);
      int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MAIN_DB;
      if (system_files->xOpen(system_files, content->path, file, flags, NULL) == SQLITE_OK) {
        flush(content, file, 1);
        file->pMethods->xClose(file);
      }
      free(file);
    }
    while (contents) forget(&contents);
    free(folder);
    folder = NULL;
    is_off = is_full = 0;
  })
}

int64_t unsynced_operations(void) {
  int64_t count;
  LOCKED({ count = operations; })
  return count;
}

void unsynced_fill_disk(int full) {
  LOCKED({ is_full = full; })
}
