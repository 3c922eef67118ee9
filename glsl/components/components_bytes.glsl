// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a word of the grid, or with BYTES a byte, from a binding of words.
 *
 * Defines: BYTES: defined: the grid is of bytes, the first in the lowest bits of a word;
 *   BOUND_WORD_AT(at): word at of the binding
 * Defines for its users: WORD_AT(at): value at of the grid in the binding */
#ifdef BYTES
#define WORD_AT(at) ((BOUND_WORD_AT ((at) / 4u) >> (8u * ((at) % 4u))) & 255u)
#else
#define WORD_AT(at) BOUND_WORD_AT (at)
#endif
