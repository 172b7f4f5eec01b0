#!/bin/sh
# The script of cleanup-process.ts: cleanup-process.sh DIRECTORY
#
# Reads lines `program SIGNAL PID` and `gone SIGNAL PID`. At the end of its input, it ends the remaining
# programs and removes the directory. Programs that ignore their signal get SIGKILL.
trap '' HUP INT TERM
directory=$1
programs=

# To the system, a zombie process still exists.
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
# Pending writes of programs that just ended may make the first attempt fail.
rounds=0
until rm -rf "$directory" || [ $rounds -ge 50 ]; do
  rounds=$((rounds + 1))
  sleep 0.1
done
