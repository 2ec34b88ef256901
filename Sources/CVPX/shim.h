#ifndef REACTOR_CVPX_SHIM_H
#define REACTOR_CVPX_SHIM_H

// Swift cannot import variadic functions and function-like macros: each shim names what it stands for.
// Missing header? Install libvpx-dev (apt) or libvpx (brew).
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

#endif
