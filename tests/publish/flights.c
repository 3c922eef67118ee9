/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records under way: order, connections that end, which record is to blame for it; and what topics
 * say at present. */
#include <gst/check/gstcheck.h>

#include <glib/gstdio.h>

#include "publish/flights.h"
#include "publish/states.h"

#define SECOND G_USEC_PER_SEC

/* Adds a record of @size bytes. Returns its number. */
static guint64
add (Flights *flights, gsize size)
{
  g_autofree gchar *text = g_strnfill (size, 'x');
  Flight *flight = g_new0 (Flight, 1);

  fail_unless (flights_has_room (flights));
  flight->record.topic = g_strdup ("topic");
  flight->record.data = g_bytes_new (text, size);
  flights_add (flights, flight);
  return flight->number;
}

/* Sends all that may be sent at @now. Returns how many. */
static guint
send_all (Flights *flights, gint64 now)
{
  guint n = 0;

  for (Flight *flight; (flight = flights_get_next (flights, now)) != NULL; n++)
    flight->sent_us = now;
  return n;
}

static guint
take (Flights *flights, gboolean lost)
{
  guint n = 0;

  for (Flight *flight; (flight = flights_take_ended (flights)) != NULL; n++) {
    fail_unless_equals_int (flight->lost, lost);
    flight_free (flight);
  }
  return n;
}

GST_START_TEST (test_answers_in_any_order_end_flights_in_order)
{
  Flights flights;
  guint64 numbers[3];

  flights_init (&flights);
  flights_connected (&flights, 1);
  for (guint i = 0; i < 3; i++) {
    numbers[i] = add (&flights, 10);
    fail_unless_equals_int (send_all (&flights, SECOND), 1);
  }
  fail_unless (flights_get_silence_us (&flights, 5 * SECOND) == 4 * SECOND);
  fail_unless (flights_end (&flights, numbers[1], FALSE) != NULL);
  fail_unless (flights_end (&flights, numbers[1], FALSE) == NULL);
  fail_unless_equals_int (take (&flights, FALSE), 0);
  flights_end (&flights, numbers[0], FALSE);
  fail_unless_equals_int (take (&flights, FALSE), 2);
  flights_end (&flights, numbers[2], FALSE);
  fail_unless_equals_int (take (&flights, FALSE), 1);
  fail_unless (flights_get_silence_us (&flights, 9 * SECOND) == 0);
  flights_clear (&flights);
}

GST_END_TEST;

GST_START_TEST (test_record_after_which_connections_end_is_given_up)
{
  Flights flights;
  guint64 good, bad;

  flights_init (&flights);
  flights_connected (&flights, 1);
  good = add (&flights, 10);
  send_all (&flights, SECOND);
  bad = add (&flights, 5000);
  send_all (&flights, SECOND);
  add (&flights, 20);
  send_all (&flights, SECOND);
  fail_unless (flights_disconnected (&flights) == NULL);
  fail_unless (!flights_has_room (&flights));

  /* the connection has to last, and then one goes at a time */
  flights_connected (&flights, 2 * SECOND);
  fail_unless_equals_int (send_all (&flights, 2 * SECOND), 0);
  fail_unless_equals_int (send_all (&flights, 4 * SECOND), 1);
  flights_end (&flights, good, FALSE);
  fail_unless_equals_int (take (&flights, FALSE), 1);
  fail_unless_equals_int (send_all (&flights, 4 * SECOND), 1);
  fail_unless (flights_disconnected (&flights) == NULL);

  flights_connected (&flights, 5 * SECOND);
  fail_unless_equals_int (send_all (&flights, 7 * SECOND), 1);
  fail_unless_equals_uint64 (flights_disconnected (&flights)->number, bad);
  fail_unless_equals_int (take (&flights, TRUE), 1);

  /* others go on, and those of that size are known */
  flights_connected (&flights, 8 * SECOND);
  fail_unless_equals_int (send_all (&flights, 10 * SECOND), 1);
  flights_end (&flights, bad + 1, FALSE);
  fail_unless_equals_int (take (&flights, FALSE), 1);
  {
    g_autofree gchar *text = g_strnfill (5000, 'y');
    g_autoptr (GBytes) large = g_bytes_new (text, 5000), small = g_bytes_new (text, 4000);
    const PublishRecord records[] = { { (gchar *) "topic", large, FALSE },
      { (gchar *) "topic", small, FALSE } };

    fail_unless (flights_is_too_large (&flights, &records[0]));
    fail_unless (!flights_is_too_large (&flights, &records[1]));
    /* an end that no record is to blame for: the broker may be another one */
    flights_disconnected (&flights);
    fail_unless (!flights_is_too_large (&flights, &records[0]));
  }
  flights_clear (&flights);
}

GST_END_TEST;

GST_START_TEST (test_broker_that_fails_often_costs_nothing)
{
  Flights flights;

  flights_init (&flights);
  add (&flights, 10);
  for (gint64 now = SECOND; now < 100 * SECOND; now += SECOND) {
    /* it ends within a second of each connection */
    flights_connected (&flights, now);
    send_all (&flights, now + SECOND / 2);
    fail_unless (flights_disconnected (&flights) == NULL);
  }
  flights_connected (&flights, 100 * SECOND);
  fail_unless_equals_int (send_all (&flights, 102 * SECOND), 1);
  flights_clear (&flights);
}

GST_END_TEST;

/* ---- states ---- */

static void
set (States *states, const gchar *topic, const gchar *text)
{
  g_autoptr (GBytes) data = g_bytes_new (text, strlen (text));

  states_set (states, topic, data);
}

/* Fails unless exactly @text, "TOPIC=VALUE" with spaces between, in order, is to be sent; and sends
 * it. */
static void
check_sent (States *states, const gchar *text)
{
  g_autoptr (GString) got = g_string_new (NULL);
  const gchar *topic;

  while ((topic = states_take_unsent (states)) != NULL) {
    g_autofree gchar *name = g_strdup (topic);
    g_autoptr (GBytes) data = states_get (states, name);
    gsize size;
    const gchar *value = g_bytes_get_data (data, &size);

    g_string_append_printf (got, "%s%s=%.*s", got->len > 0 ? " " : "", name, (gint) size, value);
    states_end (states, name, data, FALSE);
  }
  fail_unless_equals_string (got->str, text);
}

GST_START_TEST (test_states_say_the_last_value_and_again)
{
  States states;

  states_init (&states, NULL);
  set (&states, "a", "1");
  set (&states, "a", "2");
  check_sent (&states, "a=2");
  check_sent (&states, "");
  states_refresh (&states);
  check_sent (&states, "a=2");
  states_clear (&states);
}

GST_END_TEST;

GST_START_TEST (test_a_state_that_was_refused_waits_for_its_next_value)
{
  States states;
  const gchar *topic;

  states_init (&states, NULL);
  set (&states, "a", "1");
  topic = states_take_unsent (&states);
  {
    g_autoptr (GBytes) data = states_get (&states, topic);

    states_end (&states, topic, data, TRUE);
  }
  states_refresh (&states);
  check_sent (&states, "");
  set (&states, "a", "2");
  check_sent (&states, "a=2");
  states_clear (&states);
}

GST_END_TEST;

GST_START_TEST (test_what_does_not_hold_is_deleted_also_by_the_next_process)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gles-states-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "states", NULL), *text = NULL;
  States states;

  states_init (&states, path);
  set (&states, "a", "1");
  set (&states, "b", "1");
  set (&states, "kept", "1");
  fail_unless (states.unsaved);
  text = states_list (&states);
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  states_clear (&states);

  states_init (&states, path);
  fail_unless (!states.unsaved);
  states_begin (&states);
  set (&states, "a", "2");
  states_set (&states, "kept", NULL);
  states_sweep (&states);
  check_sent (&states, "a=2 b=");
  fail_unless (states.unsaved);
  g_free (text);
  text = states_list (&states);
  fail_unless (strstr (text, "b\n") == NULL && strstr (text, "kept\n") != NULL);
  states_clear (&states);
  g_unlink (path);
  g_rmdir (folder);
}

GST_END_TEST;

static Suite *
flights_suite (void)
{
  Suite *s = suite_create ("flights");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_answers_in_any_order_end_flights_in_order);
  tcase_add_test (tc, test_record_after_which_connections_end_is_given_up);
  tcase_add_test (tc, test_broker_that_fails_often_costs_nothing);
  tcase_add_test (tc, test_states_say_the_last_value_and_again);
  tcase_add_test (tc, test_a_state_that_was_refused_waits_for_its_next_value);
  tcase_add_test (tc, test_what_does_not_hold_is_deleted_also_by_the_next_process);
  return s;
}

GST_CHECK_MAIN (flights);
