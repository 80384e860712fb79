#!/bin/sh
# Converts one document to PDF beside it, or into a folder. Never overwrites.
set -eu
input=$1
folder=${2:-$(dirname "$input")}
target=$folder/$(basename "${input%.*}").pdf
if [ -e "$target" ]; then
  echo "already there: $target" >&2
  exit 1
fi
soffice --headless --convert-to pdf --outdir "$folder" "$input" >/dev/null
echo "$target"
if command -v pdfinfo >/dev/null; then pdfinfo "$target" | grep '^Pages'; fi
