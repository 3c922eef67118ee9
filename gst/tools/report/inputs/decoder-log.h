/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What decoders write to the log. */
#ifndef REPORT_INPUTS_DECODER_LOG_H
#define REPORT_INPUTS_DECODER_LOG_H

#include "../model/problems.h"

G_BEGIN_DECLS

/* A decoder of a pipeline, and the times of what it decodes. */
typedef struct _ReportDecoder ReportDecoder;

/* Catches what decoders write to GStreamer's log, until report_log_end(). */
void report_log_begin (ReportProblems *problems);
void report_log_end (void);
/* @stream: of what it decodes. Decoders live until report_log_end(). */
ReportDecoder *report_log_add_decoder (GstElement *element);
/* The calling thread is about to decode a frame of @time. */
void report_log_decode (ReportDecoder *self, const ReportStream *stream, GstClockTime time);
/* @demuxer, that of the pictures, has found data of @time. */
void report_log_demux (GstElement *demuxer, GstClockTime time);
/* The decoder starts anew. */
void report_log_restart (ReportDecoder *self);
/* Adds what a decoder or a parser posted as a warning. What a demuxer warns of is a stream that it
 * cannot read, and the elements that analyse say nothing about the file. */
void report_log_add_message (GstMessage *message);

G_END_DECLS

#endif
