#!/usr/bin/env bash
# Creates the root file system of a container as two folders, one for each layer:
#
#   OUT/base   Debian's files that the executables need: libraries, certificate authorities, time
#              zones, user names; also the packages' licenses, and their dpkg records where scanners expect them
#   OUT/app    /app with the executables, and /app/main, a link to the function
#
# It also writes OUT/unpackaged, the names of libraries that belong to no Debian package.
#
# usage: rootfs.sh PRODUCT BINARIES OUT
#
# BINARIES has the executables. The libraries are those that ldd finds on this machine. Both the
# Dockerfile and `deploy.sh image` use this script.
set -euo pipefail

[[ $# -eq 3 ]] || { echo "usage: $0 PRODUCT BINARIES OUT" >&2; exit 64; }
product=$1
binaries=$2
out=$3
# shellcheck source=Functions/Deployment/project.sh
. Functions/Deployment/project.sh
# shellcheck source=Functions/Deployment/libraries.sh
. Functions/Deployment/libraries.sh
need dpkg-query ldd openssl
[[ ! -e $out ]] || fail "$out already exists" 73
umask 022
base=$out/base
app=$out/app/app
mkdir -p "$base" "$app"

for executable in $(image_products "$product"); do
  [[ -x $binaries/$executable ]] || fail "there is no executable $binaries/$executable" 66
  install -m 755 "$binaries/$executable" "$app/$executable"
done
libraries=$(cd "$app" && linked ./*)
if [[ $product = emulator ]]; then version_line > "$app/VERSION"; else ln -s "$product" "$app/main"; fi

# /lib and /lib64 are links to those of /usr, as in Debian.
mkdir -p "$base/usr/lib" "$base/usr/lib64"
ln -s usr/lib "$base/lib"
ln -s usr/lib64 "$base/lib64"

multiarch=$base/usr/lib/$(uname -m)-linux-gnu
mkdir -p "$multiarch"
for library in $libraries; do
  case $library in
    # The loader keeps its folder, because every executable contains the loader's path.
    */ld-linux*) install -m 755 "$library" "$base/$(dirname "${library#/}")" ;;
    *) install -m 755 "$library" "$multiarch" ;;
  esac
done

# OpenSSL finds an authority's file by the hash of its name, and reads only that file. Only Debian's
# authorities are copied: this machine may trust others.
mkdir -p "$base/etc/ssl/certs" "$base/usr/lib/ssl"
for certificate in /usr/share/ca-certificates/mozilla/*.crt; do
  install -m 644 "$certificate" "$base/etc/ssl/certs/$(basename "$certificate" .crt).pem"
done
openssl rehash "$base/etc/ssl/certs"
ln -s /etc/ssl/certs "$base/usr/lib/ssl/certs"

# sendNotification reads these for users' quiet hours. The folders posix and right repeat all zones.
mkdir -p "$base/usr/share"
cp -R --preserve=links,mode /usr/share/zoneinfo "$base/usr/share/zoneinfo"
rm -rf "$base"/usr/share/zoneinfo/{posix,right,localtime,posixrules}

install -m 644 /etc/os-release "$base/etc/os-release"
echo 'root:x:0:0:root:/:/sbin/nologin
nonroot:x:65532:65532:nonroot:/:/sbin/nologin' > "$base/etc/passwd"
echo 'root:x:0:
nonroot:x:65532:' > "$base/etc/group"
echo 'hosts: files dns' > "$base/etc/nsswitch.conf"

# Mount points for the container runtime, which can't create them in a read-only root.
mkdir -p "$base/dev" "$base/proc" "$base/sys" "$base/tmp"
chmod 1777 "$base/tmp"

# shellcheck disable=SC2086
owned=$(owners $libraries)
mkdir -p "$base/var/lib/dpkg/status.d"
packages=$({ printf '%s\n' base-files ca-certificates tzdata; awk -F ': ' '{ print $1 }' <<< "$owned"; } | sort -u)
for package in $packages; do
  name=${package%%:*}
  dpkg-query -s "$package" > "$base/var/lib/dpkg/status.d/$name"
  install -D -m 644 "/usr/share/doc/$name/copyright" "$base/usr/share/doc/$name/copyright"
done
for library in $libraries; do
  name=$(basename "$(readlink -f "$library")")
  [[ $owned$'\n' == *"/$name"$'\n'* ]] || basename "$library"
done > "$out/unpackaged"
