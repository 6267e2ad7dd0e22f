#!/usr/bin/env bash
# Tries bin/demo, bin/install, npm start and bin/test on Debian systems that have nothing but their base, as root and as
# a user without sudo. Run it as root before each release; it needs debootstrap, git, and npm for `--node 20`.
#   tools/bare-debian.sh                       every release, Node and user
#   tools/bare-debian.sh --release bookworm --node 20 --as user
#   --release bookworm|trixie   --node debian|20   --as root|user     (each may be repeated)
#   --all             runs the whole bin/test instead of some steps and files
#   --cache FOLDER    keeps the base systems and packages there for the next run (default: a temporary folder)
#   --mirror URL      Debian packages from there
# It tries the last commit. What this machine uses to reach Debian and npm (proxies, registry, certificates) is passed on.
# SERVICE_LISTEN chooses the address of the demo. Each try prints one line; the last line has the counts.
#
# Each try has its own copy of a base system, and its own mounts and processes: they end with it, however it ends, and
# the copy is deleted outside, where nothing is mounted in it.
set -uo pipefail
RELEASES=() NODES=() USERS=() CACHE='' MIRROR=http://deb.debian.org/debian WHOLE=''
# Files about users, permissions, programs and folders: what differs on a bare system.
FILES=(test/packaging.test.ts src/lib/process/wrap.test.ts src/lib/process/process.test.ts src/lib/files/files.test.ts
  src/lib/files/root.test.ts src/lib/files/cache-folder.test.ts)
# What must be there before the commands can say anything. Debian's Node comes with the last two.
BEFORE=(ca-certificates git)

say() { printf '%s\n' "$@"; }
fail() { printf '%s\n' "$@" >&2; exit 2; }

# ---- Inside the bare system, as root: runs with the environment that `enter` has made.

# Ends this try with a reason and what was printed.
broken() {
  [ -z "${2:-}" ] || tail -n 30 "$2" >&2
  say "broken: $1" >&2
  exit 1
}
# The words before a command that runs it as the user of this try, in a session of its own.
caller() {
  CALL=(env HOME=/root setsid)
  [ "$CALLER" = root ] || CALL=(env HOME=/home/user setpriv --reuid=user --regid=user --init-groups setsid)
}
seconds() { say $(($(date +%s) - $1)); }
# Runs the command that a message names, as the person who reads it would, if the message has one.
obey() {
  local command
  command=$(sed -nE 's/.*As root: (apt-get .*)/\1/Ip' "$1" | tail -n 1)
  [ -n "$command" ] || broken "$2: no command for what is missing" "$1"
  sh -c "$command" >/tmp/obey.log 2>&1 || broken "$2: $command" /tmp/obey.log
}
# Runs a command as the caller, and once more after what it asks for was installed. root must not be asked.
try() {
  local name=$1 log=/tmp/$1.log
  shift
  "${CALL[@]}" "$@" >"$log" 2>&1 && return
  [ "$CALLER" != root ] || broken "$name" "$log"
  obey "$log" "$name"
  "${CALL[@]}" "$@" >"$log" 2>&1 || broken "$name, after installing what it asked for" "$log"
}
# Starts a server, waits for a line of its log, asks for a page, and ends it by SIGINT.
serve() {
  local name=$1 ready=$2 log=/tmp/$1.log pid status
  shift 2
  # A background command of a script ignores SIGINT, unless it is started with the usual signals.
  : >"$log"
  "${CALL[@]}" env --default-signal=INT "$@" >"$log" 2>&1 &
  pid=$!
  until grep -q "$ready" "$log"; do
    kill -0 "$pid" 2>/dev/null || { wait "$pid"; return 1; }
    sleep 0.2
  done
  node_modules/.bin/node --input-type=module -e '
const address = process.argv[1];
const { required } = await (await fetch(`${address}/api/v1/setup`)).json();
const page = await (await fetch(address)).text();
if (required !== true || !page.includes("<html")) throw new Error(`setup: ${required}, page: ${page.slice(0, 200)}`);
' "http://$SERVICE_LISTEN" >>"$log" 2>&1 || broken "$name does not answer" "$log"
  # To its whole group, as Ctrl-C.
  kill -INT -- "-$pid"
  wait "$pid"
  status=$?
  # npm reports the signal, whatever the server returned.
  case $status,$name in 0,* | 130,start) ;; *) broken "$name ended with $status on SIGINT" "$log" ;; esac
}

inside() {
  local start figures='' link
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/tmp/apt.log 2>&1 && apt-get install --no-install-recommends "${BEFORE[@]}" >>/tmp/apt.log 2>&1 ||
    broken 'the packages that come first' /tmp/apt.log
  # Those of this machine, which may know the certificate of a proxy.
  [ ! -f /host-certificates.pem ] || cp /host-certificates.pem /etc/ssl/certs/ca-certificates.crt
  if [ "$CALLER" != root ]; then useradd --create-home user && chown -R user:user /srv/matinee || broken 'no user'; fi
  caller
  cd /srv/matinee || broken 'no sources'
  say "  node $(node --version), npm $(npm --version), as $CALLER"

  start=$(date +%s)
  if ! serve demo 'Ctrl-C stops everything' bin/demo; then
    [ "$CALLER" != root ] || broken 'bin/demo' /tmp/demo.log
    obey /tmp/demo.log 'bin/demo'
    start=$(date +%s)
    serve demo 'Ctrl-C stops everything' bin/demo || broken 'bin/demo, after installing what it asked for' /tmp/demo.log
  fi
  figures="bin/demo first $(seconds "$start") s"
  start=$(date +%s)
  serve demo 'Ctrl-C stops everything' bin/demo || broken 'bin/demo again' /tmp/demo.log
  figures="$figures, again $(seconds "$start") s"
  link=$(readlink node_modules/.bin/node) || broken 'node_modules/.bin/node is missing'
  figures="$figures, $link $(node_modules/.bin/node --version), $(du -sm node_modules | cut -f1) MB"

  "${CALL[@]}" bin/install >/tmp/install.log 2>&1 || broken 'bin/install' /tmp/install.log
  if [ "$CALLER" != root ] && grep -q 'As root: ' /tmp/install.log; then obey /tmp/install.log 'bin/install'; fi
  SERVICE_TLS_ENABLED=false SERVICE_DATA_DIR=/tmp/data SERVICE_CACHE_DIR=/tmp/cache SERVICE_MEDIA_DIR=/srv/matinee/.demo/media \
    serve start '"event":"start.ready"' npm start || broken 'npm start' /tmp/start.log

  if [ -n "$WHOLE" ]; then
    start=$(date +%s)
    try test bin/test
    figures="$figures, bin/test $(tail -n 1 /tmp/test.log) in $(seconds "$start") s"
  else
    start=$(date +%s)
    try test bin/test types lint
    figures="$figures, bin/test types lint: $(tail -n 1 /tmp/test.log) in $(seconds "$start") s"
    start=$(date +%s)
    try files bin/test -- "${FILES[@]}"
    figures="$figures, ${#FILES[@]} files: $(tail -n 1 /tmp/files.log) in $(seconds "$start") s"
  fi
  say "  $figures"
}

# ---- Outside.

# enter ROOT   Becomes a process that runs `inside` in a system, with mounts and processes that end with it.
enter() {
  local root=$1 script
  script="$(declare -f say fail broken caller seconds obey try serve inside); set -uo pipefail
    FILES=(${FILES[*]}); BEFORE=(${BEFORE[*]}); inside"
  # A new root rather than chroot: a sandbox of a user cannot be made within a chroot.
  exec unshare --mount --propagation private --pid --fork --kill-child bash -c '
    set -e
    root=$1 packages=$2 script=$3
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount --bind "$packages/apt" "$root/var/cache/apt/archives"
    mount --bind "$packages/npm-$4" "$root/var/cache/npm"
    cd "$root"
    pivot_root . mnt
    umount --lazy /mnt
    exec chroot . /usr/bin/env -i "${@:5}" bash -c "$script"
  ' bare "$root" "$CACHE" "$script" "$CALLER" "${ENVIRONMENT[@]}" CALLER="$CALLER" WHOLE="$WHOLE"
}

# What this machine says about reaching Debian and npm.
read_host() {
  local key value name
  ENVIRONMENT=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 npm_config_cache=/var/cache/npm
    "SERVICE_LISTEN=${SERVICE_LISTEN:-127.0.0.1:38128}")
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || ENVIRONMENT+=("$name=${!name}")
  done
  for key in registry proxy https-proxy noproxy; do
    value=$(cd / && npm config get "$key" 2>/dev/null)
    case $value in '' | null | undefined | false) ;; *) ENVIRONMENT+=("npm_config_${key//-/_}=$value") ;; esac
  done
  CERTIFICATES=$(cd / && npm config get cafile 2>/dev/null)
  [ -f "$CERTIFICATES" ] || CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
  [ ! -f "$CERTIFICATES" ] || ENVIRONMENT+=(npm_config_cafile=/host-certificates.pem)
}

# make_base RELEASE   Makes the base system of a release once. Its name appears when it is complete.
make_base() {
  local base=$CACHE/$1
  [ ! -d "$base" ] || return 0
  rm -rf -- "$base.part"
  say "Making a base system of $1."
  debootstrap --variant=minbase "$1" "$base.part" "$MIRROR" >"$CACHE/debootstrap.log" 2>&1 ||
    { tail -n 5 "$CACHE/debootstrap.log" >&2; return 1; }
  apt-config dump 2>/dev/null | grep -E '^Acquire::((http|https|ftp)::Proxy|Check-)' >"$base.part/etc/apt/apt.conf.d/90host"
  say 'APT::Get::Assume-Yes "true";' 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";' >>"$base.part/etc/apt/apt.conf.d/90host"
  mv "$base.part" "$base"
}

# make_node   Makes a folder with a Node 20 and its npm once, from the npm registry.
make_node() {
  local folder=$CACHE/node-20 machine
  [ ! -d "$folder" ] || return 0
  rm -rf -- "$folder.part"
  mkdir -p "$folder.part/bin" "$folder.part/lib"
  case $(uname -m) in x86_64) machine=x64 ;; aarch64) machine=arm64 ;; *) return 1 ;; esac
  (cd / && npm install --prefix "$folder.part/lib" --ignore-scripts --no-audit --no-fund --loglevel=error --no-save \
    "node-linux-$machine@20" npm@10) >"$CACHE/node.log" 2>&1 || { tail -n 5 "$CACHE/node.log" >&2; return 1; }
  ln -s "../lib/node_modules/node-linux-$machine/bin/node" "$folder.part/bin/node"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder.part/bin/npm"
  mv "$folder.part" "$folder"
}

# try_one RELEASE NODE   Tries it all in a copy of the base system, which is deleted afterwards.
try_one() {
  local root=$WORK/root status
  rm -rf --one-file-system -- "$root"
  cp -a "$CACHE/$1" "$root" || return 1
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  # As the installer of Debian writes it; debootstrap does not.
  [ -e "$root/etc/hosts" ] || say '127.0.0.1 localhost' '::1 localhost ip6-localhost ip6-loopback' >"$root/etc/hosts"
  [ ! -f "$CERTIFICATES" ] || cp "$CERTIFICATES" "$root/host-certificates.pem"
  [ "$2" = debian ] || cp -a "$CACHE/node-20/." "$root/usr/local/"
  git clone --quiet --no-hardlinks "$TOP" "$root/srv/matinee" || return 1
  mkdir -p "$root/var/cache/npm"
  # In the background, because a shell runs a trap only after its command in the foreground has ended.
  enter "$root" 9>&- &
  TRY=$!
  wait "$TRY"
  status=$?
  TRY=
  rm -rf --one-file-system -- "$root"
  return "$status"
}

# As one command, which bash reads before it runs it: the file may change during an hour of tries.
{
while [ $# -gt 0 ]; do
  case $1 in
  --release) RELEASES+=("${2:?}"); shift ;;
  --node) NODES+=("${2:?}"); shift ;;
  --as) USERS+=("${2:?}"); shift ;;
  --cache) CACHE=${2:?}; shift ;;
  --mirror) MIRROR=${2:?}; shift ;;
  --all) WHOLE=yes ;;
  *) fail "usage: tools/bare-debian.sh [--release NAME] [--node debian|20] [--as root|user] [--all] [--cache FOLDER] [--mirror URL]" ;;
  esac
  shift
done
[ ${#RELEASES[@]} -gt 0 ] || RELEASES=(bookworm trixie)
[ ${#NODES[@]} -gt 0 ] || NODES=(20 debian)
[ ${#USERS[@]} -gt 0 ] || USERS=(root user)
[ "$(id -u)" = 0 ] || fail "It makes whole systems: run it as root."
for program in debootstrap git npm unshare pivot_root; do
  command -v "$program" >/dev/null || fail "$program is missing. With Debian: apt-get install debootstrap git npm util-linux"
done
TOP=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
WORK=$(mktemp -d) || exit 2
# unshare ignores other signals; what it started dies with it.
TRY=
trap '[ -z "$TRY" ] || { kill -KILL "$TRY"; wait "$TRY"; } 2>/dev/null; rm -rf --one-file-system -- "$WORK"' EXIT
trap 'exit 130' INT TERM HUP
CACHE=${CACHE:-$WORK/cache}
mkdir -p "$CACHE/apt/partial" "$CACHE"/npm-{root,user} || exit 2
CACHE=$(cd "$CACHE" && pwd)
# Another run with this folder uses the same packages and the same address: one after the other.
exec 9>"$CACHE/lock"
flock 9
# The number that the only user of a new system has.
chown -R 1000:1000 "$CACHE/npm-user"
read_host

passed=0 failed=0
for release in "${RELEASES[@]}"; do
  for node in "${NODES[@]}"; do
    for CALLER in "${USERS[@]}"; do
      say "$release, Node $node, as $CALLER"
      BEFORE=(ca-certificates git)
      [ "$node" != debian ] || BEFORE+=(nodejs npm)
      if make_base "$release" && { [ "$node" = debian ] || make_node; } && try_one "$release" "$node"; then
        passed=$((passed + 1))
      else
        failed=$((failed + 1))
        say "not ok: $release, Node $node, as $CALLER"
      fi
    done
  done
done
say "$passed passed, $failed failed"
[ "$failed" = 0 ]
exit
}
