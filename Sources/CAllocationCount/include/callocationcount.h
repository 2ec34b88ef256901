#ifndef REACTOR_CALLOCATIONCOUNT_H
#define REACTOR_CALLOCATIONCOUNT_H

/// Calls of malloc, calloc, realloc and the aligned ones since the start of the program. 0 where the C library
/// does not let a program stand in for them.
unsigned long reactor_allocation_count(void);

#endif
