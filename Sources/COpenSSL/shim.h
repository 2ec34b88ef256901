#ifndef REACTOR_COPENSSL_SHIM_H
#define REACTOR_COPENSSL_SHIM_H

// Swift cannot import function-like macros: each shim names the macro that it stands for.
// Missing header? Install libssl-dev (apt) or openssl@3 (brew).
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#endif
