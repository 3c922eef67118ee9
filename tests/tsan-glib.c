/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ThreadSanitizer has to be told of GLib and GStreamer, loaded before them (LD_PRELOAD).
 *
 * On Linux a GMutex is a futex, not a pthread mutex, and the library that takes it is not
 * instrumented: the sanitizer would see no order between two threads that lock it, and report each
 * use of what it protects. The functions below are GLib's and GStreamer's own, with the order told
 * around them; no report is suppressed by them that a real lock, hand-over or last reference does
 * not explain. */
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <gst/gst.h>

static gpointer
find (gpointer *kept, const gchar *name)
{
  gpointer function = __atomic_load_n (kept, __ATOMIC_RELAXED);

  if (function == NULL)
    __atomic_store_n (kept, function = dlsym (RTLD_NEXT, name), __ATOMIC_RELAXED);
  return function;
}

/* Returns the wrapped function of this name. */
#define REAL(name)                                                                                 \
  static gpointer kept;                                                                            \
  __typeof__ (name) *real = (__typeof__ (name) *) find (&kept, #name)

/* ---- locks ---- */

/* @type's functions that take, try and give back. What a lock itself is made of is older than its
 * last use, hence the order before it, too. */
#define LOCK(type, take, try_take, give)                                                           \
  void take (type *lock)                                                                           \
  {                                                                                                \
    REAL (take);                                                                                   \
    __tsan_acquire (lock);                                                                         \
    real (lock);                                                                                   \
    __tsan_acquire (lock);                                                                         \
  }                                                                                                \
  gboolean try_take (type *lock)                                                                   \
  {                                                                                                \
    gboolean taken;                                                                                \
    REAL (try_take);                                                                               \
    taken = real (lock);                                                                           \
    if (taken)                                                                                     \
      __tsan_acquire (lock);                                                                       \
    return taken;                                                                                  \
  }                                                                                                \
  void give (type *lock)                                                                           \
  {                                                                                                \
    REAL (give);                                                                                   \
    __tsan_release (lock);                                                                         \
    real (lock);                                                                                   \
  }

LOCK (GMutex, g_mutex_lock, g_mutex_trylock, g_mutex_unlock)
LOCK (GRecMutex, g_rec_mutex_lock, g_rec_mutex_trylock, g_rec_mutex_unlock)
LOCK (GRWLock, g_rw_lock_writer_lock, g_rw_lock_writer_trylock, g_rw_lock_writer_unlock)
LOCK (GRWLock, g_rw_lock_reader_lock, g_rw_lock_reader_trylock, g_rw_lock_reader_unlock)

void
g_rec_mutex_init (GRecMutex *lock)
{
  REAL (g_rec_mutex_init);
  real (lock);
  __tsan_release (lock);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  REAL (g_cond_wait);
  __tsan_release (mutex);
  real (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;

  REAL (g_cond_wait_until);
  __tsan_release (mutex);
  signalled = real (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return signalled;
}

/* ---- once: inline code of GLib calls these the first time ---- */

gboolean (g_once_init_enter) (volatile void *location)
{
  static gpointer kept;
  gboolean (*real) (volatile void *) =
      (gboolean (*) (volatile void *)) find (&kept, "g_once_init_enter");
  gboolean first = real (location);

  __tsan_acquire ((void *) location);
  return first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  static gpointer kept;
  void (*real) (volatile void *, gsize) =
      (void (*) (volatile void *, gsize)) find (&kept, "g_once_init_leave");

  __tsan_release ((void *) location);
  real (location, result);
}

/* ---- interned strings: a table with a lock inside GLib ---- */

static GMutex quarks;

#define INTERN(type, name)                                                                         \
  type (name) (const gchar *string)                                                                \
  {                                                                                                \
    static gpointer kept;                                                                          \
    type (*real) (const gchar *) = (type (*) (const gchar *)) find (&kept, #name);                 \
    type quark;                                                                                    \
                                                                                                   \
    g_mutex_lock (&quarks);                                                                        \
    quark = real (string);                                                                         \
    g_mutex_unlock (&quarks);                                                                      \
    return quark;                                                                                  \
  }

INTERN (const gchar *, g_intern_string)
INTERN (const gchar *, g_intern_static_string)
INTERN (GQuark, g_quark_from_string)
INTERN (GQuark, g_quark_from_static_string)
INTERN (GQuark, g_quark_try_string)

/* ---- references: whoever drops the last one sees what all others did before they dropped theirs
 * ---- */

#define UNREF(type, unref)                                                                         \
  void unref (type object)                                                                         \
  {                                                                                                \
    gpointer address = (gpointer) object;                                                          \
    REAL (unref);                                                                                  \
    __tsan_release (address);                                                                      \
    __tsan_acquire (address);                                                                      \
    real (object);                                                                                 \
  }

#undef g_object_unref
#undef gst_mini_object_unref
UNREF (gpointer, g_object_unref)
UNREF (gpointer, gst_object_unref)
UNREF (GBytes *, g_bytes_unref)
/* Pools also look whether they hold the only reference, so the order is told where its number lies,
 * too. */
void
gst_mini_object_unref (GstMiniObject *object)
{
  gpointer addresses[] = { object, &object->refcount };
  REAL (gst_mini_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++) {
    __tsan_release (addresses[i]);
    __tsan_acquire (addresses[i]);
  }
  real (object);
}

/* The last reference may be dropped inside a library, whose own calls do not come by here. */
void
g_free (gpointer memory)
{
  REAL (g_free);
  if (memory != NULL)
    __tsan_acquire (memory);
  real (memory);
}

void (g_slice_free1) (gsize size_bytes, gpointer memory)
{
  static gpointer kept;
  void (*real) (gsize, gpointer) = (void (*) (gsize, gpointer)) find (&kept, "g_slice_free1");

  if (memory != NULL)
    __tsan_acquire (memory);
  real (size_bytes, memory);
}

/* ---- hand-overs whose locks lie inside GLib ---- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  REAL (g_async_queue_push);
  __tsan_release (queue);
  real (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer data;

  REAL (g_async_queue_pop);
  data = real (queue);
  __tsan_acquire (queue);
  return data;
}

/* What a pool was created with; as long as the process, as nearly all pools are. */
typedef struct {
  GFunc func;
  gpointer user_data;
} Pool;

static void
run_in_pool (gpointer data, gpointer user_data)
{
  Pool *pool = user_data;

  __tsan_acquire (pool);
  pool->func (data, pool->user_data);
}

GThreadPool *
g_thread_pool_new (
    GFunc func, gpointer user_data, gint max_threads, gboolean exclusive, GError **error)
{
  Pool *pool = g_new (Pool, 1);
  REAL (g_thread_pool_new);

  pool->func = func;
  pool->user_data = user_data;
  return real (run_in_pool, pool, max_threads, exclusive, error);
}

/* The pool is GLib's, and its field as old as it. */
__attribute__ ((no_sanitize_thread)) gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  REAL (g_thread_pool_push);
  __tsan_release (pool->user_data);
  return real (pool, data, error);
}
