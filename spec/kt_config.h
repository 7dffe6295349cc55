/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in configs as the generator writes them; kt_params_parse reads them. */
#ifndef KT_SPEC_KT_CONFIG_H
#define KT_SPEC_KT_CONFIG_H

#include <stddef.h>
#include <stdint.h>

/* One given parameter; a list ends with name NULL. */
struct kt_setting {
  const char *name;
  int64_t value;
};

struct kt_config {
  const char *name, *role;
  const struct kt_setting *setting;
};

/* Ends with name NULL. */
extern const struct kt_config kt_configs[];

#endif
