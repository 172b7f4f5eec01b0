#!/bin/sh
# Runs Holdall with the Node.js beside it: `holdall serve` is the service, `holdall help` shows the commands.
set -eu
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
home=$(cd "$(dirname "$self")/.." && pwd -P)
NODE_ENV=${NODE_ENV:-production}
export NODE_ENV
exec "$home/bin/node" "$home/server/dist/cli/main.js" "$@"
