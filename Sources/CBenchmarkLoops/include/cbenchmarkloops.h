#ifndef REACTOR_CBENCHMARKLOOPS_H
#define REACTOR_CBENCHMARKLOOPS_H

// What the package is measured against, in plain C.

#include <stddef.h>
#include <stdint.h>

struct reactor_usrsctp_result {
  /// Processor time of the calling thread, which does the work of both ends.
  double seconds;
  uint64_t bytes;
  uint64_t packets;
};

/// Sends messages of `message_bytes` from one usrsctp association to another in this process, for `seconds` of
/// processor time. Nothing but a ring of packets lies between them; no threads, no checksums, packets of at
/// most `mtu` bytes. Setting up is not counted. 0, or -1 where usrsctp is not installed or refuses.
int reactor_usrsctp_run(size_t message_bytes, size_t mtu, double seconds, struct reactor_usrsctp_result *result);

struct reactor_udp_result {
  /// Processor time of the calling thread.
  double send_seconds;
  double receive_seconds;
  uint64_t sent;
  uint64_t received;
};

/// Datagrams of `bytes` over loopback in batches of 64, sent and then read by one thread, for `seconds` of
/// processor time: sendmmsg and recvmmsg, or UDP_SEGMENT and UDP_GRO. 0, or a negative errno.
int reactor_udp_run(int with_offload, size_t bytes, double seconds, struct reactor_udp_result *result);

#endif
