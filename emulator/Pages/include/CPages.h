#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>

/// A file of the pages, embedded when the emulator was built.
struct page_file {
  /// The path below www/, such as "pages/chat.js".
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t length;
};

/// Returns all embedded files, and sets count to their number.
const struct page_file *_Nonnull page_files(size_t *_Nonnull count);

#endif
