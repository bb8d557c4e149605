/* session.c - scripts that open poses in PyMOL and ChimeraX. */
#include <berth/berth.h>
#include <berth/report.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

#define METALS "Zn+Mg+Ca+Mn+Fe+Co+Ni+Cu+Na+K+Cd+Hg"

/* A literal of Python, which PyMOL's scripts are written in. */
static void add_python(bt_text *text, const char *string) {
  bt_text_add_char(text, '"');
  for (const char *c = string; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') bt_text_add_char(text, '\\');
    if (*c == '\n')
      bt_text_add_string(text, "\\n");
    else
      bt_text_add_char(text, *c);
  }
  bt_text_add_char(text, '"');
}

static void load(bt_text *text, const char *path, const char *object) {
  bt_text_add_string(text, "cmd.load(");
  add_python(text, path);
  bt_text_printf(text, ", \"%s\")\n", object);
}

static void add_pml(const bt_session *session, bt_text *text) {
  bt_text_add_string(text, "# PyMOL: poses of Berth. Open it in its folder: pymol NAME.pml\n");
  for (int i = 0; i < session->n_receptors; i++) {
    char object[32] = "receptor";
    if (i > 0) snprintf(object, sizeof object, "receptor-%d", i + 1);
    load(text, session->receptors[i], object);
  }
  load(text, session->poses, "poses");
  if (session->opt_reference != NULL) load(text, session->opt_reference, "reference");
  bt_text_add_string(text,
                     "hide everything\n"
                     "set sphere_scale, 0.3\n"
                     "set stick_radius, 0.15\n"
                     "set cartoon_transparency, 0.6\n"
                     "show cartoon, receptor*\n"
                     "select site, byres (receptor* within 5 of poses)\n"
                     "show sticks, site and not (hydro and neighbor elem C)\n"
                     "show spheres, receptor* and elem " METALS
                     "\n"
                     "show sticks, poses and not (hydro and neighbor elem C)\n"
                     "util.cnc\n"
                     "color gray80, receptor* and elem C\n"
                     "color teal, poses and elem C\n");
  if (session->opt_reference != NULL)
    bt_text_add_string(text, "show sticks, reference and not hydro\ncolor orange, reference and elem C\n");
  bt_text_add_string(text,
                     "distance polar_contacts, poses, receptor*, 3.5, mode=2\n"
                     "hide labels, polar_contacts\n"
                     "deselect\n"
                     "frame 1\n"
                     "zoom poses, 6\n");
}

/* ChimeraX doubles no quotes and knows no escapes: a path has either kind of quote or none. */
static void open_model(bt_text *text, const char *path) {
  char quote = strchr(path, '"') == NULL ? '"' : '\'';
  bt_text_printf(text, "open %c%s%c\n", quote, path, quote);
}

static void add_cxc(const bt_session *session, bt_text *text) {
  int poses = session->n_receptors + 1;
  bt_text_add_string(text, "# ChimeraX: poses of Berth. Open it in its folder: chimerax NAME.cxc\n");
  for (int i = 0; i < session->n_receptors; i++) open_model(text, session->receptors[i]);
  open_model(text, session->poses);
  if (session->opt_reference != NULL) open_model(text, session->opt_reference);
  bt_text_printf(text,
                 "hide atoms\n"
                 "show #1-%d cartoons\n"
                 "show #%d :<5 & #1-%d atoms\n"
                 "show ions & #1-%d atoms\n"
                 "show #%d atoms\n"
                 "hide #%d.2-1000 models\n"
                 "style stick\n"
                 "style ions sphere\n"
                 "color #1-%d lightgray\n"
                 "color #%d teal\n",
                 session->n_receptors, poses, session->n_receptors, session->n_receptors, poses, poses,
                 session->n_receptors, poses);
  if (session->opt_reference != NULL) bt_text_printf(text, "show #%d atoms\ncolor #%d orange\n", poses + 1, poses + 1);
  bt_text_printf(text, "color byhetero\nhbonds #%d restrict #1-%d\nview #%d\n", poses, session->n_receptors, poses);
}

bt_status bt_session_text(const bt_session *session, bt_session_program program, char **ret_text, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  *ret_text = NULL;
  if (program == BT_SESSION_PYMOL)
    add_pml(session, &text);
  else
    add_cxc(session, &text);
  return bt_text_take(&text, ret_text, opt_error);
}
