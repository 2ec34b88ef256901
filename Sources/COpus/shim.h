#ifndef REACTOR_COPUS_SHIM_H
#define REACTOR_COPUS_SHIM_H

// Swift cannot import variadic functions: each shim names the request that it stands for.
// Missing header? Install libopus-dev (apt) or opus (brew).
#include <opus.h>

/// opus_encoder_ctl (variadic) with a request that takes an opus_int32.
static inline int reactor_opus_encoder_set(OpusEncoder *encoder, int request, opus_int32 value) {
  return opus_encoder_ctl(encoder, request, value);
}

/// opus_encoder_ctl (variadic) with a request that answers with an opus_int32.
static inline int reactor_opus_encoder_get(OpusEncoder *encoder, int request, opus_int32 *value) {
  return opus_encoder_ctl(encoder, request, value);
}

/// opus_encoder_ctl(OPUS_RESET_STATE).
static inline int reactor_opus_encoder_reset(OpusEncoder *encoder) {
  return opus_encoder_ctl(encoder, OPUS_RESET_STATE);
}

/// opus_decoder_ctl(OPUS_RESET_STATE).
static inline int reactor_opus_decoder_reset(OpusDecoder *decoder) {
  return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}

#endif
