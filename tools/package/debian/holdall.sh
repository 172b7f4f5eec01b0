#!/bin/sh
# Holdall's command line. If root runs it, it continues as the user holdall, so that root does not own the
# service's files. Only that user can read the service's settings; for other users, it runs without them.
set -eu

# The commands for users of a drive need neither the service's user nor its settings.
case "${1-}" in
    login | logout | drives | ls | tree | cat | get | put | sync | mkdir | mv | cp | rm | bin | share | link | send | receive | watch | completion)
        exec /usr/lib/holdall/bin/holdall "$@"
        ;;
esac

if [ "$(id -u)" = 0 ]; then
    exec runuser -u holdall -- /usr/bin/holdall "$@"
fi

settings=/etc/holdall/holdall.env
if [ -r "$settings" ]; then
    # Reads the file like systemd: see EnvironmentFile= in systemd.exec(5). Nothing in it is executed.
    # Variables set by the caller take precedence.
    eval "$(LC_ALL=C awk -v quote="'" '
        function finish() {
            sub(/[ \t]+$/, "", name)
            if (name ~ /^[A-Za-z_][A-Za-z0-9_]*$/ && !(name in ENVIRON))
                print "export " name "=" quote substr(value, 1, kept) quote
            name = value = ""
            kept = 0
        }
        # The value is printed within quotes.
        function add(character) {
            value = value (character == quote ? quote "\\" quote quote : character)
        }
        { text = text $0 "\n" }
        END {
            state = "start"
            for (at = 1; at <= length(text); at++) {
                c = substr(text, at, 1)
                ends = c == "\n" || c == "\r"
                blank = c == " " || c == "\t"
                if (state == "start") {
                    if (c == "#" || c == ";") state = "comment"
                    else if (!ends && !blank) { state = "name"; name = c }
                } else if (state == "comment") {
                    if (ends) state = "start"
                } else if (state == "name") {
                    if (ends) { state = "start"; name = "" }
                    else if (c == "=") state = "before"
                    else name = name c
                } else if (state == "single") {
                    if (c == quote) state = "before"
                    else { add(c); kept = length(value) }
                } else if (state == "double") {
                    if (c == "\"") state = "before"
                    else if (c == "\\") state = "double escape"
                    else { add(c); kept = length(value) }
                } else if (state == "double escape") {
                    if (index("\"\\`$", c) == 0 && c != "\n") add("\\")
                    if (c != "\n") add(c)
                    kept = length(value)
                    state = "double"
                } else if (state == "escape") {
                    if (!ends) add(c)
                    kept = length(value)
                    state = "value"
                } else if (ends) { finish(); state = "start" }
                else if (c == "\\") state = "escape"
                else if (state == "before" && c == quote) state = "single"
                else if (state == "before" && c == "\"") state = "double"
                else if (state == "value" || !blank) {
                    state = "value"
                    add(c)
                    if (!blank) kept = length(value)
                }
            }
            if (state != "start" && state != "comment" && state != "name") finish()
        }' "$settings")"
    export HOLDALL_DATA_DIR="${HOLDALL_DATA_DIR:-/var/lib/holdall}"
fi

exec /usr/lib/holdall/bin/holdall "$@"
