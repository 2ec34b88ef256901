#include "cbenchmarkloops.h"

#if __has_include(<usrsctp.h>)
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <usrsctp.h>

enum { port = 5000, packet_limit = 2048, ring_limit = 4096, buffer_bytes = 5 * 1024 * 1024, batch = 32 };

struct packet {
  size_t length;
  unsigned char bytes[packet_limit];
};

/// What one end has sent and the other has not been given yet. usrsctp holds locks while it sends, so packets
/// cannot be handed over at once.
struct ring {
  struct packet *packets;
  size_t first, count;
};

static struct ring from_a, from_b;
/// usrsctp knows an AF_CONN path by a pointer alone.
static char address_a, address_b;

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int output(void *address, void *bytes, size_t length, uint8_t tos, uint8_t set_df) {
  (void)tos, (void)set_df;
  struct ring *ring = address == &address_a ? &from_a : &from_b;
  if (length > packet_limit || ring->count == ring_limit) return ENOBUFS;
  struct packet *packet = &ring->packets[(ring->first + ring->count++) % ring_limit];
  packet->length = length;
  memcpy(packet->bytes, bytes, length);
  return 0;
}

static size_t carry(struct ring *ring, void *address, size_t limit) {
  size_t carried = 0;
  for (; ring->count > 0 && carried < limit; carried++) {
    struct packet *packet = &ring->packets[ring->first];
    ring->first = (ring->first + 1) % ring_limit;
    ring->count--;
    usrsctp_conninput(address, packet->bytes, packet->length, 0);
  }
  return carried;
}

static int prepare(void) {
  static int is_ready = 0;
  if (is_ready) return 0;
  from_a.packets = calloc(ring_limit, sizeof *from_a.packets);
  from_b.packets = calloc(ring_limit, sizeof *from_b.packets);
  if (from_a.packets == NULL || from_b.packets == NULL) return -1;
  usrsctp_init_nothreads(0, output, NULL);
  // As over DTLS, which checks integrity itself (RFC 9653).
  usrsctp_enable_crc32c_offload();
  usrsctp_sysctl_set_sctp_ecn_enable(0);
  usrsctp_sysctl_set_sctp_initial_cwnd(10);
  usrsctp_register_address(&address_a);
  usrsctp_register_address(&address_b);
  is_ready = 1;
  return 0;
}

static struct sockaddr_conn name(void *address) {
  struct sockaddr_conn result = {0};
  result.sconn_family = AF_CONN;
  result.sconn_port = htons(port);
  result.sconn_addr = address;
  return result;
}

static struct socket *open_end(void *address) {
  struct socket *end = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
  if (end == NULL) return NULL;
  int size = buffer_bytes, on = 1;
  usrsctp_set_non_blocking(end, 1);
  usrsctp_setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  usrsctp_setsockopt(end, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  usrsctp_setsockopt(end, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof on);
  // Closing aborts: the next run begins with nothing left over.
  struct linger linger = {.l_onoff = 1, .l_linger = 0};
  usrsctp_setsockopt(end, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  struct sockaddr_conn own = name(address);
  if (usrsctp_bind(end, (struct sockaddr *)&own, sizeof own) == 0) return end;
  usrsctp_close(end);
  return NULL;
}

static void turn(double *last_timer) {
  double time = now(CLOCK_MONOTONIC);
  if (time - *last_timer >= 0.001) {
    usrsctp_handle_timers((uint32_t)((time - *last_timer) * 1000));
    *last_timer = time;
  }
}

static struct socket *connect_ends(struct socket *a, struct socket *listener, size_t mtu, double *last_timer) {
  struct sockaddr_conn peer = name(&address_a);
  if (usrsctp_listen(listener, 1) != 0) return NULL;
  if (usrsctp_connect(a, (struct sockaddr *)&peer, sizeof peer) != 0 && errno != EINPROGRESS) return NULL;
  struct socket *b = NULL;
  for (int round = 0; round < 1000 && b == NULL; round++) {
    carry(&from_a, &address_b, batch);
    carry(&from_b, &address_a, batch);
    turn(last_timer);
    b = usrsctp_accept(listener, NULL, NULL);
  }
  if (b == NULL) return NULL;
  usrsctp_set_non_blocking(b, 1);
  struct sctp_paddrparams path = {0};
  memcpy(&path.spp_address, &peer, sizeof peer);
  path.spp_flags = SPP_PMTUD_DISABLE;
  path.spp_pathmtu = (uint32_t)mtu;
  usrsctp_setsockopt(a, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path);
  return b;
}

static uint64_t receive(struct socket *b, char *buffer) {
  uint64_t bytes = 0;
  for (;;) {
    struct sctp_rcvinfo info;
    socklen_t from_length = 0, info_length = sizeof info;
    unsigned int info_type = 0;
    int flags = 0;
    ssize_t length =
        usrsctp_recvv(b, buffer, buffer_bytes, NULL, &from_length, &info, &info_length, &info_type, &flags);
    if (length <= 0) return bytes;
    if (!(flags & MSG_NOTIFICATION)) bytes += (uint64_t)length;
  }
}

static void transfer(struct socket *a, struct socket *b, size_t message_bytes, double seconds, char *message,
                     char *received, double *last_timer, struct reactor_usrsctp_result *result) {
  struct sctp_sndinfo info = {.snd_sid = 0, .snd_ppid = htonl(53)};
  double start = now(CLOCK_THREAD_CPUTIME_ID);
  do {
    while (usrsctp_sendv(a, message, message_bytes, NULL, 0, &info, sizeof info, SCTP_SENDV_SNDINFO, 0) > 0) {
    }
    result->packets += carry(&from_a, &address_b, batch);
    result->packets += carry(&from_b, &address_a, batch);
    result->bytes += receive(b, received);
    turn(last_timer);
    result->seconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
  } while (result->seconds < seconds);
}

int reactor_usrsctp_run(size_t message_bytes, size_t mtu, double seconds, struct reactor_usrsctp_result *result) {
  memset(result, 0, sizeof *result);
  if (prepare() != 0) return -1;
  double last_timer = now(CLOCK_MONOTONIC);
  from_a.count = from_b.count = 0;
  struct socket *a = open_end(&address_a), *listener = open_end(&address_b), *b = NULL;
  char *message = calloc(1, message_bytes), *received = malloc(buffer_bytes);
  if (a != NULL && listener != NULL) b = connect_ends(a, listener, mtu, &last_timer);
  if (b != NULL && message != NULL && received != NULL) {
    transfer(a, b, message_bytes, seconds, message, received, &last_timer, result);
  }
  free(message);
  free(received);
  if (a != NULL) usrsctp_close(a);
  if (b != NULL) usrsctp_close(b);
  if (listener != NULL) usrsctp_close(listener);
  carry(&from_a, &address_b, ring_limit);
  carry(&from_b, &address_a, ring_limit);
  return result->bytes > 0 ? 0 : -1;
}

#else

int reactor_usrsctp_run(size_t message_bytes, size_t mtu, double seconds, struct reactor_usrsctp_result *result) {
  (void)message_bytes, (void)mtu, (void)seconds, (void)result;
  return -1;
}

#endif
