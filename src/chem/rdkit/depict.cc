/* depict.cc - a molecule as a drawing, in SVG. */
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

extern "C" bt_status bt_rdmol_depict(const bt_rdmol *mol, int width, int height, char **ret_svg, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    RWMol bare(*mol->mol);
    bare.clearConformers(); /* a pose's coordinates are not a drawing */
    MolOps::removeHs(bare);
    MolDraw2DSVG drawer(width, height);
    drawer.drawOptions().clearBackground = false;
    drawer.drawOptions().bondLineWidth = 1;
    MolDraw2DUtils::prepareAndDrawMolecule(drawer, bare);
    drawer.finishDrawing();
    std::string text = drawer.getDrawingText();
    std::size_t start = text.find("<svg");
    *ret_svg = berth::copy_text(start == std::string::npos ? text : text.substr(start));
  });
}
