#!/bin/sh
# Runs Holdall with the packaged Node.js: `holdall serve` runs the service, `holdall help` lists the commands.
set -eu
self=$0
case $self in
  */*) ;;
  *) self=./$self ;;
esac
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
home=$(cd "${self%/*}/.." && pwd -P)
NODE_ENV=${NODE_ENV:-production}
export NODE_ENV
exec "$home/bin/node" "$home/server/dist/cli/main.js" "$@"
