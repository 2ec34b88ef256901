#include "cbenchmarkloops.h"

#ifdef __linux__
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef SOL_UDP
#define SOL_UDP 17
#endif
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { batch = 64, slots = 32, slot_bytes = 65536 };

struct loop {
  int sender, receiver;
  size_t bytes;
  unsigned char *outgoing, *incoming;
  struct mmsghdr sends[batch], receives[slots];
  struct iovec parts[batch], vectors[slots];
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int open_socket(struct sockaddr_in *address, int with_offload) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), size = 1 << 20, on = 1;
  socklen_t length = sizeof *address;
  if (fd < 0) return -1;
  memset(address, 0, sizeof *address);
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  if (with_offload) setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)address, length) == 0 &&
      getsockname(fd, (struct sockaddr *)address, &length) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}

/// 44 datagrams of 1 200 bytes are what one call may carry.
static uint64_t send_segments(struct loop *loop) {
  uint64_t sent = 0;
  size_t limit = 65000 / loop->bytes;
  for (size_t first = 0; first < batch; first += limit) {
    size_t count = batch - first < limit ? batch - first : limit;
    union {
      struct cmsghdr header;
      unsigned char bytes[CMSG_SPACE(sizeof(uint16_t))];
    } control = {0};
    struct msghdr message = {.msg_iov = loop->parts + first, .msg_iovlen = count};
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
    control.header.cmsg_level = SOL_UDP;
    control.header.cmsg_type = UDP_SEGMENT;
    control.header.cmsg_len = CMSG_LEN(sizeof(uint16_t));
    uint16_t size = (uint16_t)loop->bytes;
    memcpy(CMSG_DATA(&control.header), &size, sizeof size);
    if (sendmsg(loop->sender, &message, MSG_NOSIGNAL) > 0) sent += count;
  }
  return sent;
}

static uint64_t receive_all(struct loop *loop) {
  uint64_t received = 0;
  for (;;) {
    int count = recvmmsg(loop->receiver, loop->receives, slots, 0, NULL);
    if (count <= 0) return received;
    for (int index = 0; index < count; index++) received += loop->receives[index].msg_len / loop->bytes;
  }
}

static void prepare(struct loop *loop) {
  for (int index = 0; index < batch; index++) {
    loop->parts[index] = (struct iovec){loop->outgoing + (size_t)index * loop->bytes, loop->bytes};
    loop->sends[index].msg_hdr = (struct msghdr){.msg_iov = &loop->parts[index], .msg_iovlen = 1};
  }
  for (int index = 0; index < slots; index++) {
    loop->vectors[index] = (struct iovec){loop->incoming + (size_t)index * slot_bytes, slot_bytes};
    loop->receives[index].msg_hdr = (struct msghdr){.msg_iov = &loop->vectors[index], .msg_iovlen = 1};
  }
}

int reactor_udp_run(int with_offload, size_t bytes, double seconds, struct reactor_udp_result *result) {
  memset(result, 0, sizeof *result);
  if (bytes == 0 || bytes > 1500) return -EINVAL;
  struct loop *loop = calloc(1, sizeof *loop);
  struct sockaddr_in from, to;
  int status = -ENOMEM;
  if (loop == NULL) return status;
  loop->bytes = bytes;
  loop->outgoing = calloc(batch, bytes);
  loop->incoming = calloc(slots, slot_bytes);
  loop->sender = open_socket(&from, 0);
  loop->receiver = open_socket(&to, with_offload);
  if (loop->outgoing != NULL && loop->incoming != NULL && loop->sender >= 0 && loop->receiver >= 0 &&
      connect(loop->sender, (struct sockaddr *)&to, sizeof to) == 0) {
    prepare(loop);
    while (result->send_seconds + result->receive_seconds < seconds) {
      double start = now();
      if (with_offload) {
        result->sent += send_segments(loop);
      } else {
        int sent = sendmmsg(loop->sender, loop->sends, batch, MSG_NOSIGNAL);
        if (sent > 0) result->sent += (uint64_t)sent;
      }
      double middle = now();
      result->received += receive_all(loop);
      result->send_seconds += middle - start;
      result->receive_seconds += now() - middle;
    }
    status = 0;
  }
  if (loop->sender >= 0) close(loop->sender);
  if (loop->receiver >= 0) close(loop->receiver);
  free(loop->outgoing);
  free(loop->incoming);
  free(loop);
  return status;
}

#else

int reactor_udp_run(int with_offload, size_t bytes, double seconds, struct reactor_udp_result *result) {
  (void)with_offload, (void)bytes, (void)seconds, (void)result;
  return -1;
}

#endif
