#include "CCRC32C.h"

#include <string.h>

// Every ARM64 processor since ARMv8.1 has the instructions; x86-64 processors since SSE 4.2. The
// table is for the rest. On x86-64 the choice is made at run time, because the binary runs on all.
#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

static uint32_t extend_by_table(uint32_t state, const unsigned char *bytes, size_t count) {
  // Half a byte at a time: the table is small enough to be written here.
  static const uint32_t table[16] = {
      0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
      0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
      0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
  };
  while (count-- > 0) {
    state ^= *bytes++;
    state = state >> 4 ^ table[state & 15];
    state = state >> 4 ^ table[state & 15];
  }
  return state;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t extend_by_instruction(
    uint32_t state, const unsigned char *bytes, size_t count) {
  uint64_t wide = state;
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  state = (uint32_t)wide;
  for (; count > 0; bytes++, count--) state = _mm_crc32_u8(state, *bytes);
  return state;
}

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__ARM_FEATURE_CRC32)

static uint32_t extend_by_instruction(uint32_t state, const unsigned char *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    state = __crc32cd(state, word);
  }
  for (; count > 0; bytes++, count--) state = __crc32cb(state, *bytes);
  return state;
}

static int has_instruction(void) { return 1; }

#else

static uint32_t extend_by_instruction(uint32_t state, const unsigned char *bytes, size_t count) {
  return extend_by_table(state, bytes, count);
}

static int has_instruction(void) { return 0; }

#endif

uint32_t ccrc32c_extend(uint32_t checksum, const void *bytes, size_t count) {
  return has_instruction() ? ~extend_by_instruction(~checksum, bytes, count)
                           : ~extend_by_table(~checksum, bytes, count);
}
