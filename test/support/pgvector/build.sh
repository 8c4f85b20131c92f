#!/usr/bin/env bash
# Builds pgvector 0.8.0 for Debian's PostgreSQL 15 from Debian's sources, once, into a folder outside the clone. Debian 12 has no package of it.
#
#     test/support/pgvector/build.sh [FOLDER]
#
# FOLDER is by default $XDG_CACHE_HOME/patchbay-pgvector (~/.cache/patchbay-pgvector); vector.so, vector.control and vector--0.8.0.sql are then in it.
# Where they are, it ends at once. A build takes half a minute, most of it Debian's lists of packages; 400 kB stay.
# It needs Debian 12 with its package mirror, dpkg-dev and gcc; nothing is installed, and no right of root is used. Two at once wait for each other.
set -euo pipefail
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/patchbay-pgvector}
version=0.8.0
# Debian 13's source package of pgvector.
source_version=0.8.0-1
source_sha256=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
is_built() { [ -f "$folder/vector.so" ] && [ -f "$folder/vector.control" ] && [ -f "$folder/vector--$version.sql" ]; }
is_built && exit 0
. "$(dirname "${BASH_SOURCE[0]}")/../debian-packages.sh"
require_tools 'pgvector' 'apt dpkg-dev gcc util-linux tar' apt-get dpkg-deb gcc flock tar
exec 9>"$folder/lock"
flock 9
is_built && exit 0
work=$folder/work

# The machine's own mirror and Debian 13's sources there, in lists of our own: the system's configuration stays as it is.
rm -rf "$work"
mkdir -p "$work"/{apt/lists/partial,apt/cache/archives/partial,root,source}
mirror=$(awk '/^URIs:/{print $2; exit}' "$sources")
cat "$sources" - >"$work/apt/debian.sources" <<SOURCES

Types: deb-src
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
read_lists
cd "$work/source"
apt-get -qq download postgresql-server-dev-15
for package in *.deb; do dpkg-deb -x "$package" "$work/root"; done
apt-get -qq source --download-only "pgvector=$source_version"
echo "$source_sha256  pgvector_$version.orig.tar.gz" | sha256sum --check --quiet
tar -xzf "pgvector_$version.orig.tar.gz" --strip-components=1
# As its Makefile has it, without the instructions of this machine alone.
gcc -O2 -ftree-vectorize -fassociative-math -fno-signed-zeros -fno-trapping-math -fPIC -shared -D_GNU_SOURCE \
  -I"$work/root/usr/include/postgresql/15/server" -o "$work/vector.so" src/*.c
cp sql/vector.sql "$folder/vector--$version.sql"
cp vector.control "$folder/"
mv "$work/vector.so" "$folder/"
cd "$folder"
rm -rf "$work"
