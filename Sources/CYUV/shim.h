#ifndef REACTOR_CYUV_SHIM_H
#define REACTOR_CYUV_SHIM_H

// Missing header? Install libyuv-dev (apt) or libyuv (brew). It ships no pkg-config file.
#include <libyuv.h>

// I420ToARGB by the matrix of BT.601, 709 or 2020. Swift cannot name libyuv's tables: their type is opaque.
static inline int reactor_i420_to_argb(
    int matrix, int is_full_range, const uint8_t *y, int y_stride, const uint8_t *u, int u_stride,
    const uint8_t *v, int v_stride, uint8_t *argb, int argb_stride, int width, int height) {
  const struct YuvConstants *constants =
      matrix == 709    ? (is_full_range ? &kYuvF709Constants : &kYuvH709Constants)
      : matrix == 2020 ? (is_full_range ? &kYuvV2020Constants : &kYuv2020Constants)
                       : (is_full_range ? &kYuvJPEGConstants : &kYuvI601Constants);
  return I420ToARGBMatrix(
      y, y_stride, u, u_stride, v, v_stride, argb, argb_stride, constants, width, height);
}

#endif
