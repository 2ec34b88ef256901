#ifndef REACTOR_CSOCKETS_H
#define REACTOR_CSOCKETS_H

// What Swift's Glibc module leaves out: recvmmsg, sendmsg with UDP_SEGMENT, epoll, eventfd, timerfd, netlink
// and the CMSG_* macros. Each function returns 0 or a count, or a negative errno: nothing here sets policy.

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// An IPv4 or IPv6 address and port in a form without sockaddr casts. `ip` holds 4 or 16 bytes.
struct reactor_address {
  uint8_t ip[16];
  uint16_t port;
  uint8_t is_ipv6;
  uint32_t scope_id;
};

/// One received datagram, or a run of equal ones that the kernel has glued together (UDP_GRO).
struct reactor_received {
  uint8_t *bytes;
  uint32_t length;
  /// 0 when the datagram came alone; else the length of each part but the last.
  uint32_t segment_size;
  /// When the kernel took it in, in nanoseconds of CLOCK_MONOTONIC; the time of the read where it does not say.
  int64_t received_at;
  struct reactor_address source;
};

struct reactor_receive_batch;

/// Memory for `capacity` receives of up to 65 536 bytes each, or NULL. Pages that are not used cost nothing.
struct reactor_receive_batch *reactor_receive_batch_create(int capacity);
void reactor_receive_batch_destroy(struct reactor_receive_batch *batch);

/// Reads what waits on `fd`, up to the batch's capacity; 0 when nothing waits.
int reactor_receive(struct reactor_receive_batch *batch, int fd);

/// What the last `reactor_receive` put at `index`.
struct reactor_received reactor_received_at(const struct reactor_receive_batch *batch, int index);

struct reactor_send_part {
  const void *bytes;
  size_t length;
};

/// Sends `count` datagrams of equal length (the last may be shorter) to one address with a single system
/// call (UDP_SEGMENT). At most 64 parts and 65 000 bytes.
int reactor_send_segments(int fd, const struct reactor_send_part *parts, int count,
                          const struct reactor_address *destination);

/// Sends one datagram.
int reactor_send(int fd, const void *bytes, size_t length, const struct reactor_address *destination);

/// Opens a non-blocking UDP socket bound to `local` (port 0: any) and tells its address; the descriptor or
/// a negative errno. Asks for `buffer_bytes` in both directions and for times of arrival.
int reactor_udp_open(const struct reactor_address *local, int buffer_bytes, struct reactor_address *bound);

/// Asks the kernel to glue runs of equal datagrams together (UDP_GRO), where it can.
void reactor_udp_receive_glued(int fd);

/// Whether the kernel takes UDP_SEGMENT on this socket.
int reactor_udp_supports_segmentation(int fd);

/// Multicast from this IPv4 socket leaves by the interface with address `ipv4` (host order), TTL 255.
int reactor_multicast_interface(int fd, uint32_t ipv4);

/// Opens a non-blocking TCP socket, with TCP_NODELAY, and starts to connect it.
int reactor_tcp_connect(const struct reactor_address *destination);

/// Sends what fits of `length` bytes: how many, or a negative errno. Never raises SIGPIPE.
int64_t reactor_stream_send(int fd, const void *bytes, size_t length);

/// The pending error of a socket (SO_ERROR), 0 or a negative errno.
int reactor_socket_error(int fd);
int reactor_socket_local_address(int fd, struct reactor_address *local);

struct reactor_event {
  uint64_t token;
  uint8_t readable;
  uint8_t writable;
  uint8_t failed;
};

/// Names the calling thread for debuggers and `top`; the kernel keeps 15 characters.
void reactor_thread_set_name(const char *name);

int reactor_epoll_create(void);
/// Watches `fd` under `token`, level-triggered; again for a watched one changes what it waits for.
int reactor_epoll_watch(int epoll, int fd, uint64_t token, int readable, int writable);
int reactor_epoll_unwatch(int epoll, int fd);
/// Waits without limit. Interruptions count as no event.
int reactor_epoll_wait(int epoll, struct reactor_event *events, int capacity);

int reactor_eventfd_create(void);
int reactor_eventfd_signal(int fd);
int reactor_eventfd_clear(int fd);

int reactor_timerfd_create(void);
/// Arms the timer for an absolute time of CLOCK_MONOTONIC in nanoseconds; 0 disarms it.
int reactor_timerfd_set(int fd, int64_t nanoseconds);
int reactor_timerfd_clear(int fd);

/// A netlink socket that hears of changes of links, addresses and routes; negative where there is none.
int reactor_netlink_open(void);
/// Asks the kernel to list what it has of one kind (RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE).
int reactor_netlink_list(int fd, uint16_t kind, uint32_t sequence);
/// Reads one datagram from the kernel: its length, 0 when none waits, -ENOBUFS when some were lost or this one did
/// not fit, or another negative errno. Datagrams of other processes are passed over.
int64_t reactor_netlink_receive(int fd, void *bytes, size_t capacity);

struct reactor_interface_address {
  char name[64];
  uint32_t index;
  struct reactor_address address;
  uint8_t is_up;
  uint8_t is_loopback;
  uint8_t is_point_to_point;
};

/// The machine's addresses; how many there are (which may be more than `capacity`), or a negative errno.
int reactor_interface_addresses(struct reactor_interface_address *addresses, int capacity);

#endif
