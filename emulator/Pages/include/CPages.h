#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>

/// One file of the pages, as it was when this was built.
struct page_file {
  /// Below www/, such as "pages/chat.js".
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  size_t length;
};

/// All of them, and how many there are.
const struct page_file *_Nonnull page_files(size_t *_Nonnull count);

#endif
