#ifndef REACTOR_CYUV_SHIM_H
#define REACTOR_CYUV_SHIM_H

// Missing header? Install libyuv-dev (apt) or libyuv (brew). It ships no pkg-config file.
#include <libyuv.h>

#endif
