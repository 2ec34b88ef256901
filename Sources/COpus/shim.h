#ifndef REACTOR_COPUS_SHIM_H
#define REACTOR_COPUS_SHIM_H

// Swift cannot import variadic functions: each shim names the request that it stands for.
// Missing header? Install libopus-dev (apt) or opus (brew).
#include <opus.h>

#endif
