"""Shared by tests of reports: the data of a page, and docking logs of given poses."""
import json
import re


def data_of(path):
    """The JSON object in a page."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL).group(1))


def docking_log(ligand, receptor="receptor"):
    """A docking log with one pose: the ligand's PDBQT text, not moved."""
    lines = ["Berth version: 0.0.0", f"Receptor name:                             {receptor}"]
    lines += ["INPUT-LIGAND-PDBQT: " + line for line in ligand.splitlines()]
    lines += ["DOCKED: MODEL        1", "DOCKED: USER    Run = 1",
              "DOCKED: USER    Estimated Free Energy of Binding    =  -1.00 kcal/mol  [=(1)+(2)+(3)-(4)]",
              "DOCKED: USER    (1) Final Intermolecular Energy     =  -1.00 kcal/mol"]
    lines += ["DOCKED: " + line for line in ligand.splitlines() if line.startswith(("ATOM", "HETATM"))]
    lines += ["DOCKED: TER", "DOCKED: ENDMDL",
              "   1      1      1       -1.00      0.00      0.00           RANKING", ""]
    return "\n".join(lines)
