#define _GNU_SOURCE
#include "csockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <netpacket/packet.h>
#endif

static socklen_t to_sockaddr(const struct reactor_address *address, struct sockaddr_storage *storage) {
  memset(storage, 0, sizeof *storage);
  if (address->is_ipv6) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(address->port);
    six->sin6_scope_id = address->scope_id;
    memcpy(&six->sin6_addr, address->ip, 16);
    return sizeof *six;
  }
  struct sockaddr_in *four = (struct sockaddr_in *)storage;
  four->sin_family = AF_INET;
  four->sin_port = htons(address->port);
  memcpy(&four->sin_addr, address->ip, 4);
  return sizeof *four;
}

static void from_sockaddr(const struct sockaddr *storage, struct reactor_address *address) {
  memset(address, 0, sizeof *address);
  if (storage->sa_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)storage;
    address->is_ipv6 = 1;
    address->port = ntohs(six->sin6_port);
    address->scope_id = six->sin6_scope_id;
    memcpy(address->ip, &six->sin6_addr, 16);
  } else if (storage->sa_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)storage;
    address->port = ntohs(four->sin_port);
    memcpy(address->ip, &four->sin_addr, 4);
  }
}

int reactor_multicast_interface(int fd, uint32_t ipv4) {
  struct in_addr address = {htonl(ipv4)};
  if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &address, sizeof address) != 0) return -errno;
  unsigned char hops = 255;
  return setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops) == 0 ? 0 : -errno;
}

void reactor_thread_set_name(const char *name) {
#ifdef __APPLE__
  pthread_setname_np(name);
#else
  char cut[16] = {0};
  strncpy(cut, name, sizeof cut - 1);
  pthread_setname_np(pthread_self(), cut);
#endif
}

int64_t reactor_stream_send(int fd, const void *bytes, size_t length) {
#ifdef MSG_NOSIGNAL
  int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
#else
  int flags = MSG_DONTWAIT;
#endif
  ssize_t sent;
  do {
    sent = send(fd, bytes, length, flags);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int reactor_socket_error(int fd) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return -errno;
  return -error;
}

int reactor_socket_local_address(int fd, struct reactor_address *local) {
  struct sockaddr_storage storage;
  socklen_t length = sizeof storage;
  if (getsockname(fd, (struct sockaddr *)&storage, &length) != 0) return -errno;
  from_sockaddr((const struct sockaddr *)&storage, local);
  return 0;
}

// The list tells of each interface itself too, with its number: asking by name would open a socket an address.
static unsigned interface_index(const struct ifaddrs *list, const char *name) {
#ifdef __linux__
  for (const struct ifaddrs *entry = list; entry; entry = entry->ifa_next)
    if (entry->ifa_addr && entry->ifa_addr->sa_family == AF_PACKET && strcmp(entry->ifa_name, name) == 0)
      return (unsigned)((const struct sockaddr_ll *)entry->ifa_addr)->sll_ifindex;
#endif
  return if_nametoindex(name);
}

int reactor_interface_addresses(struct reactor_interface_address *addresses, int capacity) {
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) return -errno;
  int count = 0;
  for (struct ifaddrs *entry = list; entry; entry = entry->ifa_next) {
    if (!entry->ifa_addr) continue;
    int family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    if (count < capacity) {
      struct reactor_interface_address *out = &addresses[count];
      memset(out, 0, sizeof *out);
      strncpy(out->name, entry->ifa_name, sizeof out->name - 1);
      out->index = interface_index(list, entry->ifa_name);
      from_sockaddr(entry->ifa_addr, &out->address);
      out->is_up = (entry->ifa_flags & IFF_UP) && (entry->ifa_flags & IFF_RUNNING);
      out->is_loopback = (entry->ifa_flags & IFF_LOOPBACK) != 0;
      out->is_point_to_point = (entry->ifa_flags & IFF_POINTOPOINT) != 0;
    }
    count++;
  }
  freeifaddrs(list);
  return count;
}

#ifdef __linux__

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

// Older headers lack them; the numbers are the kernel's.
#ifndef SOL_UDP
#define SOL_UDP 17
#endif
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { slot_bytes = 65536, control_bytes = 128 };

struct reactor_receive_batch {
  int capacity;
  uint8_t *memory;
  struct mmsghdr *headers;
  struct iovec *vectors;
  struct sockaddr_storage *sources;
  uint8_t *controls;
  /// The time of the last read on both clocks: the kernel stamps datagrams with CLOCK_REALTIME.
  int64_t read_at;
  int64_t read_at_realtime;
};

static int64_t nanoseconds(const struct timespec *time) {
  return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static int64_t clock_now(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return nanoseconds(&time);
}

struct reactor_receive_batch *reactor_receive_batch_create(int capacity) {
  if (capacity < 1 || capacity > 1024) return NULL;
  struct reactor_receive_batch *batch = calloc(1, sizeof *batch);
  if (!batch) return NULL;
  batch->capacity = capacity;
  batch->memory = malloc((size_t)capacity * slot_bytes);
  batch->headers = calloc((size_t)capacity, sizeof *batch->headers);
  batch->vectors = calloc((size_t)capacity, sizeof *batch->vectors);
  batch->sources = calloc((size_t)capacity, sizeof *batch->sources);
  batch->controls = calloc((size_t)capacity, control_bytes);
  if (!batch->memory || !batch->headers || !batch->vectors || !batch->sources || !batch->controls) {
    reactor_receive_batch_destroy(batch);
    return NULL;
  }
  return batch;
}

void reactor_receive_batch_destroy(struct reactor_receive_batch *batch) {
  if (!batch) return;
  free(batch->memory);
  free(batch->headers);
  free(batch->vectors);
  free(batch->sources);
  free(batch->controls);
  free(batch);
}

int reactor_receive(struct reactor_receive_batch *batch, int fd) {
  for (int index = 0; index < batch->capacity; index++) {
    batch->vectors[index].iov_base = batch->memory + (size_t)index * slot_bytes;
    batch->vectors[index].iov_len = slot_bytes;
    struct msghdr *header = &batch->headers[index].msg_hdr;
    header->msg_name = &batch->sources[index];
    header->msg_namelen = sizeof batch->sources[index];
    header->msg_iov = &batch->vectors[index];
    header->msg_iovlen = 1;
    header->msg_control = batch->controls + (size_t)index * control_bytes;
    header->msg_controllen = control_bytes;
    header->msg_flags = 0;
  }
  int count;
  do {
    count = recvmmsg(fd, batch->headers, (unsigned)batch->capacity, MSG_DONTWAIT, NULL);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    batch->read_at = clock_now(CLOCK_MONOTONIC);
    batch->read_at_realtime = clock_now(CLOCK_REALTIME);
  }
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
}

struct reactor_received reactor_received_at(const struct reactor_receive_batch *batch, int index) {
  struct reactor_received received = {0};
  if (index < 0 || index >= batch->capacity) return received;
  struct mmsghdr *message = &batch->headers[index];
  received.bytes = batch->vectors[index].iov_base;
  received.length = message->msg_len;
  received.received_at = batch->read_at;
  from_sockaddr((const struct sockaddr *)&batch->sources[index], &received.source);
  for (struct cmsghdr *control = CMSG_FIRSTHDR(&message->msg_hdr); control;
       control = CMSG_NXTHDR(&message->msg_hdr, control)) {
    if (control->cmsg_level == SOL_UDP && control->cmsg_type == UDP_GRO) {
      int size;
      memcpy(&size, CMSG_DATA(control), sizeof size);
      if (size > 0) received.segment_size = (uint32_t)size;
    } else if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SO_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
      int64_t age = batch->read_at_realtime - nanoseconds(&stamp);
      // A step of the wall clock between both would make nonsense of the difference.
      if (age > 0 && age < 1000000000) received.received_at -= age;
    }
  }
  return received;
}

int reactor_send_segments(int fd, const struct reactor_send_part *parts, int count,
                          const struct reactor_address *destination) {
  if (count < 1 || count > 64) return -EINVAL;
  struct iovec vectors[64];
  for (int index = 0; index < count; index++) {
    vectors[index].iov_base = (void *)parts[index].bytes;
    vectors[index].iov_len = parts[index].length;
  }
  struct sockaddr_storage storage;
  union {
    struct cmsghdr header;
    uint8_t bytes[CMSG_SPACE(sizeof(uint16_t))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {0};
  message.msg_name = &storage;
  message.msg_namelen = to_sockaddr(destination, &storage);
  message.msg_iov = vectors;
  message.msg_iovlen = (size_t)count;
  message.msg_control = &control;
  message.msg_controllen = sizeof control.bytes;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_UDP;
  header->cmsg_type = UDP_SEGMENT;
  header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
  uint16_t size = (uint16_t)parts[0].length;
  memcpy(CMSG_DATA(header), &size, sizeof size);
  ssize_t sent;
  do {
    sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

int reactor_send(int fd, const void *bytes, size_t length, const struct reactor_address *destination) {
  struct sockaddr_storage storage;
  socklen_t storage_length = to_sockaddr(destination, &storage);
  ssize_t sent;
  do {
    sent = sendto(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&storage,
                  storage_length);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

void reactor_udp_receive_glued(int fd) {
  int on = 1;
  setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on);
}

int reactor_udp_open(const struct reactor_address *local, int buffer_bytes, struct reactor_address *bound) {
  int family = local->is_ipv6 ? AF_INET6 : AF_INET;
  int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int on = 1;
  if (local->is_ipv6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  struct sockaddr_storage storage;
  socklen_t length = to_sockaddr(local, &storage);
  int result = 0;
  if (bind(fd, (const struct sockaddr *)&storage, length) != 0) result = -errno;
  if (result == 0) result = reactor_socket_local_address(fd, bound);
  if (result != 0) {
    close(fd);
    return result;
  }
  return fd;
}

int reactor_udp_supports_segmentation(int fd) {
  int size = 0;
  socklen_t length = sizeof size;
  return getsockopt(fd, SOL_UDP, UDP_SEGMENT, &size, &length) == 0;
}

int reactor_tcp_connect(const struct reactor_address *destination) {
  int family = destination->is_ipv6 ? AF_INET6 : AF_INET;
  int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct sockaddr_storage storage;
  socklen_t length = to_sockaddr(destination, &storage);
  if (connect(fd, (const struct sockaddr *)&storage, length) != 0 && errno != EINPROGRESS) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

int reactor_epoll_create(void) {
  int fd = epoll_create1(EPOLL_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int reactor_epoll_watch(int epoll, int fd, uint64_t token, int readable, int writable) {
  struct epoll_event event = {0};
  event.events = (readable ? (uint32_t)EPOLLIN : 0) | (writable ? (uint32_t)EPOLLOUT : 0);
  event.data.u64 = token;
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
  if (errno == EEXIST && epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
  return -errno;
}

int reactor_epoll_unwatch(int epoll, int fd) {
  struct epoll_event event = {0};
  return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event) == 0 ? 0 : -errno;
}

int reactor_epoll_wait(int epoll, struct reactor_event *events, int capacity) {
  struct epoll_event raw[64];
  if (capacity > 64) capacity = 64;
  int count = epoll_wait(epoll, raw, capacity, -1);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int index = 0; index < count; index++) {
    events[index].token = raw[index].data.u64;
    events[index].readable = (raw[index].events & EPOLLIN) != 0;
    events[index].writable = (raw[index].events & EPOLLOUT) != 0;
    events[index].failed = (raw[index].events & (EPOLLERR | EPOLLHUP)) != 0;
  }
  return count;
}

int reactor_eventfd_create(void) {
  int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int reactor_eventfd_signal(int fd) {
  uint64_t one = 1;
  return write(fd, &one, sizeof one) == (ssize_t)sizeof one ? 0 : -errno;
}

int reactor_eventfd_clear(int fd) {
  uint64_t value;
  return read(fd, &value, sizeof value) == (ssize_t)sizeof value ? 0 : -errno;
}

int reactor_timerfd_create(void) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int reactor_timerfd_set(int fd, int64_t nanoseconds) {
  struct itimerspec value = {0};
  if (nanoseconds > 0) {
    value.it_value.tv_sec = nanoseconds / 1000000000;
    value.it_value.tv_nsec = nanoseconds % 1000000000;
  }
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &value, NULL) == 0 ? 0 : -errno;
}

int reactor_timerfd_clear(int fd) {
  uint64_t value;
  return read(fd, &value, sizeof value) == (ssize_t)sizeof value ? 0 : -errno;
}

int reactor_netlink_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl address = {0};
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE |
                      RTMGRP_IPV6_ROUTE;
  if (bind(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

int reactor_netlink_list(int fd, uint16_t kind, uint32_t sequence) {
  struct {
    struct nlmsghdr header;
    struct rtgenmsg body;
  } request = {0};
  request.header.nlmsg_len = NLMSG_LENGTH(sizeof request.body);
  request.header.nlmsg_type = kind;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  request.header.nlmsg_seq = sequence;
  request.body.rtgen_family = AF_UNSPEC;
  struct sockaddr_nl kernel = {0};
  kernel.nl_family = AF_NETLINK;
  ssize_t sent = sendto(fd, &request, request.header.nlmsg_len, 0, (const struct sockaddr *)&kernel, sizeof kernel);
  return sent < 0 ? -errno : 0;
}

int64_t reactor_netlink_receive(int fd, void *bytes, size_t capacity) {
  for (;;) {
    struct sockaddr_nl source = {0};
    struct iovec part = {bytes, capacity};
    struct msghdr message = {0};
    message.msg_name = &source;
    message.msg_namelen = sizeof source;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    ssize_t length = recvmsg(fd, &message, MSG_DONTWAIT);
    if (length < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
    }
    if (source.nl_pid != 0) continue;
    if (message.msg_flags & MSG_TRUNC) return -ENOBUFS;
    if (length == 0) continue;
    return length;
  }
}

#endif
