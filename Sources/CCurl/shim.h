#ifndef REACTOR_CCURL_SHIM_H
#define REACTOR_CCURL_SHIM_H

// Swift cannot import variadic functions: each shim is one type of their last argument.
// Missing header? Install libcurl4-openssl-dev (apt).
#include <curl/curl.h>

typedef size_t (*reactor_curl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*reactor_curl_seek_callback)(void *context, curl_off_t offset, int origin);

static inline CURLcode reactor_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode reactor_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode reactor_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode reactor_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode reactor_curl_set_headers(CURL *handle, struct curl_slist *list) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

static inline CURLcode reactor_curl_set_bytes_callback(CURL *handle, CURLoption option,
                                                       reactor_curl_bytes_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode reactor_curl_set_seek_callback(CURL *handle, reactor_curl_seek_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode reactor_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode reactor_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode reactor_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLcode reactor_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

// Object-like macros with casts, and bits that Swift does not import.
static inline long reactor_curl_global_all(void) { return CURL_GLOBAL_ALL; }
static inline size_t reactor_curl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline size_t reactor_curl_read_abort(void) { return CURL_READFUNC_ABORT; }
static inline long reactor_curl_http_version_2tls(void) { return CURL_HTTP_VERSION_2TLS; }

#endif
