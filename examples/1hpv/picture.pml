# Draws docs/images/1hpv.png: from the top of the source tree, after scripts/demo,
#   pymol -cq examples/1hpv/picture.pml
load demo-output/receptor.pdbqt, protein
load examples/1hpv/ligand-crystal.pdbqt, crystal
load demo-output/amprenavir.pdbqt, docked
bg_color white
hide everything
show cartoon, protein
color gray80, protein
show sticks, crystal or docked
hide sticks, elem H
color orange, crystal
util.cnc docked
color teal, docked and elem C
set stick_radius, 0.18
set cartoon_transparency, 0.15
set ray_shadows, 0
set depth_cue, 1
set antialias, 2
frame 1
orient crystal
turn x, -20
zoom crystal, 6
ray 1000, 620
png docs/images/1hpv.png, dpi=144
