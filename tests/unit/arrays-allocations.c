/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans own their scratch memory: after the first calls, no call of any array algorithm allocates
 * memory. Tested on the cpu device, where no driver allocates either. */
#include <stddef.h>

#include <gst/gles/gles.h>

#include "../gles-test.h"
#include "../twin/arrays-table.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAN_COUNT 1
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef CAN_COUNT
#endif
#endif
#endif

static gint counting, n_allocations;

#ifdef CAN_COUNT
/* in place of the C library's own, for all libraries of the process */
extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
extern void *__libc_memalign (size_t, size_t);

#pragma GCC visibility push(default)

void *
malloc (size_t size)
{
  n_allocations += counting;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations += counting;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations += counting;
  return __libc_realloc (memory, size);
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  n_allocations += counting;
  *memory = __libc_memalign (alignment, size);
  return *memory != NULL ? 0 : 12;
}

#pragma GCC visibility pop
#endif

static void
test_algorithm (gconstpointer data)
{
  static const guint sizes[] = { 150000, 700, 200000, 0, 65537 };
  const ArraysAlgorithm *algorithm = data;
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  gpointer plan = arrays_plan_new (algorithm, queue, 200000);
  ArraysSet *set = arrays_set_new (algorithm, queue, 200000, 0, 4);
  GError *error = NULL;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    guint n = sizes[i % G_N_ELEMENTS (sizes)];
    for (guint k = 0; k < 2; k++)
      arrays_set_run (set, plan, n, i % 2 == 1);
    n_allocations = 0;
    counting = 1;
    for (guint k = 0; k < 3; k++)
      algorithm->run (plan, &set->call, &error);
    counting = 0;
    g_assert_no_error (error);
    if (n_allocations != 0)
      g_error (
          "%s: three calls over %u values allocate %d times", algorithm->name, n, n_allocations);
  }
  arrays_set_free (set);
  algorithm->plan_free (plan);
}

/* Checks that the tests above can detect an allocation. */
static void
test_counting (void)
{
  n_allocations = 0;
  counting = 1;
  g_free (g_strdup ("text"));
  counting = 0;
  g_assert_cmpint (n_allocations, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
#ifndef CAN_COUNT
  g_printerr ("allocations cannot be counted with this C library, or with a sanitizer: skipped\n");
  return GLES_TEST_SKIP;
#endif
  g_test_add_func ("/allocations/counting", test_counting);
  for (guint i = 0; i < arrays_table_size; i++) {
    g_autofree gchar *path = g_strconcat ("/allocations/", arrays_table[i].name, NULL);
    g_test_add_data_func (path, &arrays_table[i], test_algorithm);
  }
  return g_test_run ();
}
