/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Helpers of the tests of serialised results: make bytes, change them, check the refusal. */
#ifndef SERIAL_BYTES_H
#define SERIAL_BYTES_H

#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

typedef gpointer (*Parse) (const guint8 *data, gsize size, guint8 version);

typedef struct {
  guint8 *data;
  gsize size;
} Bytes;

/* What gst_gles_KIND_serial_write() makes of @result, at an odd address. */
#define BYTES_OF(kind, result)                                                                     \
  ({                                                                                               \
    Bytes bytes_;                                                                                  \
    fail_unless (gst_gles_##kind##_serial_get_size (result, &bytes_.size));                        \
    bytes_.data = g_malloc (bytes_.size + 1);                                                      \
    gst_gles_##kind##_serial_write (result, bytes_.data + 1);                                      \
    memmove (bytes_.data, bytes_.data + 1, bytes_.size);                                           \
    bytes_;                                                                                        \
  })

/* Checks that bytes that were cut, or of which one was changed, are refused or make another
 * result. Its arrays lie within the bytes; a sanitizer or a crash would report otherwise. */
static inline void
spoil (const Bytes *bytes, Parse parse)
{
  gsize n_refused = 0;

  for (gsize length = 0; length < bytes->size; length++) {
    /* on the heap and of this size, for those who watch its end */
    g_autofree guint8 *part = g_memdup2 (bytes->data, MAX (length, 1));

    fail_unless (parse (part, length, GST_GLES_SERIAL_VERSION) == NULL,
        "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes are taken for all", length, bytes->size);
  }
  for (gsize at = 0; at < bytes->size; at++) {
    g_autofree guint8 *changed = g_memdup2 (bytes->data, bytes->size);
    GstMiniObject *result;

    changed[at] ^= 0x80;
    result = parse (changed, bytes->size, GST_GLES_SERIAL_VERSION);
    n_refused += result == NULL ? 1 : 0;
    gst_clear_mini_object (&result);
  }
  fail_unless (n_refused > 0);
  fail_unless (parse (bytes->data, bytes->size, GST_GLES_SERIAL_VERSION + 1) == NULL);
  fail_unless (parse (bytes->data, bytes->size, GST_GLES_SERIAL_VERSION - 1) == NULL);
}

/* Bytes with the word at @offset behind the origin, which is none, made @value are refused. */
static inline void
check_refused (const Bytes *bytes, Parse parse, gsize offset, guint32 value)
{
  g_autofree guint8 *changed = g_memdup2 (bytes->data, bytes->size);

  GST_WRITE_UINT32_LE (changed + GST_GLES_ORIGIN_SERIAL_BYTES + offset, value);
  fail_unless (parse (changed, bytes->size, GST_GLES_SERIAL_VERSION) == NULL,
      "%u at byte %" G_GSIZE_FORMAT " is taken for true", value, offset);
}

#define CHECK_ALL_REFUSED(bytes, parse, claims)                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    for (guint i_ = 0; i_ < G_N_ELEMENTS (claims); i_++)                                           \
      check_refused (bytes, (Parse) (parse), claims[i_].offset, claims[i_].value);                 \
  }                                                                                                \
  G_STMT_END

typedef struct {
  gsize offset;
  guint32 value;
} Claim;

static inline GstGlesReadback *
words_new (const GstGlesResult *counted, const guint32 *words, gsize n)
{
  return gst_gles_readback_new_counted (counted, g_bytes_new (words, n * 4));
}

#endif
