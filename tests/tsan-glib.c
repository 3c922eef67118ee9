/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ThreadSanitizer has to be told of GLib and GStreamer, loaded before them (LD_PRELOAD).
 *
 * On Linux a GMutex is a futex, not a pthread mutex, and the library that takes it is not
 * instrumented: the sanitizer would see no order between two threads that lock it, and report each
 * use of what it protects. The functions below are GLib's and GStreamer's own, with the order told
 * around them; no report is suppressed by them that a real lock, hand-over or last reference does
 * not explain. */
#include <dlfcn.h>
#include <sched.h>
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

/* Defines the function @name, which does @before, calls the real one with @args, then @after. */
#define WRAP_VOID(name, params, args, before, after)                                               \
  void (name) params                                                                               \
  {                                                                                                \
    static gpointer kept;                                                                          \
    void (*real) params = (void (*) params) find (&kept, #name);                                   \
                                                                                                   \
    before;                                                                                        \
    real args;                                                                                     \
    after;                                                                                         \
  }
#define WRAP(type, name, params, args, before, after)                                              \
  type (name) params                                                                               \
  {                                                                                                \
    static gpointer kept;                                                                          \
    type (*real) params = (type (*) params) find (&kept, #name);                                   \
    type result;                                                                                   \
                                                                                                   \
    before;                                                                                        \
    result = real args;                                                                            \
    after;                                                                                         \
    return result;                                                                                 \
  }
#define NOTHING (void) 0

/* ---- locks ---- */

/* The first use of a lock that nobody initialised allocates what it is made of (@made), and others
 * see that through an atomic pointer inside GLib. Here one thread makes it, takes the lock and
 * gives it back, which tells its order; the others wait for that. The flag tells no order. */
static void
make_lock (gpointer *made, gpointer lock, gboolean (*try_take) (gpointer), void (*give) (gpointer))
{
  static gint making;

  if (__atomic_load_n (made, __ATOMIC_RELAXED) == NULL) {
    while (__atomic_exchange_n (&making, 1, __ATOMIC_RELAXED) != 0)
      sched_yield ();
    if (__atomic_load_n (made, __ATOMIC_RELAXED) == NULL && try_take (lock))
      give (lock);
    __atomic_store_n (&making, 0, __ATOMIC_RELAXED);
  }
  while (__atomic_load_n (&making, __ATOMIC_RELAXED) != 0)
    sched_yield ();
}

#define MAKE(try_take, give)                                                                       \
  make_lock (&lock->p, lock, (gboolean (*) (gpointer)) try_take, (void (*) (gpointer)) give)

/* @type's functions that take, try and give back; @make: does what the first use needs. */
#define LOCK(type, take, try_take, give, make)                                                     \
  WRAP_VOID (take, (type * lock), (lock), make; __tsan_acquire (lock), __tsan_acquire (lock))      \
  WRAP (gboolean, try_take, (type * lock), (lock), NOTHING,                                        \
      result ? __tsan_acquire (lock) : NOTHING)                                                    \
  WRAP_VOID (give, (type * lock), (lock), __tsan_release (lock), NOTHING)

LOCK (GMutex, g_mutex_lock, g_mutex_trylock, g_mutex_unlock, NOTHING)
LOCK (GRecMutex, g_rec_mutex_lock, g_rec_mutex_trylock, g_rec_mutex_unlock,
    MAKE (g_rec_mutex_trylock, g_rec_mutex_unlock))
LOCK (GRWLock, g_rw_lock_writer_lock, g_rw_lock_writer_trylock, g_rw_lock_writer_unlock,
    MAKE (g_rw_lock_writer_trylock, g_rw_lock_writer_unlock))
LOCK (GRWLock, g_rw_lock_reader_lock, g_rw_lock_reader_trylock, g_rw_lock_reader_unlock,
    MAKE (g_rw_lock_reader_trylock, g_rw_lock_reader_unlock))

WRAP_VOID (g_rec_mutex_init, (GRecMutex * lock), (lock), NOTHING, __tsan_release (lock))
WRAP_VOID (g_cond_wait, (GCond * cond, GMutex *mutex), (cond, mutex), __tsan_release (mutex),
    __tsan_acquire (mutex))
WRAP (gboolean, g_cond_wait_until, (GCond * cond, GMutex *mutex, gint64 end_time),
    (cond, mutex, end_time), __tsan_release (mutex), __tsan_acquire (mutex))

/* ---- once: inline code of GLib calls these the first time ---- */

WRAP (gboolean, g_once_init_enter, (volatile void *location), (location), NOTHING,
    __tsan_acquire ((void *) location))
WRAP_VOID (g_once_init_leave, (volatile void *location, gsize once), (location, once),
    __tsan_release ((void *) location), NOTHING)

/* ---- interned strings: a table with a lock inside GLib ---- */

static GMutex quarks;

#define INTERN(type, name)                                                                         \
  WRAP (type, name, (const gchar *string), (string), g_mutex_lock (&quarks),                       \
      g_mutex_unlock (&quarks))

INTERN (const gchar *, g_intern_string)
INTERN (const gchar *, g_intern_static_string)
INTERN (GQuark, g_quark_from_string)
INTERN (GQuark, g_quark_from_static_string)
INTERN (GQuark, g_quark_try_string)

/* ---- references: whoever drops the last one sees what all others did before they dropped theirs
 * ---- */

static void
drop_reference (gpointer address)
{
  __tsan_release (address);
  __tsan_acquire (address);
}

WRAP_VOID (g_object_unref, (gpointer object), (object), drop_reference (object), NOTHING)
WRAP_VOID (gst_object_unref, (gpointer object), (object), drop_reference (object), NOTHING)
WRAP_VOID (g_bytes_unref, (GBytes * bytes), (bytes), drop_reference (bytes), NOTHING)
/* Pools also look whether they hold the only reference, so the order is told where its number lies,
 * too. */
WRAP_VOID (gst_mini_object_unref, (GstMiniObject * object), (object), drop_reference (object);
           drop_reference (&object->refcount), NOTHING)

/* Whoever drops the last reference to a box sees what all others did, also the one that came
 * between its own order and its drop. */
static _Thread_local GDestroyNotify clear_box;

static void
clear_acquired (gpointer box)
{
  __tsan_acquire (box);
  clear_box (box);
}

WRAP_VOID (g_atomic_rc_box_release_full, (gpointer box, GDestroyNotify clear),
           (box, clear != NULL ? clear_acquired : NULL), drop_reference (box);
           clear_box = clear, NOTHING)
WRAP_VOID (g_atomic_rc_box_release, (gpointer box), (box), drop_reference (box), NOTHING)

WRAP (gboolean, g_atomic_ref_count_dec, (gatomicrefcount * count), (count), __tsan_release (count),
    result ? __tsan_acquire (count) : NOTHING)

/* The last reference may be dropped inside a library, whose own calls do not come by here. */
WRAP_VOID (g_free, (gpointer memory), (memory), memory != NULL ? __tsan_acquire (memory) : NOTHING,
    NOTHING)
WRAP_VOID (g_slice_free1, (gsize size_bytes, gpointer memory), (size_bytes, memory),
    memory != NULL ? __tsan_acquire (memory) : NOTHING, NOTHING)

/* ---- memories: mapping one takes its lock inside GStreamer, and a writer gets it alone ---- */

WRAP (gboolean, gst_buffer_map, (GstBuffer * buffer, GstMapInfo *info, GstMapFlags flags),
    (buffer, info, flags), NOTHING, result ? __tsan_acquire (info->memory) : NOTHING)
WRAP (gboolean, gst_buffer_map_range,
    (GstBuffer * buffer, guint first, gint length, GstMapInfo *info, GstMapFlags flags),
    (buffer, first, length, info, flags), NOTHING, result ? __tsan_acquire (info->memory) : NOTHING)
WRAP_VOID (gst_buffer_unmap, (GstBuffer * buffer, GstMapInfo *info), (buffer, info),
    __tsan_release (info->memory), NOTHING)

/* ---- hand-overs whose locks lie inside GLib ---- */

WRAP_VOID (g_async_queue_push, (GAsyncQueue * queue, gpointer data), (queue, data),
    __tsan_release (queue), NOTHING)
WRAP (gpointer, g_async_queue_pop, (GAsyncQueue * queue), (queue), NOTHING, __tsan_acquire (queue))
WRAP (gpointer, g_async_queue_try_pop, (GAsyncQueue * queue), (queue), NOTHING,
    __tsan_acquire (queue))
/* GstHarness waits with this for what comes out of a queue. */
WRAP (gpointer, g_async_queue_timeout_pop, (GAsyncQueue * queue, guint64 microseconds),
    (queue, microseconds), NOTHING, __tsan_acquire (queue))

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

static Pool *
pool_new (GFunc func, gpointer user_data)
{
  Pool *pool = g_new (Pool, 1);

  *pool = (Pool){ func, user_data };
  return pool;
}

WRAP (GThreadPool *, g_thread_pool_new,
    (GFunc func, gpointer user_data, gint max_threads, gboolean exclusive, GError **error),
    (run_in_pool, pool_new (func, user_data), max_threads, exclusive, error), NOTHING, NOTHING)

/* The pool is GLib's, and its field as old as it. */
__attribute__ ((no_sanitize_thread))
WRAP (gboolean, g_thread_pool_push, (GThreadPool * pool, gpointer data, GError **error),
    (pool, data, error), __tsan_release (pool->user_data), NOTHING)

    /* What a source of a main context calls when it is idle or a time has passed: the thread that
 * attaches it hands @data over to the thread that runs the context. */
    typedef struct {
  GSourceFunc func;
  gpointer data;
  GDestroyNotify notify;
} Callback;

static gboolean
run_callback (gpointer data)
{
  Callback *callback = data;

  __tsan_acquire (callback);
  return callback->func (callback->data);
}

static void
free_callback (gpointer data)
{
  Callback *callback = data;

  if (callback->notify != NULL)
    callback->notify (callback->data);
  g_free (callback);
}

static Callback *
callback_new (GSourceFunc func, gpointer data, GDestroyNotify notify)
{
  Callback *callback = g_new (Callback, 1);

  *callback = (Callback){ func, data, notify };
  __tsan_release (callback);
  return callback;
}

/* Other sources call functions of other types. */
static gboolean
is_plain (GSource *source)
{
  return source->source_funcs == &g_idle_funcs || source->source_funcs == &g_timeout_funcs;
}

WRAP_VOID (g_source_set_callback,
    (GSource * source, GSourceFunc func, gpointer data, GDestroyNotify notify),
    (source, is_plain (source) ? run_callback : func,
        is_plain (source) ? callback_new (func, data, notify) : data,
        is_plain (source) ? free_callback : notify),
    NOTHING, NOTHING)
