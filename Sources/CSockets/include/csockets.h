#ifndef REACTOR_CSOCKETS_H
#define REACTOR_CSOCKETS_H

// What Swift's Glibc module leaves out (sendmmsg, recvmmsg, epoll, eventfd, timerfd, netlink, UDP_SEGMENT,
// UDP_GRO, CMSG_* macros) is declared here.

#endif
