#ifndef REACTOR_CMICROHTTPD_SHIM_H
#define REACTOR_CMICROHTTPD_SHIM_H

// Swift cannot import variadic functions: each shim names what it stands for.
// Missing header? Install libmicrohttpd-dev (apt) or libmicrohttpd (brew).
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

// The library's enumerations carry attributes that make Swift rename or drop their cases.
static const enum MHD_Result reactor_mhd_yes = MHD_YES;
static const enum MHD_Result reactor_mhd_no = MHD_NO;
static const enum MHD_ValueKind reactor_mhd_header_kind = MHD_HEADER_KIND;
static const enum MHD_ValueKind reactor_mhd_argument_kind = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode reactor_mhd_must_copy = MHD_RESPMEM_MUST_COPY;

/// MHD_start_daemon with the options that the local runtime uses. `ipv4` is in host order. Left out is
/// MHD_OPTION_LISTENING_ADDRESS_REUSE: it means SO_REUSEPORT, with which two servers would share a port in silence.
static inline struct MHD_Daemon *reactor_mhd_start(uint32_t ipv4, uint16_t port, unsigned int connection_limit,
                                                   unsigned int idle_seconds,
                                                   MHD_AccessHandlerCallback access, void *access_context,
                                                   MHD_RequestCompletedCallback completed) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(ipv4);
  return MHD_start_daemon(MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, access,
                          access_context, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
                          connection_limit, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
}

/// MHD_get_daemon_info(MHD_DAEMON_INFO_BIND_PORT): the port in use, 0 when unknown.
static inline uint16_t reactor_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

#endif
