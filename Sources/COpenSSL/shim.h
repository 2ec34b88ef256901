#ifndef REACTOR_COPENSSL_SHIM_H
#define REACTOR_COPENSSL_SHIM_H

// Swift cannot import function-like macros: each shim names the macro that it stands for.
// Missing header? Install libssl-dev (apt) or openssl@3 (brew).
#include <sys/time.h>

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/srtp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

static inline int shim_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int shim_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
  return (int)SSL_CTX_set1_groups_list(context, list);
}

static inline void shim_SSL_CTX_disable_session_cache(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void shim_SSL_CTX_set_max_cert_list(SSL_CTX *context, long bytes) {
  SSL_CTX_set_max_cert_list(context, bytes);
}

static inline int shim_SSL_set_mtu(SSL *ssl, long mtu) { return (int)SSL_set_mtu(ssl, mtu); }

static inline int shim_DTLSv1_handle_timeout(SSL *ssl) { return (int)DTLSv1_handle_timeout(ssl); }

// Microseconds until the library's own handshake timer runs out; -1 when it is not set.
static inline long long shim_DTLSv1_get_timeout(SSL *ssl) {
  struct timeval left;
  if (!DTLSv1_get_timeout(ssl, &left)) return -1;
  return (long long)left.tv_sec * 1000000 + left.tv_usec;
}

// SSL_OP_* are written with a cast that Swift does not import.
static inline uint64_t shim_DTLS_options(void) {
  return SSL_OP_NO_QUERY_MTU | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION |
         SSL_OP_CIPHER_SERVER_PREFERENCE;
}

static inline EVP_PKEY *shim_EVP_EC_gen(const char *curve) { return EVP_EC_gen(curve); }

static inline void shim_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void shim_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }

// BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT passes a struct timeval: reading it, and moving it.
static inline int shim_timeval_is_set(const void *field) {
  const struct timeval *value = (const struct timeval *)field;
  return value->tv_sec != 0 || value->tv_usec != 0;
}

static inline void shim_timeval_set(void *field, long seconds) {
  struct timeval *value = (struct timeval *)field;
  value->tv_sec = seconds;
  value->tv_usec = 0;
}

// SSL_set_tlsext_host_name is a macro.
static inline int shim_SSL_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

// BIO_pending is a macro.
static inline int shim_BIO_pending(BIO *bio) { return (int)BIO_pending(bio); }

#endif
