# The steps of container.sh with podman or docker. Sourced by it.

build() { "$engine" build --pull -f Containerfile -t "$IMAGE" .; }

# Prints the size of the files of an image, which is the same with every engine and storage.
bytes_of() {
  local container
  container=$("$engine" create "$1" true)
  "$engine" export "$container" | wc -c
  "$engine" rm "$container" >/dev/null
}

# run_once INIT COMMAND...   Runs a command below the image's tini, with an init before it if INIT is not empty. Docker
# takes the name of a program as entry point, not a list; what follows the image are its arguments with both.
run_once() {
  local init=$1
  shift
  "$engine" run --rm ${init:+--init} --read-only --entrypoint tini "$IMAGE" -s -- "$@"
}

start_server() {
  server=$("$engine" run -d --name "$name" --read-only --user 1000:1000 --cap-drop ALL \
    --security-opt no-new-privileges --tmpfs /tmp:size=256m,mode=1777 --pids-limit 512 -p 127.0.0.1::38128 \
    -v "$media:/media:z" -v "$name-config:/config" -v "$name-cache:/cache" -v "$name-backups:/backups" \
    -e SERVICE_REQUIRE_MFA=false "$IMAGE")
}
is_healthy() { "$engine" exec "$name" node packaging/health.mjs; }
is_running() { [ "$("$engine" inspect -f '{{.State.Running}}' "$name")" = true ]; }
server_user() { "$engine" exec "$name" id -u; }
server_log() { "$engine" logs "$name" 2>&1; }
visit() { NODE_TLS_REJECT_UNAUTHORIZED=0 node --no-warnings "$1" "https://$("$engine" port "$name" 38128 | head -n 1)"; }

stop_server() {
  [ -n "$server" ] || return 0
  server=
  "$engine" stop -t 10 "$name" >/dev/null
  [ "$("$engine" inspect -f '{{.State.ExitCode}}' "$name")" = 0 ]
}
clean() {
  "$engine" rm -f "$name" >/dev/null 2>&1 || true
  "$engine" volume rm -f "$name-config" "$name-cache" "$name-backups" >/dev/null 2>&1 || true
  "$engine" rmi "$IMAGE" >/dev/null 2>&1 || true
}
