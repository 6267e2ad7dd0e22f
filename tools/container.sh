#!/usr/bin/env bash
# Builds the image, starts it as compose.yaml does, plays a film from it, and has it write a subtitle next to the film.
# Fails if one of these does not work, or if the image without its base is larger than 450 MB.
#   tools/container.sh
# It uses podman or docker. Without them (or with CONTAINER_ENGINE=buildah) buildah builds the image, as root, on a base
# that debootstrap makes, with the Node and npm of this machine; its programs then run in namespaces, and no registry of
# images is needed. CONTAINER_STORE is a folder in which buildah keeps base and layers for the next run.
# Needs `npm ci`, ffmpeg, and about 6 GB below TMPDIR.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
PATH=$PWD/node_modules/.bin:$PATH
BASE=docker.io/library/node:26-bookworm-slim
IMAGE=localhost/matinee-trial
LIMIT=450000000

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

engine=${CONTAINER_ENGINE:-}
for one in podman docker; do
  [ -n "$engine" ] || ! "$one" info >/dev/null 2>&1 || engine=$one
done
engine=${engine:-buildah}
folder=$(mktemp -d "${TMPDIR:-/tmp}/matinee-container-XXXXXX")
name=matinee-trial-$$
server=

. tools/container/"$([ "$engine" = buildah ] && echo namespaces.sh || echo engine.sh)"

finish() {
  trap - EXIT INT TERM
  stop_server || true
  clean || true
  rm -rf -- "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

say "Building the image with $engine."
build >"$folder/build.log" 2>&1 || { tail -n 40 "$folder/build.log" >&2; fail "The image could not be built."; }
size=$(($(bytes_of "$IMAGE") - $(bytes_of "$BASE")))
say "$((size / 1000000)) MB without its base, $((LIMIT / 1000000)) are allowed."
[ "$size" -le "$LIMIT" ] || fail "The image is too large."

# A process that loses its parent and ends must not remain, and tini must have nothing to complain about.
orphan='sh -c "sleep 0.1 &"; sleep 1; cat /proc/[0-9]*/stat | grep -c ") Z " || true'
for init in "" init; do
  left=$(run_once "$init" sh -c "$orphan" 2>&1)
  [ "$left" = 0 ] || fail "With ${init:-no init} before it: $left zombies are left."
done
say "No zombies, and no warning of tini, with an init before it and without."

say "Making the demo library."
mkdir "$folder/demo" "$folder/data"
node demo/make.ts "$folder/demo"
media=$folder/demo/media
film="$media/Tide Tables (2024)/Tide Tables (2024)"
mkdir "${film%/*}"
for n in 0 1 2 3 4 5 6 7 8 9; do
  printf '%s\n00:00:%02d,000 --> 00:00:%02d,000\n' $((n + 1)) $((n * 2)) $((n * 2 + 1))
  printf 'Where have you been all this time? Nobody knows that we are here.\n\n'
done >"$folder/words.srt"
# A track without a language: fetching English finds it by its words, asks no provider, and writes it next to the film.
ffmpeg -v error -f lavfi -i testsrc2=size=640x360:rate=24:duration=30 -f lavfi -i sine=duration=30 -i "$folder/words.srt" \
  -map 0 -map 1 -map 2 -c:v libx264 -preset veryfast -g 48 -c:a aac -c:s srt "$film.mkv"
# The image's user has the number 1000.
if [ "$(id -u)" = 0 ]; then chown -R 1000:1000 "$folder/demo" "$folder/data"; else chmod -R a+rwX "$folder/demo" "$folder/data"; fi
chmod a+x "$folder"

start_server
for _ in $(seq 120); do
  is_healthy && break
  is_running || { server_log >&2; fail "The server has ended."; }
  sleep 0.5
done
is_healthy || { server_log >&2; fail "The server is not healthy."; }
say "The server runs as user $(server_user) and is healthy."
visit tools/container/visit.ts || { server_log | tail -n 20 >&2; fail "The visit failed."; }
[ -s "$film.en.srt" ] || fail "No subtitle is next to the film."
say "Next to the film: $(stat -c '%n, %s bytes, owner %u' "$film.en.srt" | sed 's|.*/||')"
if server_log | grep -q '"level":"error"\|\[WARN'; then
  server_log | grep '"level":"error"\|\[WARN' >&2
  fail "The log of the server has errors."
fi
stop_server || fail "The server did not end with status 0."
say "The image works."
