# SPDX-License-Identifier: LGPL-2.1-or-later
"""Modules of gst-gles-archive-1.0: an archive of videos is planned, analysed in units and merged."""
