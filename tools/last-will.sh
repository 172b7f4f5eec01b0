#!/bin/sh
# The executor of last-will.ts: last-will.sh DIRECTORY
#
# Reads `program SIGNAL PID` and `gone SIGNAL PID`, line by line. When there is no more to read it ends the programs
# that are left, by KILL those that have not heard, and removes the directory.
trap '' HUP INT TERM
directory=$1
programs=

# One that has ended and whom nobody has asked for its status is still known to the system.
lives() {
  kill -0 "$1" && case $(cat "/proc/$1/stat") in *') Z '*) return 1 ;; esac
}

while read -r word signal pid; do
  if [ "$word" = program ]; then
    programs="$programs $signal:$pid"
  else
    others=
    for each in $programs; do
      [ "$each" = "$signal:$pid" ] || others="$others $each"
    done
    programs=$others
  fi
done

for each in $programs; do
  kill -"${each%%:*}" "${each##*:}"
done
for each in $programs; do
  rounds=0
  while lives "${each##*:}" && [ $rounds -lt 100 ]; do
    rounds=$((rounds + 1))
    sleep 0.02
  done
  lives "${each##*:}" && kill -KILL "${each##*:}"
done
# What the system still writes for those who just went away may make the first attempt fail.
for _ in 1 2 3 4 5; do
  rm -rf "$directory" && break
  sleep 0.1
done
