/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which GPU decodes. Plugins have a decoder for each GPU, such as nvh264dec and nvh264device1dec,
 * of which decodebin always takes the first. */
#ifndef DECODER_GPU_H
#define DECODER_GPU_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Has @decodebin take the decoder of the GPU on which the fewest others of this process decode, of
 * several the first from the one with the number @turn on, which processes that share a machine
 * count. A GPU on which a decoder ended without a frame is taken last for a minute, so that what
 * ran on a lost GPU goes to another. Only the order of decoders of one plugin changes: one that
 * cannot start is followed by another GPU's. Thread: any, before @decodebin starts. */
void decoder_gpu_spread (GstElement *decodebin, guint turn);

G_END_DECLS

#endif
