#ifndef REACTOR_CCURL_SHIM_H
#define REACTOR_CCURL_SHIM_H
#include <curl/curl.h>
#endif
