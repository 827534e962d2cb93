#pragma once

#include <stdint.h>

// A layer below SQLite for tests: what is written to files below a folder stays in memory until it is
// synced, so that it can be lost as in a power cut. Files elsewhere are SQLite's own business.

// Puts the layer below every file that SQLite opens from now on in this process.
int unsynced_install(void);

// Begins to hold back what is written below a folder, until `unsynced_end`. One folder at a time.
//
// After `operations` writes, truncations and syncs the power is cut: of what was not synced some is
// kept and some is lost, decided by `seed`; the write in hand may be torn. From then on everything
// fails. A negative number is never.
void unsynced_begin(const char *folder, int64_t operations, uint64_t seed);

// Cuts the power now, if it is still on, and lets the folder's files be files again.
void unsynced_end(void);

// How many operations there were since the beginning.
int64_t unsynced_operations(void);

// While it is not zero, writes that make a file longer find the disk full.
void unsynced_fill_disk(int full);
