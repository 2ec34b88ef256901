#include "cchecksum.h"

#include <string.h>

#if defined(__x86_64__)

#include <nmmintrin.h>

int reactor_crc32c_hardware_available(void) { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) uint32_t reactor_crc32c_hardware(uint32_t crc, const void *bytes,
                                                                   size_t length) {
  const uint8_t *cursor = bytes;
  uint64_t state = crc;
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, cursor, 8);
    state = _mm_crc32_u64(state, word);
    cursor += 8;
    length -= 8;
  }
  crc = (uint32_t)state;
  while (length > 0) {
    crc = _mm_crc32_u8(crc, *cursor);
    cursor += 1;
    length -= 1;
  }
  return crc;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

int reactor_crc32c_hardware_available(void) { return 1; }

uint32_t reactor_crc32c_hardware(uint32_t crc, const void *bytes, size_t length) {
  const uint8_t *cursor = bytes;
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, cursor, 8);
    crc = __crc32cd(crc, word);
    cursor += 8;
    length -= 8;
  }
  while (length > 0) {
    crc = __crc32cb(crc, *cursor);
    cursor += 1;
    length -= 1;
  }
  return crc;
}

#else

int reactor_crc32c_hardware_available(void) { return 0; }

uint32_t reactor_crc32c_hardware(uint32_t crc, const void *bytes, size_t length) {
  (void)bytes;
  (void)length;
  return crc;
}

#endif
