// zlib as Swift sees it: the two initialisers are macros, which Swift doesn't import.
#ifndef WORLDCHAT_CZLIB_SHIM_H
#define WORLDCHAT_CZLIB_SHIM_H

#include <zlib.h>

// 15 is the largest window; 16 more says gzip and nothing else.
static inline int zlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

static inline int zlib_begin_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
