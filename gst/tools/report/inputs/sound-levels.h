/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The levels and the loudness of a stream of sound. */
#ifndef REPORT_INPUTS_SOUND_LEVELS_H
#define REPORT_INPUTS_SOUND_LEVELS_H

#include "../model/problems.h"

#include <gst/audio/audio.h>

G_BEGIN_DECLS

/* What a level is measured on: interleaved samples, full scale is 1. */
#define REPORT_SOUND_CAPS "audio/x-raw,format=" GST_AUDIO_NE (F64) ",layout=interleaved"

#define REPORT_QUIET 0.001 /* -60 dB: as FFmpeg's silencedetect */
#define REPORT_MIN_SILENCE (2 * GST_SECOND)
/* The largest sample of 16 bits, less what a conversion may lose. */
#define REPORT_FULL_SCALE (32767.0 / 32768.0 - 1e-6)

typedef struct _ReportSoundLevels ReportSoundLevels;

/* Measures the samples that @report covers. Used by one thread at a time. */
ReportSoundLevels *report_sound_levels_new (Report *report);
/* @self: (nullable). */
void report_sound_levels_free (ReportSoundLevels *self);
/* Adds the samples of @buffer, which begins at @time in stream time (NONE: all of them count) and
 * has the format REPORT_SOUND_CAPS with the channels and the rate of @info. Samples that are no
 * finite numbers count as 0. Returns how many there were. */
guint64 report_sound_levels_add (
    ReportSoundLevels *self, const GstAudioInfo *info, GstBuffer *buffer, GstClockTime time);
/* Adds what was measured to the report: a line for each rate with its channels. */
void report_sound_levels_append (ReportSoundLevels *self, const ReportStream *stream);

G_END_DECLS

#endif
