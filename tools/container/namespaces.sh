# The steps of container.sh with buildah and namespaces, as root, without a registry of images. Sourced by it.
[ "$(id -u)" = 0 ] || fail "Without podman and docker this needs root."
for program in buildah debootstrap unshare nsenter setpriv ip; do
  command -v "$program" >/dev/null || fail "$program is missing."
done

store=${CONTAINER_STORE:-$folder/store}
mkdir -p "$store"
with_store() { buildah --root "$store/root" --runroot "$store/run" --storage-driver "${STORAGE_DRIVER:-overlay}" "$@"; }

# A base with what the official one has: Debian's smallest set without documents, Node, npm and the user `node`. npm asks
# the registry that this machine asks, and trusts the authorities that it trusts.
make_base() {
  local root=$folder/base npm container
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  debootstrap --variant=minbase --include=libatomic1 bookworm "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
  printf 'path-exclude %s\n' '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/locale/*' '/usr/share/info/*' \
    >"$root/etc/dpkg/dpkg.cfg.d/docker"
  printf 'path-include /usr/share/doc/*/copyright\n' >>"$root/etc/dpkg/dpkg.cfg.d/docker"
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*
  install -D "$(readlink -f "$(node -p process.execPath)")" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/etc"
  cp -R "$npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  printf 'registry=%s\ncafile=/usr/local/etc/authorities.pem\n' "$(npm config get registry)" >"$root/usr/local/etc/npmrc"
  cp /etc/ssl/certs/ca-certificates.crt "$root/usr/local/etc/authorities.pem"
  chroot "$root" groupadd --gid 1000 node
  chroot "$root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node
  container=$(with_store from scratch)
  with_store add -q "$container" "$root" /
  with_store commit -q "$container" "$BASE"
  with_store rm "$container"
  rm -rf -- "$root"
}

build() {
  with_store inspect --type image "$BASE" >/dev/null 2>&1 || make_base || return
  with_store bud --isolation chroot --pull-never --network host --layers -f Containerfile -t "$IMAGE" . || return
  mounted=$(with_store from "$IMAGE") || return
  root=$(with_store mount "$mounted") || return
  with_store inspect --type image "$IMAGE" >"$folder/image.json"
}

bytes_of() {
  local container
  container=$(with_store from "$1")
  tar -C "$(with_store mount "$container")" -cf - . | wc -c
  with_store rm "$container" >/dev/null
}

# Prints a list of the image's configuration, one entry a line.
configured() {
  node -p 'const all = JSON.parse(require("fs").readFileSync(process.argv[1])).OCIv1.config; [all[process.argv[2]]].flat().join("\n")' \
    "$folder/image.json" "$1"
}

# isolated FOLDERS COMMAND...   Runs a command as process 1 of namespaces, as compose.yaml has it: with the image as its
# read-only root, as user 1000 and without capabilities. FOLDERS are mounted, each as SOURCE:TARGET.
isolated() {
  local folders=$1 environment
  shift
  mapfile -t environment < <(configured Env)
  exec unshare --mount --pid --net --ipc --uts --fork --kill-child sh -euc '
    root=$1 folders=$2
    shift 2
    mount --make-rprivate /
    mount --bind "$root" "$root"
    for pair in $folders; do mount --bind "${pair%%:*}" "$root${pair#*:}"; done
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o size=256m,mode=1777 tmpfs "$root/tmp"
    mount -o remount,bind,ro "$root"
    ip link set lo up
    exec chroot "$root" "$@"' isolated "$root" "$folders" \
    setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
    env -i -C "$(configured WorkingDir)" "${environment[@]}" HOME=/home/node SERVICE_REQUIRE_MFA=false "$@"
}

run_once() {
  local init=$1
  shift
  (isolated "" ${init:+tini --} tini -s -- "$@")
}

start_server() {
  local entry
  mapfile -t entry < <(configured Entrypoint)
  mkdir "$folder"/data/{config,cache,backups}
  chown 1000:1000 "$folder"/data/*
  chmod 700 "$folder"/data/*
  (isolated "$media:/media $folder/data/config:/config $folder/data/cache:/cache $folder/data/backups:/backups" \
    "${entry[@]}") >"$folder/server.log" 2>&1 &
  server=$!
}
# The number of process 1 in the namespaces, as it is here.
first() { tr -d ' ' <"/proc/$server/task/$server/children"; }
is_running() { kill -0 "$server" 2>/dev/null; }
is_healthy() {
  is_running || return 1
  local listen
  listen=$(configured Env | grep '^SERVICE_LISTEN=')
  nsenter -t "$(first)" -n -m -p chroot "$root" env -C "$(configured WorkingDir)" "$listen" node packaging/health.mjs
}
server_user() { stat -c %u "/proc/$(first)"; }
server_log() { cat "$folder/server.log"; }
visit() {
  NODE_TLS_REJECT_UNAUTHORIZED=0 nsenter -t "$(first)" -n "$(command -v node)" --no-warnings "$1" https://127.0.0.1:38128
}

stop_server() {
  [ -n "$server" ] || return 0
  local group=$server
  kill -TERM "$(first)"
  server=
  wait "$group"
}
clean() {
  [ -z "${mounted:-}" ] || with_store rm "$mounted" >/dev/null
  [ -n "${CONTAINER_STORE:-}" ] || with_store rmi --all --force >/dev/null 2>&1
}
