#ifndef REACTOR_CPNG_SHIM_H
#define REACTOR_CPNG_SHIM_H

// Missing header? Install libpng-dev (apt) or libpng (brew).
#include <png.h>
#include <stdint.h>
#include <string.h>

/// png_image_write_to_file with PNG_FORMAT_BGRA, alpha kept; 1 on success. PNG_FORMAT_BGRA, PNG_IMAGE_VERSION
/// and the png_image set-up are macros. `message` gets libpng's own words, cut to `message_size`.
static inline int reactor_png_write_bgra(const char *path, const void *pixels, uint32_t width, uint32_t height,
                                         char *message, size_t message_size) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_BGRA;
  int written = png_image_write_to_file(&image, path, 0, pixels, 0, NULL);
  if (!written && message_size > 0) {
    strncpy(message, image.message, message_size - 1);
    message[message_size - 1] = 0;
  }
  png_image_free(&image);
  return written;
}

#endif
