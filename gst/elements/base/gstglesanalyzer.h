/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The base class of the analysing elements: the device, the frames on it, results that another
 * thread waits for, and messages in order. A subclass has a plan, its result and its meta.
 * Analysers that read pixels derive from GstGlesPictureAnalyzer. The others add pad
 * templates of their own: they access no pixel, so they accept any memory. */
#ifndef GST_GLES_ANALYZER_H
#define GST_GLES_ANALYZER_H

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include <gst/gles/gl/queue.h>
#include <gst/gles/import/source.h>
#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/frame-info.h>

#include "mask-setting.h"
#include "results.h"
#include "validation.h"

G_BEGIN_DECLS

#define GST_TYPE_GLES_ANALYZER (gst_gles_analyzer_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGlesAnalyzer, gst_gles_analyzer, GST, GLES_ANALYZER, GstBaseTransform)

/* The base class's description of an analysed frame. */
typedef struct {
  GstBuffer *buffer;
  GstGlesFrameInfo info; /* size and format are for the subclass to set; the origin lasts as long as
                          * the stream */
  gboolean readback;     /* whether the result is read ahead: copied to the host with the frame */
  gboolean late;         /* otherwise: whether it is copied when somebody reads it */
  gboolean repeatable;   /* what the analysis replaces is kept for restore() */
} GstGlesFrame;

struct _GstGlesAnalyzerClass {
  GstBaseTransformClass parent_class;

  ResultsParts makes; /* the kind of its results */
  gboolean is_large;  /* whether they may take so much memory that few of them stay on the device */
  /* Kinds of results of upstream that it reads: on the host if they are on another device or the
   * element has a mask, else on the device. */
  ResultsParts reads;

  /* Where the instance has the settings that its properties change, under the object lock, and
   * those that the streaming thread works with. take_settings() copies the former to the latter for
   * caps and once for each frame, before any function below is called, so that these agree. */
  gsize wanted_offset, taken_offset, settings_bytes;
  gsize region_offset;     /* of the region in the instance; for the base class */
  gsize parameters_offset; /* of the parameters, likewise */

  /* Takes @caps and checks that the properties fit them, as far as that needs no plan. */
  gboolean (*set_caps) (GstGlesAnalyzer *analyzer, GstCaps *caps, GError **error);
  /* Makes everything that buffers of these caps need, so that the first one does not wait for it.
   * Called after set_caps(), on a thread of its own unless the device is a cpu: the elements of a
   * pipeline prepare side by side. No other function of the class is called meanwhile. */
  gboolean (*prepare) (GstGlesAnalyzer *analyzer, GError **error);
  /* Optional. Returns whether @buffer has anything to analyse; without it every buffer is
   * analysed. If no buffer has, a warning names the missing @input. */
  gboolean (*accept) (GstGlesAnalyzer *analyzer, GstBuffer *buffer);
  const gchar *input;
  /* Takes the input of the analysis from frame->buffer. No submission is open yet, so this may
   * wait. Errors: BAD_FRAME, OUTSIDE, after which the frame may be skipped: the element is then as
   * it was before the call; others end the stream. */
  gboolean (*take_input) (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error);
  /* Queues the analysis of that input in the open submission. Returns the result:
   * (transfer full). */
  GstMiniObject *(*analyze) (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error);
  /* Optional. Called when the submission has ended or could not be opened. */
  void (*release_input) (GstGlesAnalyzer *analyzer);
  /* Optional. Called when nothing more is added to @buffer, whose analysis was queued. */
  void (*keep) (GstGlesAnalyzer *analyzer, GstBuffer *buffer);
  /* Attaches @result to @buffer. Does not wait. */
  void (*attach) (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result);
  /* Optional. Attaches data to @buffer that must be complete when the buffer is pushed; may wait
   * for @result. Called only if results are read back to the host. */
  gboolean (*annotate) (
      GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result, GError **error);
  /* Optional. Whether annotate() waits for results, so that they are read ahead. */
  gboolean (*annotates) (GstGlesAnalyzer *analyzer);
  /* Waits until @result is complete. */
  ResultsWaitFunc wait;
  /* Optional, for `stats`. Returns the bytes of counted results that were read back since the last
   * call; for results whose size only the device knows. */
  gsize (*take_readback_bytes) (GstGlesAnalyzer *analyzer);
  /* Adds the statistics of the complete @result to @message. */
  gboolean (*describe) (
      GstGlesAnalyzer *analyzer, GstMiniObject *result, GstStructure *message, GError **error);

  /* For `validate`, which compares what the next two functions add: what is compared, and with
   * what. */
  const gchar *compared;
  /* Runs the native twin on the input of the last frame, which is @frame and has the complete
   * @result, and adds what it finds, and the input if that is not the picture, to @twin. Called
   * once for each frame. */
  gboolean (*expect) (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GstMiniObject *result,
      ValidationTwin *twin, GError **error);
  /* Adds the arrays of a complete @result. Called after expect(). */
  gboolean (*read_words) (
      GstGlesAnalyzer *analyzer, GstMiniObject *result, ValidationWords *words, GError **error);
  /* Optional. Brings back what the last frame, a repeatable one, was compared with, so that its
   * analysis can be repeated. */
  void (*restore) (GstGlesAnalyzer *analyzer);
  /* Returns for people how the plan divided the work of the last frame: (transfer full). */
  gchar *(*describe_plan) (GstGlesAnalyzer *analyzer);

  /* Forgets earlier frames. Called after a flush and before a change of format. */
  void (*reset) (GstGlesAnalyzer *analyzer);
  /* Drops plans and buffers. Called before a change of caps or device. */
  void (*drop_plan) (GstGlesAnalyzer *analyzer);
  /* Optional. Drops everything that take_input() uses. Called after drop_plan(). */
  void (*drop_input) (GstGlesAnalyzer *analyzer);
};

/* Says that @Type has settings: the members `wanted` and `taken`, of one type. */
#define GST_GLES_ANALYZER_SETTINGS(klass, Type)                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    (klass)->wanted_offset = G_STRUCT_OFFSET (Type, wanted);                                       \
    (klass)->taken_offset = G_STRUCT_OFFSET (Type, taken);                                         \
    (klass)->settings_bytes = sizeof (((Type *) NULL)->taken);                                     \
  }                                                                                                \
  G_STMT_END

/* Installs @spec as a property: the member of the settings at @offset, whose type is that of the
 * values of @spec: boolean, enum, uint, double, or an interned string. The settings begin with the
 * defaults of the properties. Call after GST_GLES_ANALYZER_SETTINGS(). */
void gst_gles_analyzer_install (GstGlesAnalyzerClass *klass, gsize offset, GParamSpec *spec);

/* Installs `region`, a GstGlesRegionSetting at @offset of the settings. @what: as for
 * gst_gles_region_spec(). */
void gst_gles_analyzer_install_region (
    GstGlesAnalyzerClass *klass, gsize offset, const gchar *what);
/* Installs `mask`. @what: as for mask_setting_spec(). */
void gst_gles_analyzer_install_mask (GstGlesAnalyzerClass *klass, const gchar *what);
/* Takes the mask for a frame of @image: mask_input_update(). Thread: the streaming one. */
gboolean gst_gles_analyzer_take_mask (
    GstGlesAnalyzer *analyzer, const GstGlesImage *image, MaskInput *input, GError **error);
/* Installs `parameters`, ExpressionParameters at @offset of the settings. */
void gst_gles_analyzer_install_parameters (GstGlesAnalyzerClass *klass, gsize offset);

/* Adds a sink pad and a source pad with @caps. */
void gst_gles_analyzer_add_pads (GstGlesAnalyzerClass *klass, GstCaps *caps);

/* Return the element's device and its queue: (transfer none). Valid between READY and NULL. */
GstGlesDevice *gst_gles_analyzer_get_device (GstGlesAnalyzer *analyzer);
GstGlesQueue *gst_gles_analyzer_get_queue (GstGlesAnalyzer *analyzer);

/* Whether plans are dropped and the subclass is reset because of caps that describe the same
 * samples and differ in tags only. Frames before and after can be compared. */
gboolean gst_gles_analyzer_is_retagged (GstGlesAnalyzer *analyzer);

/* Whether the result of the next frame is read ahead, as far as that is known. Call inside prepare.
 */
gboolean gst_gles_analyzer_reads_ahead (GstGlesAnalyzer *analyzer);

/* Returns the element's device: (transfer full) (nullable). Thread: any. */
GstGlesDevice *gst_gles_analyzer_ref_device (GstGlesAnalyzer *analyzer);

/* Whether frames that take_input() refuses are skipped. */
gboolean gst_gles_analyzer_skips_bad_frames (GstGlesAnalyzer *analyzer);

/* Sets @picture to the size that @caps have, which is half as high where each buffer holds a field,
 * and to their format, UNKNOWN if they have none. Errors: STREAM/FORMAT. Call inside set_caps. */
gboolean gst_gles_analyzer_parse_picture (
    GstGlesAnalyzer *analyzer, const GstCaps *caps, GstGlesFrameInfo *picture, GError **error);

/* Counts, for `stats`, bytes that are uploaded. Call inside take_input or analyze. */
void gst_gles_analyzer_count_upload (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited);

/* Counts, for `stats`, a frame whose pixels came to the device. Call inside take_input. */
void gst_gles_analyzer_count_picture (GstGlesAnalyzer *analyzer, const GstGlesFrameCost *cost);

/* Sets, for `stats`, how many times the element's allocator returned system memory. */
void gst_gles_analyzer_set_allocator_fallbacks (GstGlesAnalyzer *analyzer, guint64 n);

/* Counts, for `stats`, bytes of a result that are read back, and a wait for a free slot. Call
 * inside analyze. */
void gst_gles_analyzer_count_readback (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited);

G_END_DECLS

#endif
