/* contact_text.h - contacts of a pose as docking logs, XML and JSON have them. */
#ifndef BERTH_RESULTS_WRITE_CONTACT_TEXT_H
#define BERTH_RESULTS_WRITE_CONTACT_TEXT_H

#include "base/text/json.h"
#include "results/result.h"

/* AutoDock-GPU's eight lists of a pose: R, H and V contacts, nothing else. Numbers have five columns and a blank, names
 * in quotes six. */
void bt_contacts_add_dlg(bt_text *text, const bt_result *result, const bt_run *run);
void bt_contacts_add_xml(bt_text *text, const bt_result *result, const bt_run *run);
/* "contacts": all types, with distances. */
void bt_contacts_add_json(bt_json *json, const bt_result *result, const bt_run *run);

#endif
