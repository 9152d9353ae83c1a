# Runs the command given (pg_ctl start) with our standard input as its descriptor 3 and our standard
# output as its descriptor 4, says whether it worked, and stays until that input ends. Ctrl-C reaches
# the whole foreground group: when the server stops is for the program to say, so it is not heard
# here.
exec 3<&0 4>&1
trap '' INT HUP TERM
"$@" </dev/null 2>&1 || {
  echo failed
  exit 1
}
echo started
exec cat <&3 >/dev/null 4>&-
