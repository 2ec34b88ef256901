#ifndef REACTOR_CSPEEXDSP_SHIM_H
#define REACTOR_CSPEEXDSP_SHIM_H

// Missing header? Install libspeexdsp-dev (apt) or speexdsp (brew).
#include <speex/speex_resampler.h>

#endif
