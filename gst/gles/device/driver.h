/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Takes turns in a driver whose calls exclude each other.
 *
 * NVIDIA's driver has one lock for the OpenGL ES of a process. Two device threads that call it at
 * the same time hand that lock back and forth at each of some hundred calls a frame, and sleep each
 * time. They take turns here instead, a batch of work or a look at a fence at a time, so that the
 * driver's lock is free whenever it is taken. Copies that other engines make are awaited before a
 * turn; only a download of an array to memory of the caller, and parameters that have filled their
 * buffer, wait for the device in one. docs/decisions/0005 has the measurements. */
#ifndef GST_GLES_DRIVER_H
#define GST_GLES_DRIVER_H

#include <gst/gles/device/share.h>

/* Decides whether the device takes turns. Called when the kind of the device is known. */
void gst_gles_driver_probe (GstGlesShare *share);

/* Begin and end a turn; turns do not nest. Do nothing with other drivers. Thread: the device's.
 * Beginning waits for the turns of other devices. */
void gst_gles_driver_enter (GstGlesShare *share);
void gst_gles_driver_leave (GstGlesShare *share);

#endif
