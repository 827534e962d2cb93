// Wrappers of zlib's two initializers, which are macros and therefore not imported by Swift.
#ifndef WORLDCHAT_CZLIB_SHIM_H
#define WORLDCHAT_CZLIB_SHIM_H

#include <zlib.h>

// 15 is the largest window size. Adding 16 selects the gzip format and no other.
static inline int zlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

static inline int zlib_begin_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
