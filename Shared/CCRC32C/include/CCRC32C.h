// CRC-32C with the processor's own instructions, which Swift can't call.

#ifndef CCRC32C_H
#define CCRC32C_H

#include <stddef.h>
#include <stdint.h>

/// Continues a CRC-32C (Castagnoli) over more bytes.
///
/// `checksum` is that of the bytes before, 0 for none.
uint32_t ccrc32c_extend(uint32_t checksum, const void *bytes, size_t count);

#endif
