# The libraries of executables, and the Debian packages that they come from. Sourced after
# project.sh.
# shellcheck shell=bash

# linked FILE…: prints the paths of all libraries that the loader finds for executables.
linked() {
  local lines missing
  lines=$(ldd "$@" 2>&1) || fail "ldd can't read an executable: $lines" 65
  missing=$(grep 'not found' <<< "$lines" | sort -u) || true
  [[ -z $missing ]] || fail "libraries are missing: $missing" 69
  # ldd's lines are "name => path (address)", and "path (address)" for the loader.
  sed -n 's|^[^/]*\(/[^ ]*\) (.*|\1|p' <<< "$lines" | sort -u
}

# owners LIBRARY…: prints lines "package: path". Libraries that belong to no package have no line.
# A package may list a library with or without /usr in front of its path.
owners() {
  local library
  for library in "$@"; do
    library=$(readlink -f "$library")
    printf '%s\n' "$library" "${library#/usr}" "/usr$library"
  done | xargs dpkg-query -S 2>/dev/null | sed '/^diversion/d' || true
}

# needed FILE…: prints lines "library package" for the libraries that executables name themselves,
# without those that only other libraries need.
needed() {
  local library path package
  linked "$@" > /dev/null
  objdump -p "$@" | awk '$1 == "NEEDED" { print $2 }' | sort -u | while read -r library; do
    path=$(linked "$@" | grep -F -m 1 "/$library") || continue
    package=$(owners "$path" | sed -n '1s/:.*//p')
    [[ -z $package ]] || echo "$library $package"
  done
}
