#!/usr/bin/env python3
"""Molecules of awkward kinds come out of Berth as the molecules that went in, or are refused for a stated reason.

tests/data/awkward.smi says of each molecule whether it is prepared or refused. A prepared one is compared with its own
SDF, as RDKit from PyPI reads it: as drawn with the SMILES of the file, and as protonated at pH 7.4 with the SMILES that
Berth writes into the PDBQT. Equal are InChIKeys; where the SMILES leaves stereochemistry open, those without
stereochemistry, and every center and double bond that it gives. Needs RDKit from PyPI (see test_parsers.py).
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest

from test_parsers import interpreter, skip, skips

try:
    from rdkit import Chem, RDLogger
    RDLogger.DisableLog("rdApp.*")
except ImportError: # this file then runs itself again in an environment that has it
    Chem = None

MOLECULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "awkward.smi")


def largest(mol):
    return max(Chem.GetMolFrags(mol, asMols=True), key=lambda fragment: fragment.GetNumHeavyAtoms())


def key(mol, options=""):
    return Chem.InchiToInchiKey(Chem.MolToInchi(mol, options=options))


def compare(smiles, path):
    """"same", or how the molecule of the SDF file differs from that of the SMILES."""
    given, made = Chem.MolFromSmiles(smiles), Chem.MolFromMolFile(path, removeHs=False)
    if given is None or made is None:
        return "RDKit does not read it"
    given = largest(given)
    Chem.AssignStereochemistryFrom3D(made)
    if Chem.GetFormalCharge(given) != Chem.GetFormalCharge(made):
        return f"charge {Chem.GetFormalCharge(made)} for {Chem.GetFormalCharge(given)}"
    if key(given) == key(made):
        return "same"
    texts = f"{Chem.MolToSmiles(Chem.RemoveHs(made))} for {Chem.MolToSmiles(given)}"
    if key(given, "-SNon") != key(made, "-SNon"):
        return texts
    if key(given) == key(given, "-SNon"):
        return "same" # nothing is said
    wanted = Chem.SubstructMatchParameters()
    wanted.useChirality = True
    fits = Chem.RemoveHs(made).HasSubstructMatch(Chem.RemoveHs(given), wanted)
    left_open = any(str(info.specified) == "Unspecified" for info in Chem.FindPotentialStereo(given))
    return "same" if fits and left_open else "stereochemistry: " + texts


def molecules():
    with open(MOLECULES, encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream if not line.startswith("#")]
    return {name: (smiles, fate) for smiles, name, fate in rows}


def prepare(folder, *options):
    """Names of prepared molecules, and {name: reason} of the others."""
    done = subprocess.run([BIN, "prep", "ligand", MOLECULES, "-o", folder, "--format", "pdbqt,sdf", "-q", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        raise RuntimeError(done.stderr)
    rejects = {}
    path = os.path.join(folder, "rejects.csv")
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as stream:
            rejects = {row["ligand"]: row["message"] for row in csv.DictReader(stream)}
    return rejects


def smiles_of(path):
    """The protonated molecule, as Berth writes it."""
    with open(path, encoding="utf-8") as stream:
        return re.search(r"^REMARK SMILES ([^I]\S*|I\S+)$", stream.read(), flags=re.M).group(1)


class Awkward(unittest.TestCase):
    def check(self, folder, rejects, smiles):
        found = {name: compare(text, f"{folder}/{name}.sdf") for name, text in smiles.items()}
        wrong, counts = [], {"same": 0, "rejected by reason": 0, "different": 0}
        for name, (_, fate) in molecules().items():
            if name in rejects:
                expected = fate != "same" and re.search(fate, rejects[name])
                counts["rejected by reason"] += bool(expected)
                if not expected:
                    wrong.append(f"{name}: rejected: {rejects[name]}")
            elif found[name] != "same" or fate != "same":
                wrong.append(f"{name}: {found[name]} (expected: {fate})")
            else:
                counts["same"] += 1
        counts["different"] = len(wrong)
        print(", ".join(f"{count} {what}" for what, count in counts.items()))
        print("\n".join(wrong))
        self.assertEqual([], wrong)

    def test_as_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            rejects = prepare(folder, "--as-drawn")
            smiles = {name: text for name, (text, _) in molecules().items() if name not in rejects}
            self.check(folder, rejects, smiles)

    def test_at_the_usual_ph(self):
        with tempfile.TemporaryDirectory() as folder:
            rejects = prepare(folder)
            smiles = {name: smiles_of(f"{folder}/{name}.pdbqt") for name in molecules() if name not in rejects}
            self.check(folder, rejects, smiles)


def need_rdkit(berth, script, chem):
    """RDKit judges: without it the script runs again in the environment that has it. Skips where there is none, or where
    Berth has none."""
    if chem is None:
        python, problem = interpreter(os.path.join(os.path.dirname(os.path.dirname(berth)), "parsers-venv"))
        if python is None:
            skip(problem)
        sys.exit(subprocess.run([python, os.path.abspath(script), sys.argv[1]], check=False).returncode)
    if "this build has no RDKit" in subprocess.run([berth, "prep", "ligand", MOLECULES, "-o", os.devnull],
                                                   capture_output=True, text=True, check=False).stderr:
        skip("this build has no RDKit")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_awkward.py BIN")
    BIN = os.path.join(os.path.abspath(sys.argv[1]), "berth")
    need_rdkit(BIN, __file__, Chem)
    skips.main()
