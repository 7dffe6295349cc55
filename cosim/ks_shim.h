/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated ktpu_top as a struct ks_model. Only this shim is C++, because Verilator's model is.
 */
#ifndef KS_SHIM_H
#define KS_SHIM_H

#include "cosim/ks_pins.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Builds the model with every register at a value drawn from `seed`; wave is the path of a waveform
 * to write or NULL. Returns 0, or -1 when this build cannot write waveforms. */
int ks_shim_open(struct ks_model *model, uint32_t seed, const char *wave);

/* Ends the model and completes the waveform. */
void ks_shim_close(struct ks_model *model);

/* The build's canonical parameter string. */
const char *ks_shim_params(void);

#ifdef __cplusplus
}
#endif
#endif
