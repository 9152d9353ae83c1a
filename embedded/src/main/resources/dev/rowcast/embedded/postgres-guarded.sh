#!/bin/sh
# Run by pg_ctl in place of postgres, so already in a session of its own, out of reach of a Ctrl-C
# or kill aimed at the program that wants the server. Becomes the server and leaves behind a watcher
# that stops it once descriptor 3 is at its end: when the program closes it or is gone, however it
# went. The watcher is nobody's child, since postgres looks after its own children only. Descriptor 4
# is open as long as the watcher is there: so the program sees it go. A server that has ended may be
# counted as running where nobody looks at its end; its file is gone then.
server=$$
(
  {
    cat <&3
    kill -INT "$server"
    tenths=0
    while kill -0 "$server" && [ -e "$PGDATA/postmaster.pid" ] && [ "$tenths" -lt 200 ]; do
      if sleep 0.1; then
        tenths=$((tenths + 1))
      else # not everywhere are there parts of a second
        sleep 1
        tenths=$((tenths + 10))
      fi
    done
    kill -QUIT "$server"
  } >/dev/null 2>&1 &
)
exec "$(dirname "$0")/postgres" "$@" 3<&- 4>&-
