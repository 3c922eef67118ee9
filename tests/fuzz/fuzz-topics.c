/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Topics of glespublish: a line with a pattern, and lines with the values of its names. Whatever
 * these say, a value stays in its level, and the broker takes the topic. */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "publish/topic.h"

#if HAVE_MOSQUITTO
#include <mosquitto.h>
#endif

/* Returns the value of any name: (transfer full); NULL behind the end of the input. */
static gchar *
look_up (const gchar *name, gpointer user_data)
{
  FuzzInput *input = user_data;

  return input->size > 0 ? fuzz_take_line (input) : NULL;
}

/* Returns the number of slashes in @text that are not in braces. */
static guint
count_slashes (const gchar *text)
{
  guint n = 0;

  for (; *text != '\0'; text++) {
    if (*text == '{')
      text = strchr (text, '}');
    n += *text == '/';
  }
  return n;
}

static void
check_topic (const gchar *topic, guint n_slashes)
{
  guint n = 0;

  fuzz_assert (topic[0] != '\0' && g_utf8_validate (topic, -1, NULL));
  fuzz_assert (strpbrk (topic, "#+") == NULL);
  for (const gchar *at = topic; *at != '\0'; at++)
    n += *at == '/';
  fuzz_assert (n == n_slashes);
#if HAVE_MOSQUITTO
  if (strlen (topic) > 65535)
    return;
  fuzz_assert (mosquitto_pub_topic_check (topic) == MOSQ_ERR_SUCCESS);
  fuzz_assert (mosquitto_validate_utf8 (topic, (int) strlen (topic)) == MOSQ_ERR_SUCCESS);
#endif
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gchar *const names[] = { "event", "tags.", NULL };
  FuzzInput input = { data, size };
  g_autofree gchar *pattern = fuzz_take_line (&input), *topic = NULL;
  g_autoptr (GError) of_any = NULL, of_some = NULL;
  const gboolean is_pattern = publisher_check_topic (pattern, NULL, &of_any);

  fuzz_init ();
  fuzz_assert (is_pattern == (of_any == NULL));
  fuzz_assert (is_pattern || !publisher_check_topic (pattern, names, &of_some));
  if (is_pattern) {
    topic = publisher_expand_topic (pattern, look_up, &input);
    check_topic (topic, count_slashes (pattern));
  }
  return 0;
}
