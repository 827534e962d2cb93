# The .deb of the emulator and the functions. Sourced after project.sh.
# shellcheck shell=bash

# Prints the version in Debian's form, which starts with a digit. Without a tag, it starts with 0
# and the time of the sources, so that later sources have a higher version.
debian_version() {
  local version
  version=$(version)
  if [[ $version =~ ^v?([0-9]+\.[0-9].*)$ ]]; then
    version=${BASH_REMATCH[1]}
  else
    version=0.$(date --utc --date="@$(source_date)" +%Y%m%d%H%M%S).$version
  fi
  # A hyphen would begin the revision of a packaging.
  tr -c 'A-Za-z0-9.+~\n' + <<< "$version"
}

# Prints the file's name without .deb.
debian_name() {
  echo "worldchat-functions_$(debian_version)_$(dpkg --print-architecture)"
}

# debian_package FOLDER FILE: makes a .deb that installs a folder's bin, lib and share in /usr.
# $work is a temporary folder.
debian_package() {
  local root=$work/debian depends
  mkdir -p "$root/DEBIAN" "$root/usr" "$work/shlibdeps/debian"
  cp -R "$1/bin" "$1/lib" "$1/share" "$root/usr"
  # Debian's zsh reads the completions of packages from another folder.
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"

  # dpkg-shlibdeps only runs in the folder of a source package.
  echo "Source: worldchat-functions" > "$work/shlibdeps/debian/control"
  depends=$(cd "$work/shlibdeps" && find "$root/usr/lib" -type f -perm -100 -print0 \
    | xargs -0 dpkg-shlibdeps -O 2> "$work/shlibdeps/errors") \
    || fail "dpkg-shlibdeps failed: $(cat "$work/shlibdeps/errors")"
  depends=${depends#shlibs:Depends=}
  # sendNotification reads the time zones. The authorities are for real providers.
  cat > "$root/DEBIAN/control" <<END
Package: worldchat-functions
Version: $(debian_version)
Architecture: $(dpkg --print-architecture)
Maintainer: WorldChat <nobody@localhost>
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
Depends: $depends, tzdata
Recommends: ca-certificates
Section: devel
Priority: optional
Description: WorldChat's functions and a local Firebase emulator
 A local emulator of Firestore, Authentication, the Realtime Database and Cloud
 Storage in one program, and the functions that it runs: the server side of a
 multilingual chat.
END
  (cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) > "$root/DEBIAN/md5sums"
  SOURCE_DATE_EPOCH=$(source_date) dpkg-deb --root-owner-group -Zzstd -z3 --build "$root" "$2" > /dev/null
}
