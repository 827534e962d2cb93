#pragma once

#include <stdint.h>

// A layer below SQLite for tests: writes to files below a folder stay in memory until they are
// synced, so that they can be lost as in a power cut. Other files are passed through to SQLite.

// Puts the layer below every file that SQLite opens from now on in this process.
int unsynced_install(void);

// Begins to hold back writes below a folder, until `unsynced_end`. Only one folder at a time.
//
// After `operations` writes, truncations and syncs the power is cut: a part of the unsynced writes,
// which `seed` decides, is kept and the rest is lost. The current write may be torn. From then on
// everything fails. A negative number means never.
void unsynced_begin(const char *folder, int64_t operations, uint64_t seed);

// Cuts the power now, if it is still on, and passes the folder's files through again.
void unsynced_end(void);

// Returns the number of operations since the beginning.
int64_t unsynced_operations(void);

// Sets whether the disk is full: then writes that extend a file fail.
void unsynced_fill_disk(int full);
