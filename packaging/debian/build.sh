#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# build.sh [--headers | --programs BUILD_FOLDER] [OUTPUT_FOLDER]
#
# Builds the Debian source package and the binary packages of the last commit, in a temporary folder, and checks them
# with lintian. --headers: only libsonde-dev, for which nothing is compiled. --programs: only the other packages, with
# the programs that are in this build folder of Meson; their man pages, whose check takes a minute, are not checked. The
# packages go to OUTPUT_FOLDER (here). Their maintainer is DEBFULLNAME <DEBEMAIL>, as with other tools of Debian; without
# them an address that reaches nobody. It installs nothing: `sudo apt-get install dpkg-dev debhelper lintian`, and
# `sudo apt-get build-dep ./` in the folder of the source package.
set -eu
profile=-F
built=
unchecked=
case ${1-} in
--headers) profile=-g && shift ;;
--programs) profile='-B -d' && unchecked='-X documentation/manual' && built=$(cd "$2" && pwd) && shift 2 ;;
esac
output=$(mkdir -p "${1-.}" && cd "${1-.}" && pwd)
cd "$(dirname "$0")/../.."
for tool in dpkg-buildpackage dh lintian; do
    command -v $tool >/dev/null || {
        echo "$tool is not installed"
        exit 77
    }
done
git rev-parse --verify -q HEAD >/dev/null || {
    echo 'not a clone of the repository, whose last commit is packaged'
    exit 77
}
version=$(scripts/version.sh)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git archive --prefix="sonde-$version/" HEAD | gzip -n >"$place/sonde_$version.orig.tar.gz"
cd "$place"
tar xf "sonde_$version.orig.tar.gz"
cp -r "sonde-$version/packaging/debian" "sonde-$version/debian"
rm "sonde-$version/debian/build.sh" "sonde-$version/debian/try.sh"
if [ "${DEBEMAIL-}" ]; then
    sed -i "s|The Sonde developers <maintainers@sonde.invalid>|${DEBFULLNAME-The Sonde developers} <$DEBEMAIL>|" \
        "sonde-$version/debian/control" "sonde-$version/debian/changelog"
fi
if [ "$built" ]; then
    meson install -C "$built" --no-rebuild --destdir "$place/staged" >install.log || { cat install.log; exit 1; }
    prefix=$(meson introspect --buildoptions "$built" | sed -n 's/.*"name": "prefix", "value": "\([^"]*\)".*/\1/p')
    export DEB_BUILD_OPTIONS=noautodbgsym SONDE_INSTALLED="$place/staged$prefix"
fi
# shellcheck disable=SC2086 # several options
(cd "sonde-$version" && dpkg-buildpackage $profile -us -uc)
# A package outside of Debian closes no bug of Debian.
# shellcheck disable=SC2086 # no option, or two words
lintian $unchecked --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning --tag-display-limit 0 ./*.changes
for file in ./*.deb ./*.dsc ./*.tar.* ./*.changes ./*.buildinfo; do
    [ ! -e "$file" ] || cp "$file" "$output"
done
