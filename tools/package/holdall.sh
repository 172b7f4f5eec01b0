#!/bin/sh
# Runs Holdall with the Node.js beside it: `holdall serve` is the service, `holdall help` shows the commands.
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
