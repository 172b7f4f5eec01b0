#!/bin/sh
# Installs packages of Debian or Ubuntu and starts none of the services in them: install-packages.sh POLICY PACKAGE...
#
# POLICY is /usr/sbin/policy-rc.d, which the installation of a service asks whether it may start it. Nothing else holds
# it back on every machine: RUNLEVEL=1 is heard by invoke-rc.d alone, and systemd's part never looks at it. One that the
# machine has already stays as it is. Run under a lock of ours, so that nobody takes our policy from somebody else.
set -eu
policy=$1
shift
mark='# Made by the tests of Holdall for the time of an installation.'

if [ ! -e "$policy" ] || grep -qxF "$mark" "$policy"; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 143' HUP INT TERM
  printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$policy"
  chmod 755 "$policy"
fi

# apt waits for the lock of dpkg, and fails at once where another one loads lists or packages.
apt() {
  until said=$(apt-get -qq -o DPkg::Lock::Timeout=300 "$@" 2>&1 </dev/null); do
    case $said in
      *'Could not get lock'* | *'Unable to lock'*) sleep 2 ;;
      *) return 1 ;;
    esac
  done
}

# What was loaded before may do where a source is out of reach.
complaint=
apt update || complaint=$said
if ! apt install -y --no-install-recommends "$@"; then
  printf '%s\n%s\n' "$complaint" "$said" >&2
  exit 1
fi
