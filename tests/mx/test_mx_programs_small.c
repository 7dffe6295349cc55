/* SPDX-License-Identifier: Apache-2.0
 *
 * The tests of test_mx_programs.c once more, linked with the small build (tests/mx/files.mk).
 */
#include "tests/mx/test_mx_programs.c"
