#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# try.sh [--headers] OUTPUT_FOLDER
#
# For a Debian that may be changed, such as a container: installs what the packages are built with, builds them by
# build.sh, installs them, and runs their tests (autopkgtest) on this system.
set -eu
cd "$(dirname "$0")/../.."
only=
headers=
[ "${1-}" != --headers ] || { headers=$1 only=--test-name=headers && shift; }
output=${1:?"usage: try.sh [--headers] OUTPUT_FOLDER"}
scripts/install.sh autopkgtest debhelper dpkg-dev lintian
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
# shellcheck disable=SC2086 # no option, or one
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends build-dep ${headers:+--indep-only} ./packaging
packaging/debian/build.sh $headers "$output"
$as_root env DEBIAN_FRONTEND=noninteractive autopkgtest $only "$output"/*.changes -- null
