#ifndef REACTOR_CVPX_SHIM_H
#define REACTOR_CVPX_SHIM_H

// Swift cannot import variadic functions and function-like macros: each shim names what it stands for.
// Missing header? Install libvpx-dev (apt) or libvpx (brew).
#include <vpx/vp8cx.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

/// vpx_codec_enc_init: a macro that adds VPX_ENCODER_ABI_VERSION.
static inline vpx_codec_err_t reactor_vpx_encoder_init(vpx_codec_ctx_t *context, vpx_codec_iface_t *codec,
                                                       const vpx_codec_enc_cfg_t *configuration) {
  return vpx_codec_enc_init(context, codec, configuration, 0);
}

/// vpx_codec_dec_init: a macro that adds VPX_DECODER_ABI_VERSION.
static inline vpx_codec_err_t reactor_vpx_decoder_init(vpx_codec_ctx_t *context, vpx_codec_iface_t *codec,
                                                       const vpx_codec_dec_cfg_t *configuration) {
  return vpx_codec_dec_init(context, codec, configuration, 0);
}

/// vpx_codec_control_ (variadic) for the controls that take an int or an unsigned int.
static inline vpx_codec_err_t reactor_vpx_set(vpx_codec_ctx_t *context, int control, int value) {
  return vpx_codec_control_(context, control, value);
}

/// vpx_codec_control_ (variadic) for the controls that answer with an int.
static inline vpx_codec_err_t reactor_vpx_get(vpx_codec_ctx_t *context, int control, int *value) {
  return vpx_codec_control_(context, control, value);
}

/// The bytes of a packet of kind VPX_CODEC_CX_FRAME_PKT: a member of an anonymous union.
static inline const void *reactor_vpx_packet_bytes(const vpx_codec_cx_pkt_t *packet) {
  return packet->data.frame.buf;
}

static inline size_t reactor_vpx_packet_size(const vpx_codec_cx_pkt_t *packet) {
  return packet->data.frame.sz;
}

static inline int reactor_vpx_packet_is_keyframe(const vpx_codec_cx_pkt_t *packet) {
  return (packet->data.frame.flags & VPX_FRAME_IS_KEY) != 0;
}

#endif
