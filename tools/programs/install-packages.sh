#!/bin/sh
# Installs packages of Debian or Ubuntu and starts none of the services in them: install-packages.sh POLICY PACKAGE...
#
# POLICY is /usr/sbin/policy-rc.d, which decides whether an installed service may start. Nothing else prevents the start
# on every machine: RUNLEVEL=1 affects invoke-rc.d only, not systemd. An existing policy of the machine is not changed.
# Runs under our own lock, so that concurrent runs do not remove each other's policy.
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

# apt waits for dpkg's lock, but fails at once if another process downloads lists or packages.
apt() {
  until said=$(apt-get -qq -o DPkg::Lock::Timeout=300 "$@" 2>&1 </dev/null); do
    case $said in
      *'Could not get lock'* | *'Unable to lock'*) sleep 2 ;;
      *) return 1 ;;
    esac
  done
}

# If a source is unreachable, the lists that were downloaded before may suffice.
complaint=
apt update || complaint=$said
if ! apt install -y --no-install-recommends "$@"; then
  printf '%s\n%s\n' "$complaint" "$said" >&2
  exit 1
fi
