#!/bin/sh
# Run by pg_ctl in place of postgres, so already in a session of its own, out of reach of a Ctrl-C
# or kill aimed at the program that wants the server. Becomes the server and leaves behind a watcher
# that stops it once descriptor 3 is at its end: when the program closes it or is gone, however it
# went. The watcher is nobody's child, since postgres looks after its own children only.
server=$$
(
  {
    cat <&3
    kill -INT "$server"
    tries=0
    while kill -0 "$server" && [ "$tries" -lt 20 ]; do
      tries=$((tries + 1))
      sleep 1
    done
    kill -QUIT "$server"
  } >/dev/null 2>&1 &
)
exec "$(dirname "$0")/postgres" "$@" 3<&-
