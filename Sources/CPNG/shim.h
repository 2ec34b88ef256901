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

/// The size of a picture of at most 16384 x 16384; 1 on success.
static inline int reactor_png_read_size(const char *path, uint32_t *width, uint32_t *height) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  int read = png_image_begin_read_from_file(&image, path) && image.width <= 16384 && image.height <= 16384;
  if (read) {
    *width = image.width;
    *height = image.height;
  }
  png_image_free(&image);
  return read;
}

/// The pixels as BGRA into `size` bytes, which must be exactly what the picture needs; 1 on success.
static inline int reactor_png_read_bgra(const char *path, void *pixels, size_t size) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  int read = png_image_begin_read_from_file(&image, path);
  if (read) {
    image.format = PNG_FORMAT_BGRA;
    read = PNG_IMAGE_SIZE(image) == size && png_image_finish_read(&image, NULL, pixels, 0, NULL);
  }
  png_image_free(&image);
  return read;
}

#endif
