// An SCTP echo over UDP datagrams with usrsctp, as WebRTC stacks use it (AF_CONN: no addresses inside SCTP).
//
// peer listen|connect <own UDP port> <other UDP port>
// Every message goes back on its stream, as ordered or unordered as it came. A reset stream is reset back.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <usrsctp.h>

#define SCTP_PORT 5000
#define MAXIMUM_MESSAGE (2 * 1024 * 1024)

static int udp;
static int address_token;

static int output(void *address, void *buffer, size_t length, uint8_t tos, uint8_t set_df) {
  (void)address, (void)tos, (void)set_df;
  send(udp, buffer, length, 0);
  return 0;
}

static void *input(void *unused) {
  (void)unused;
  static char buffer[65536];
  for (;;) {
    ssize_t length = recv(udp, buffer, sizeof buffer, 0);
    if (length > 0) usrsctp_conninput(&address_token, buffer, (size_t)length, 0);
  }
  return NULL;
}

static void enable(struct socket *sock) {
  int size = 4 * 1024 * 1024, on = 1;
  usrsctp_setsockopt(sock, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  usrsctp_setsockopt(sock, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof on);
  usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_RECVRCVINFO, &on, sizeof on);
  struct sctp_assoc_value reset = {SCTP_ALL_ASSOC, SCTP_ENABLE_RESET_STREAM_REQ | SCTP_ENABLE_CHANGE_ASSOC_REQ};
  usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &reset, sizeof reset);
  uint16_t types[] = {SCTP_ASSOC_CHANGE, SCTP_STREAM_RESET_EVENT};
  for (size_t index = 0; index < sizeof types / sizeof *types; index++) {
    struct sctp_event event = {.se_assoc_id = SCTP_ALL_ASSOC, .se_type = types[index], .se_on = 1};
    usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof event);
  }
  struct sctp_initmsg streams = {.sinit_num_ostreams = 1024, .sinit_max_instreams = 1024};
  usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_INITMSG, &streams, sizeof streams);
}

static struct sockaddr_conn name(void) {
  struct sockaddr_conn result = {0};
  result.sconn_family = AF_CONN;
  result.sconn_port = htons(SCTP_PORT);
  result.sconn_addr = &address_token;
  return result;
}

static void notified(struct socket *sock, const union sctp_notification *note) {
  if (note->sn_header.sn_type == SCTP_ASSOC_CHANGE) {
    fprintf(stderr, "association change %u\n", note->sn_assoc_change.sac_state);
    return;
  }
  if (note->sn_header.sn_type != SCTP_STREAM_RESET_EVENT) return;
  const struct sctp_stream_reset_event *event = &note->sn_strreset_event;
  if (!(event->strreset_flags & SCTP_STREAM_RESET_INCOMING_SSN)) return;
  size_t count = (event->strreset_length - sizeof *event) / sizeof(uint16_t);
  size_t size = sizeof(struct sctp_reset_streams) + count * sizeof(uint16_t);
  struct sctp_reset_streams *back = calloc(1, size);
  back->srs_flags = SCTP_STREAM_RESET_OUTGOING;
  back->srs_number_streams = (uint16_t)count;
  memcpy(back->srs_stream_list, event->strreset_stream_list, count * sizeof(uint16_t));
  usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_RESET_STREAMS, back, (socklen_t)size);
  free(back);
}

static void echo(struct socket *sock) {
  static char message[MAXIMUM_MESSAGE];
  size_t used = 0;
  for (;;) {
    struct sctp_rcvinfo info;
    socklen_t info_length = sizeof info, from_length = 0;
    unsigned int info_type = 0;
    int flags = 0;
    ssize_t length = usrsctp_recvv(sock, message + used, sizeof message - used, NULL, &from_length, &info,
                                   &info_length, &info_type, &flags);
    if (length <= 0) return;
    if (flags & MSG_NOTIFICATION) {
      notified(sock, (const union sctp_notification *)(message + used));
      continue;
    }
    used += (size_t)length;
    if (!(flags & MSG_EOR) && used < sizeof message) continue;
    struct sctp_sndinfo out = {.snd_sid = info.rcv_sid, .snd_ppid = info.rcv_ppid};
    if (info.rcv_flags & SCTP_UNORDERED) out.snd_flags |= SCTP_UNORDERED;
    if (usrsctp_sendv(sock, message, used, NULL, 0, &out, sizeof out, SCTP_SENDV_SNDINFO, 0) < 0) perror("send");
    used = 0;
  }
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  udp = socket(AF_INET, SOCK_DGRAM, 0);
  int size = 4 * 1024 * 1024;
  setsockopt(udp, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[2]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(udp, (struct sockaddr *)&address, sizeof address) < 0) return perror("bind"), 1;
  address.sin_port = htons((uint16_t)atoi(arguments[3]));
  if (connect(udp, (struct sockaddr *)&address, sizeof address) < 0) return perror("connect"), 1;

  usrsctp_init(0, output, NULL);
  usrsctp_sysctl_set_sctp_ecn_enable(0);
  usrsctp_sysctl_set_sctp_nrsack_enable(0);
  usrsctp_register_address(&address_token);
  pthread_t thread;
  pthread_create(&thread, NULL, input, NULL);

  struct socket *sock = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
  enable(sock);
  struct sockaddr_conn own = name();
  usrsctp_bind(sock, (struct sockaddr *)&own, sizeof own);
  if (strcmp(arguments[1], "listen") == 0) {
    usrsctp_listen(sock, 1);
    for (;;) {
      struct socket *accepted = usrsctp_accept(sock, NULL, NULL);
      if (accepted == NULL) return 1;
      enable(accepted);
      echo(accepted);
      usrsctp_close(accepted);
    }
  }
  struct sockaddr_conn peer = name();
  if (usrsctp_connect(sock, (struct sockaddr *)&peer, sizeof peer) < 0) return perror("sctp connect"), 1;
  struct sctp_paddrparams path = {0};
  memcpy(&path.spp_address, &peer, sizeof peer);
  path.spp_flags = SPP_PMTUD_DISABLE;
  path.spp_pathmtu = 1200;
  usrsctp_setsockopt(sock, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path);
  echo(sock);
  return 0;
}
