// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds without tests have this file in place of those that tests alone use. */
