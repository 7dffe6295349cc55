/* SPDX-License-Identifier: Apache-2.0
 *
 * The public status codes are the internal ones: what keeps the two lists equal.
 */
#include "spec/kt_status.h"

#include <ktpu.h>

#define SAME(name)                                                                                 \
  _Static_assert((int)KTPU_##name == (int)KT_##name, "ktpu.h and kt_status.h differ: " #name)
SAME(OK);
SAME(EINVAL);
SAME(ENOMEM);
SAME(EIO);
SAME(ETIMEDOUT);
SAME(EFAULT);
SAME(ERANGE);
SAME(ELIMIT);
SAME(EMISMATCH);
SAME(EBUSY);
SAME(ENODEV);
SAME(EPARSE);
SAME(EUNSUPPORTED);
SAME(EPEER);
SAME(EACCES);
_Static_assert((int)KTPU_EACCES + 1 == (int)KT_STATUS_COUNT, "a status is missing in ktpu.h");

const char *ktpu_strerror(enum ktpu_status status)
{
  return kt_status_text((enum kt_status)status);
}
