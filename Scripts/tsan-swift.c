// What ThreadSanitizer does not see of Swift, because it happens in the standard library, which is not instrumented.
// Preloaded, this tells it (Scripts/sanitize):
// - where two threads meet in a Mutex: the slow paths of locking and unlocking;
// - that who lets go of an object has finished with it before another finds itself its only owner, and changes it in place.
//   Reference counts are atomic, but only their results are seen. Without this, an array that is handed out of a lock and
//   dropped looks as if it were read while its owner's next append changes it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context))
// The compiler may count on these functions to leave its registers alone; the library's own are called as any others.
#define QUIET __attribute__((preserve_most))

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, SELF void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(SELF void *mutex);
typedef void release_function(void *object);
typedef void release_n_function(void *object, uint32_t count);
typedef bool unique_function(const void *object);

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static lock_function *lock;
static unlock_function *unlock;
static release_function *release, *bridge_release;
static release_n_function *release_n, *bridge_release_n;
static unique_function *is_unique;

// A program without Swift, which inherits the preload, has none of them and calls none.
__attribute__((constructor)) static void find(void) {
  if (is_unique) return;
  lock = dlsym(RTLD_NEXT, LOCK);
  unlock = dlsym(RTLD_NEXT, UNLOCK);
  release = dlsym(RTLD_NEXT, "swift_release");
  release_n = dlsym(RTLD_NEXT, "swift_release_n");
  bridge_release = dlsym(RTLD_NEXT, "swift_bridgeObjectRelease");
  bridge_release_n = dlsym(RTLD_NEXT, "swift_bridgeObjectRelease_n");
  is_unique = dlsym(RTLD_NEXT, "swift_isUniquelyReferenced_nonNull_native");
}

// A bridge object has marks in its lowest and highest bits; one with the highest set is no pointer.
static void let_go(void *object) {
  if (!is_unique) find();
  uintptr_t address = (uintptr_t)object;
  if (address >> 63) return;
  address &= 0x00FFFFFFFFFFFFF8;
  if (address && __tsan_release) __tsan_release((void *)address);
}

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF void *mutex) {
  lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(SELF void *mutex) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock_slow(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  unlock(mutex);
}

QUIET void swift_release(void *object) {
  let_go(object);
  release(object);
}

QUIET void swift_release_n(void *object, uint32_t count) {
  let_go(object);
  release_n(object, count);
}

QUIET void swift_bridgeObjectRelease(void *object) {
  let_go(object);
  bridge_release(object);
}

QUIET void swift_bridgeObjectRelease_n(void *object, uint32_t count) {
  let_go(object);
  bridge_release_n(object, count);
}

QUIET bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  if (!is_unique) find();
  bool result = is_unique(object);
  if (result && __tsan_acquire) __tsan_acquire((void *)object);
  return result;
}
