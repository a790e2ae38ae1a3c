#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# install.sh PACKAGE...
#
# Installs the Debian packages that are missing; does nothing, and needs neither rights nor a network, when none is.
set -eu
cd "$(dirname "$0")/.."
if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: going on with what is installed (Debian calls what is needed: $*)"
    exit 0
fi
missing=
for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "missing packages:$missing"

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || {
        echo 'Neither root nor sudo is here to install them.' >&2
        exit 1
    }
    $as_root true # asks for a password, if there is one, before lines are rewritten
fi
apt="$as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C
    apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120"
log=$(mktemp)
policy=
trap 'rm -f "$log"; [ -z "$policy" ] || $as_root rm -f "$policy"' EXIT

# Tests start their own daemons: those of the packages do not begin to run.
if [ ! -e /usr/sbin/policy-rc.d ]; then
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
    $as_root chmod 755 "$policy"
fi

# quietly APT_ARGUMENT...: without Python, nothing can be counted.
quietly() {
    $apt "$@" >"$log" 2>&1 </dev/null || {
        tail -n 20 "$log" >&2
        exit 1
    }
}

echo 'fetching the lists of packages'
quietly update
offline=$(sed -n 's/^Err:[0-9]* //p' "$log" | head -n 1)
known=$(apt-cache show --no-all-versions $missing 2>/dev/null | sed -n 's/^Package: //p')
for package in $missing; do
    echo "$known" | grep -Fqx "$package" && continue
    [ -z "$offline" ] || {
        echo "They cannot be installed: apt does not reach $offline" >&2
        exit 1
    }
    echo "not in this release of Debian: $package"
done
[ -n "$known" ] || exit 0
command -v python3 >/dev/null || {
    echo 'installing python3, which counts the rest'
    quietly install python3
}
scripts/progress.py 'installing packages' "$log" $apt install $known
