#ifndef REACTOR_CSRTP_SHIM_H
#define REACTOR_CSRTP_SHIM_H

// Missing header? Install libsrtp2-dev (apt) or srtp (brew).
#include <srtp2/srtp.h>

#endif
