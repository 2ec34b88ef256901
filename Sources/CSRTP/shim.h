#ifndef REACTOR_CSRTP_SHIM_H
#define REACTOR_CSRTP_SHIM_H

// Missing header? Install libsrtp2-dev (apt) or srtp (brew).
#include <srtp2/srtp.h>

#include <stddef.h>

// Zeroes memory that is about to be freed: stores through a volatile pointer are not optimised away.
static inline void shim_wipe(void *memory, size_t count) {
  volatile unsigned char *byte = (volatile unsigned char *)memory;
  while (count-- > 0) *byte++ = 0;
}

#endif
