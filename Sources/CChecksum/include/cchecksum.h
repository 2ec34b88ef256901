#ifndef REACTOR_CCHECKSUM_H
#define REACTOR_CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor computes CRC-32C in hardware (SSE 4.2, or the ARMv8 CRC extension).
int reactor_crc32c_hardware_available(void);

/// CRC-32C (RFC 9260 appendix A) of `length` bytes, continuing from `crc`, without the final inversion.
/// Call only where `reactor_crc32c_hardware_available` says so.
uint32_t reactor_crc32c_hardware(uint32_t crc, const void *bytes, size_t length);

#endif
