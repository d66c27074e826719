#!/bin/sh
# Installs the C library, its header and its pkg-config file: sh adapters/c/install.sh PREFIX
#
# Builds it first, in the release profile. If REPERTOIRE_BUILT names a folder that holds a built library, that one is taken.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: sh adapters/c/install.sh PREFIX (such as \$HOME/repertoire or /usr/local)" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..

built=${REPERTOIRE_BUILT:-}
if [ -z "$built" ]; then
  (cd "$root" && cargo build --release -p repertoire-c)
  built=${CARGO_TARGET_DIR:-$root/target}/release
fi

mkdir -p "$1/include" "$1/lib/pkgconfig"
prefix=$(cd "$1" && pwd)
cp "$here/include/repertoire.h" "$prefix/include/"
found=no
for library in librepertoire_c.so librepertoire_c.dylib librepertoire_c.a; do
  if [ -f "$built/$library" ]; then
    cp "$built/$library" "$prefix/lib/"
    found=yes
  fi
done
if [ "$found" = no ]; then
  echo "there is no librepertoire_c in $built: build it with cargo build --release -p repertoire-c" >&2
  exit 1
fi
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$here/repertoire.pc.in" > "$prefix/lib/pkgconfig/repertoire.pc"
echo "installed Repertoire $version for C in $prefix"
