/* pipeline.h - BUDE as an engine of a screen. */
#ifndef BERTH_ENGINE_BUDE_PIPELINE_H
#define BERTH_ENGINE_BUDE_PIPELINE_H

#include "engine/engine.h"

/* With the receptor and options of options->opt_bude. */
bt_status bt_bude_engine_open_screen(const bt_screen_options *options, bt_engine **ret_engine,
                                     bt_error *opt_error) BT_MUST_USE;

#endif
