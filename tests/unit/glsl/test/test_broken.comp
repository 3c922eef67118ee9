// SPDX-License-Identifier: LGPL-2.1-or-later
// Test kernel that does not compile: line 7 names what does not exist.
// Defines: none. Bindings: none. Grid: any.
void
main ()
{
  no_such_function (1u);
}
