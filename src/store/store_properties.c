/* store_properties.c - what tables and SDF records state about the ligands of a screen: a row for each value. */
#ifdef BT_WITH_SQLITE

#include <stdio.h>
#include <string.h>

#include "formats/properties.h"
#include "store/store_internal.h"

/* Only screens with properties have it, so that early versions of Berth read all others. place: from 0, in the order of
 * the ligand's file. A row that is deleted takes its properties along. */
static const char property_table[] =
    "CREATE TABLE IF NOT EXISTS property(ordinal INTEGER NOT NULL REFERENCES ligand, place INTEGER NOT NULL,"
    " name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(ordinal, place)) WITHOUT ROWID;"
    "CREATE TRIGGER IF NOT EXISTS ligand_delete_properties AFTER DELETE ON ligand"
    " BEGIN DELETE FROM property WHERE ordinal = OLD.ordinal; END;";

bt_status bt_store_find_properties(bt_store *store, bool *ret_has, bt_error *opt_error) {
  int64_t has = 0;
  BT_TRY(bt_store_ask(store, "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = 'property'", &has,
                      opt_error));
  *ret_has = has > 0;
  return BT_OK;
}

static bt_status make_table(bt_store *store, bt_error *opt_error) {
  char version[64];
  snprintf(version, sizeof version, "PRAGMA user_version = %d", BT_STORE_PROPERTIES);
  BT_TRY(bt_store_execute(store, property_table, opt_error));
  return bt_store_execute(store, version, opt_error);
}

bt_status bt_store_add_properties(bt_store *store, const bt_store_row *row, bt_error *opt_error) {
  const char *at = row->properties;
  bt_span name, value;
  if (at == NULL || *at == '\0') return BT_OK;
  if (store->add_property == NULL) {
    BT_TRY(make_table(store, opt_error));
    BT_TRY(bt_store_prepare(store, "INSERT OR REPLACE INTO property VALUES(?,?,?,?)", &store->add_property, opt_error));
  }
  for (int place = 0; bt_properties_next(&at, &name, &value); place++) {
    sqlite3_stmt *s = store->add_property;
    bt_store_bind(s, "li", row->ordinal, place);
    sqlite3_bind_text(s, 3, name.text, (int)name.size, SQLITE_STATIC);
    sqlite3_bind_text(s, 4, value.text, (int)value.size, SQLITE_STATIC);
    BT_TRY(bt_store_step(store, s, opt_error));
  }
  return BT_OK;
}

static bt_span column(sqlite3_stmt *s, int index) {
  const char *text = (const char *)sqlite3_column_text(s, index);
  return text != NULL ? (bt_span){text, strlen(text)} : (bt_span){"", 0};
}

bt_status bt_store_read_properties(bt_store *store, sqlite3_stmt *s, bt_store_row *row, bt_error *opt_error) {
  bt_status status = BT_OK;
  bt_text text = {0};
  bt_store_bind(s, "l", row->ordinal);
  while (bt_store_next(store, s, &status, opt_error)) bt_properties_add(&text, column(s, 0), column(s, 1));
  if (status == BT_OK) return bt_text_take(&text, &row->properties, opt_error);
  bt_text_destroy(&text);
  return status;
}

bt_status bt_store_visit_properties(bt_store *store, bt_store_property_fn visit, void *user, bt_error *opt_error) {
  bool has;
  BT_STATEMENT s = NULL;
  BT_TRY(bt_store_find_properties(store, &has, opt_error));
  if (!has) return BT_OK;
  BT_TRY(bt_store_prepare(store, "SELECT name, value FROM property ORDER BY ordinal, place", &s, opt_error));
  bt_status status = BT_OK;
  while (bt_store_next(store, s, &status, opt_error))
    if (!visit(user, column(s, 0), column(s, 1))) return bt_fail_memory(opt_error);
  return status;
}

bt_status bt_store_absorb_properties(bt_store *store, bt_error *opt_error) {
  int64_t has = 0;
  BT_TRY(bt_store_ask(store, "SELECT count(*) FROM other.sqlite_master WHERE type = 'table' AND name = 'property'",
                      &has, opt_error));
  if (has == 0) return BT_OK;
  BT_TRY(make_table(store, opt_error));
  return bt_store_execute(store,
                          "INSERT OR IGNORE INTO main.property SELECT * FROM other.property"
                          " WHERE ordinal NOT IN damaged",
                          opt_error);
}

#else
typedef int bt_store_properties_is_in_store_none; /* ISO C wants something here */
#endif
