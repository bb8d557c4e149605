"""berth vina --rescore: modes in the order of further functions and of networks, as berth dock has them."""
import re

import berth_cli as cli
from test_vina import HEAD, QUICK, Base, models
from torch_files import archive, random_values, shapes


class Rescore(Base):
    """Modes in the order of re-scorers, as `berth dock` ranks them."""
    SEARCH = [*QUICK, "--energy_range", "1000"]

    def remarks(self, text):
        return [re.findall(r"(?m)^REMARK BERTH .*$", model) for model in text.split("ENDMDL\n")[:-1]]

    def coordinates(self, text):
        return re.findall(r"(?m)^ATOM.{24}(.{24})", text)

    def network(self):
        self.write("own.pt", archive(shapes(), random_values(7)))
        return ["cnn", "--cnn", "own.pt"]

    def rows(self, result, *names):
        """The rows of the table, whose heading is Vina's with these columns behind."""
        heading = re.search(r"\nmode \|.*from best mode  \|(.*)\n.*\n(-+\+.*)\n", result.stdout)
        self.assertEqual([name.strip() for name in heading[1].split("|")], list(names))
        rows = re.findall(r"(?m)^ {3}\d  .*$", result.stdout[heading.end():])
        self.assertEqual({len(row) for row in rows}, {len(heading[2])})
        return [[float(x) for x in row.split()] for row in rows]

    def test_as_berth_dock(self):
        """The same search, order and remarks; the lines of the ligand are the input's, as always with Vina's options."""
        result = self.vina(*self.SEARCH, "--min_rmsd", "1", "--rescore", "vinardo")
        self.assert_well(result)
        self.assertIn("Modes re-ranked by: Vinardo (ranks)\n", result.stdout)
        self.assertIn("\nModes in the order of --rank-by ranks\n", result.stdout)
        self.assert_well(self.berth("dock", "-r", "receptor.pdbqt", "-l", "ligand.pdbqt", "-o", "out", *cli.BOX, "-n", "3",
                                    "--evals", "3000", "-s", "7", "-t", "1", "--rmsd-tolerance", "1", "--scoring", "vina",
                                    "--rescore", "vinardo", "--format", "pdbqt"))
        ours, theirs = self.text("ligand_out.pdbqt"), self.text("out/ligand.pdbqt")
        rows, remarks = self.rows(result, "Vinardo"), self.remarks(ours)
        self.assertGreater(len(rows), 2)
        self.assertEqual(len(rows), len(remarks))
        self.assertEqual(remarks, self.remarks(theirs))
        self.assertEqual(self.coordinates(ours), self.coordinates(theirs))
        for row, model, lines in zip(rows, models(ours), remarks):
            self.assertAlmostEqual(row[1], model[0], delta=0.01)
            self.assertAlmostEqual(row[4], float(re.findall(r"rescored vinardo (\S+) rank", "".join(lines))[0]), delta=0.01)
        self.check_lines_of_input(ours)

    def check_lines_of_input(self, text):
        source = [line[:30] + line[54:] for line in self.text("ligand.pdbqt").splitlines() if line.startswith("ATOM")]
        for model in text.split("ENDMDL\n")[:-1]:
            self.assertEqual([x[:30] + x[54:] for x in model.splitlines() if x.startswith("ATOM")], source)

    def test_order(self):
        for by in "score", "ranks", "blend", "sum":
            result = self.vina(*self.SEARCH, "--rescore", "vinardo", "--rank-by", by, "--out", f"{by}.pdbqt")
            self.assert_well(result)
            rows = self.rows(result, "Vinardo")
            key = {"score": lambda row: row[4], "sum": lambda row: row[1] + row[4]}.get(by)
            for before, after in zip(rows, rows[1:] if key is not None else []):
                self.assertLess(key(before), key(after) + 0.0021)  # of two numbers with three decimals each
        few = self.vina(*self.SEARCH, "--rescore", "vinardo", "--rank-by", "score", "--num_modes", "2", "--out", "few.pdbqt")
        self.assertEqual(len(self.rows(few, "Vinardo")), 2)
        plain = self.vina(*self.SEARCH, "--rescore", "none")
        self.assertIn(HEAD, plain.stdout)
        self.assertNotIn("REMARK BERTH", self.text("ligand_out.pdbqt"))

    def test_energy_range(self):
        """Of affinities: modes above the lowest one are not written, whatever their rank."""
        by = ["--rescore", "vinardo", "--rank-by", "score"]
        self.assert_well(self.vina(*self.SEARCH, *by, "--out", "all.pdbqt"))
        energies_of_all = [model[0] for model in models(self.text("all.pdbqt"))]
        limit = sorted(energies_of_all)[len(energies_of_all) // 2] - min(energies_of_all)
        self.assert_well(self.vina(*QUICK, *by, "--energy_range", f"{limit + 0.002:.3f}", "--out", "some.pdbqt"))
        self.assertEqual([model[0] for model in models(self.text("some.pdbqt"))],
                         [energy for energy in energies_of_all if energy <= min(energies_of_all) + limit + 0.001])

    def test_networks(self):
        self.write("lib/a.pdbqt", cli.ligand(remarks=["a"]))
        self.write("lib/b.pdbqt", cli.ligand(7, 2, remarks=["b"]))
        result = self.vina(*QUICK, "--rescore", *self.network(), "--num_modes", "2", "--batch", "lib/a.pdbqt", "lib/b.pdbqt",
                           "--dir", "docked", ligand=False)
        self.assert_well(result)
        self.assertIn("Modes re-ranked by: CNN own.pt (sum)\n", result.stdout)
        self.assertEqual(result.stdout.count("CNNscore | CNNaffinity\n"), 2)
        for name in "ab":
            first = self.remarks(self.text(f"docked/{name}_out.pdbqt"))[0]
            self.assertRegex("\n".join(first), r"ranked_by sum rank_energy -?\d.*\n(.*\n)*REMARK BERTH rescored cnn \S+ rank \d+ "
                             r"moved 0\.000 CNNscore [01]\.\d+ CNNaffinity -?\d")

    def test_refusals(self):
        for words, *parts in ((["--rescore", "vina"], "vina is the scoring function of the docking itself"),
                              (["--rescore", "nonesuch"], "--rescore: "), (["--rank-by", "sum"], "--rank-by needs --rescore"),
                              (["--rescore", "vinardo", "--cnn", "fast"], "--cnn names the networks of --rescore cnn"),
                              (["--rescore", "vinardo", "--score_only"], "--rescore", "--score_only"),
                              (["--rescore", "vinardo", "--local_only"], "--rescore", "--local_only"),
                              (["--rescore", "vinardo", "--randomize_only"], "--rescore", "--randomize_only")):
            self.assert_refused(self.vina(*words), *parts)
        self.assert_refused(self.vina("--rescore", "vinardo", "--ligand", "ligand.pdbqt", "--out", "two.pdbqt"), "--batch")
        self.assert_well(self.vina(*QUICK, "--write_maps", "maps"))
        self.assert_refused(self.vina("--maps", "maps", "--rescore", "vinardo", receptor=False, box=False), "receptor's atoms")


if __name__ == "__main__":
    cli.main()
