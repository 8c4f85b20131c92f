#!/bin/sh
# An agent in shell: it reports that it lives and what it uses, and writes what it does to its clipboard. It serves no requests.
set -u
started=$(date +%s) mode=${MODE:-IDLE}
case $mode in EMERGENCY) pause=2 ;; SLEEP) pause=450 ;; *) pause=15 ;; esac
trap 'exit 0' TERM INT

# The key is handed over as a file, so that it stands in no list of processes.
post() {
  printf 'Authorization: Bearer %s\n' "$PATCHBAY_API_KEY" |
    curl -sS -o /dev/null -w "$1: %{http_code}\n" --max-time 10 -H @- -H 'Content-Type: application/json' -d "$2" "$PATCHBAY_URL/api$1"
}

while :; do
  up=$(($(date +%s) - started))
  post "/agents/$PATCHBAY_AGENT_UUID/heartbeat" "{\"mode\": \"$mode\", \"uptime_seconds\": $up}"
  if [ $((up - ${reported:--60})) -ge 60 ]; then
    reported=$up memory=$(awk '/VmRSS/ { print $2 / 1024 }' /proc/$$/status)
    post "/agents/$PATCHBAY_AGENT_UUID/metrics" "{\"cpu_percent\": 0, \"memory_mb\": ${memory:-0}, \"requests_handled\": 0}"
    post /clipboard "{\"name\": \"agent-$PATCHBAY_AGENT_UUID\", \"value\": \"Up for $up seconds.\", \"createdByTool\": \"example-agent\"}"
  fi
  sleep "$pause" & wait $!
done
