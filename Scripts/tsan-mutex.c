// ThreadSanitizer does not see Swift's Mutex where two threads meet: the slow paths of locking and unlocking are in
// libswiftSynchronization, which is not instrumented. Preloaded, this tells it (Scripts/sanitize).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context))

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, SELF void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(SELF void *mutex);

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static void *original(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF void *mutex) {
  ((lock_function *)original(LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(SELF void *mutex) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock_slow(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((unlock_function *)original(UNLOCK))(mutex);
}
