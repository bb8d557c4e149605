# gpf.sh - makes grid parameter files for complexes of the development set; sourced by scripts of this folder.

types() { grep -hE '^(ATOM|HETATM)' "$1" | cut -c78-80 | tr -d ' \r' | sort -u | tr '\n' ' '; }

# make_gpf COMPLEX_FOLDER > x.gpf
make_gpf() {
  local field ligand
  field() { awk -v key="#$1" '$1 == key { $1 = ""; print substr($0, 2) }' "$2/protein.maps.fld"; }
  ligand=$(types "$1/flex-xray.pdbqt")
  echo "npts $(field NELEMENTS "$1")"
  echo "gridfld protein.maps.fld"
  echo "spacing $(field SPACING "$1")"
  echo "receptor_types $(types "$1/protein.pdbqt")"
  echo "ligand_types $ligand"
  echo "receptor protein.pdbqt"
  echo "gridcenter $(field CENTER "$1")"
  echo "smooth 0.5"
  for t in $ligand; do echo "map protein.$t.map"; done
  printf 'elecmap protein.e.map\ndsolvmap protein.d.map\ndielectric -0.1465\n'
}

# make_maps SET42 COMPLEX: makes a folder COMPLEX here with links to the complex's files and the maps of its box
make_maps() {
  [ ! -e "$2/protein.maps.fld" ] || return 0
  local autogrid
  if ! autogrid=$(command -v berth-autogrid); then
    echo "make_maps: no berth-autogrid; put build/release/bin on PATH" >&2
    return 1
  fi
  autogrid=$(readlink -f "$autogrid") # PATH may be relative to this folder
  mkdir -p "$2"
  ln -sf "$(readlink -f "$1")/$2"/{protein,rand-0,flex-xray}.pdbqt "$2"
  make_gpf "$1/$2" >"$2/protein.gpf"
  (cd "$2" && "$autogrid" -p protein.gpf -l protein.glg >/dev/null)
}
