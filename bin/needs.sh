# What the commands need before they can start: packages of the system, the packages of npm, and the built program.
# Sourced, not run.

# Runs a long command. A script that must end at once on a signal replaces it.
run_step() { "$@"; }
say() { printf '%s\n' "$@"; }
fail() { printf '%s\n' "$@" >&2; exit 1; }

# Programs, libraries and files that the server uses, each with its package in Debian.
SERVER_NEEDS=(libatomic.so.1=libatomic1 ffmpeg=ffmpeg ffprobe=ffmpeg fpcalc=libchromaprint-tools tesseract=tesseract-ocr
  DejaVuSans.ttf=fonts-dejavu-core)
# Tested with this version of npm and later ones.
OLDEST_NPM=9

# Runs a command as root: as it is, or by sudo where that asks no password. Fails where neither is possible.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}
may_install() {
  command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; }; }
}

# install_command PACKAGE ...   Prints the command that installs packages of Debian on this system.
install_command() {
  local names=$*
  if command -v apt-get >/dev/null 2>&1; then
    printf '%s\n' "apt-get update && apt-get install --no-install-recommends $names"
  elif command -v dnf >/dev/null 2>&1; then
    printf '%s\n' "dnf install $(
      printf '%s\n' $names | sed '
        s/^chromium$/chromium-headless/
        s/^ffmpeg$/ffmpeg-free/
        s/^fonts-dejavu-core$/dejavu-sans-fonts dejavu-serif-fonts/
        s/^libatomic1$/libatomic/
        s/^libchromaprint-tools$/chromaprint-tools/
        s/^libstdc++6$/libstdc++/
        s/^tesseract-ocr$/tesseract tesseract-langpack-eng/' | paste -sd ' '
    )"
  else
    printf '%s\n' "the package manager of this system; in Debian the packages are called $names"
  fi
}

# need_programs NEED=PACKAGE ...   Installs the packages whose program, library or file is missing.
# Those that could not be installed are in MISSING, each once.
need_programs() {
  MISSING=()
  list_missing "$@"
  [ ${#MISSING[@]} -gt 0 ] && may_install || return 0
  say "Installing ${MISSING[*]}."
  local output
  output=$({
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${MISSING[@]}"
  } 2>&1) || say "Some packages could not be installed:" "$(grep '^[EW]: ' <<<"$output" || tail -n 3 <<<"$output")" >&2
  printf '%s\n' "$output" >"${LOG:-/dev/null}"
  MISSING=()
  list_missing "$@"
}
list_missing() {
  local pair
  for pair in "$@"; do
    is_there "${pair%%=*}" || case " ${MISSING[*]} " in *" ${pair#*=} "*) ;; *) MISSING+=("${pair#*=}") ;; esac
  done
}
# Whether a program, a font, a library or the file of a path is there.
is_there() {
  case $1 in
  /*) [ -e "$1" ] ;;
  *.ttf) [ -n "$(find /usr/share/fonts -name "$1" -print -quit 2>/dev/null)" ] ;;
  # Where the loader cannot be asked, Node itself shows later what is missing.
  lib*.so.*) ! libraries=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null) || [[ $libraries == *"$1 "* ]] ;;
  *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# Whether an `npm ci` by hand has installed exactly what the lockfile has: npm notes that in node_modules. What is optional
# may be missing, except what names this system: npm leaves that out when its own Node is too old for it.
has_modules() {
  [ -f node_modules/.package-lock.json ] || return 1
  node --input-type=commonjs -e '
const { readFileSync, existsSync } = require("node:fs");
const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
const wanted = packagesOf("package-lock.json");
const there = packagesOf("node_modules/.package-lock.json");
const isSame = (one, other) => ["version", "integrity", "resolved", "link"].every((key) => one?.[key] === other?.[key]);
const isHere = (one) => [].concat(one.os).includes(process.platform) && [].concat(one.cpu).includes(process.arch) && ![].concat(one.libc).includes("musl");
const isMet = ([path, one]) => path === "" || isSame(one, there[path]) || (one.optional && !(path in there) && !isHere(one));
const isKept = (path) => path in wanted && existsSync(path);
process.exit(Object.entries(wanted).every(isMet) && Object.keys(there).every(isKept) ? 0 : 1);' 2>/dev/null
}

# The packages of npm, as the lockfile has them; the right Node comes with them. Nothing is done while that is unchanged.
need_modules() {
  local stamp=node_modules/.installed now
  now=$(cat package-lock.json tools/runtime/package.json | sha256sum | cut -d' ' -f1)
  if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$now" ]; then
    has_modules || install_modules
    printf '%s\n' "$now" >"$stamp" || fail "node_modules cannot be written: $PWD"
  fi
  . bin/node.sh
  # For `npm run`, which knows only the links.
  if [ -n "$brought" ] && [ ! -e node_modules/.bin/node ]; then
    mkdir -p node_modules/.bin && ln -sf "../${brought#node_modules/}" node_modules/.bin/node || fail "node_modules cannot be written: $PWD"
  fi
  [ -z "$brought" ] || check_brought
  node --input-type=commonjs -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 24 || (major === 24 && minor >= 15) ? 0 : 1)' ||
    fail "npm has brought no Node for this machine ($(uname -sm)): install Node.js 24.15 or later."
}

install_modules() {
  local version errors
  command -v npm >/dev/null 2>&1 || fail "npm is missing. As root: $(install_command nodejs npm)"
  version=$(npm --version 2>&1) || fail "npm does not start:" "$version"
  [ "${version%%.*}" -ge "$OLDEST_NPM" ] 2>/dev/null ||
    fail "npm $version is too old: install npm $OLDEST_NPM or later, for example with Node.js 20."
  say "Installing the packages of npm. This takes some minutes."
  errors=$(mktemp 2>/dev/null) || errors=/dev/null
  # Versions of npm that do not know `allowScripts` would run the install scripts that it denies.
  # Node and the build are packages for development, which NODE_ENV=production would leave out.
  if ! run_step env NODE_OPTIONS="${NODE_OPTIONS:-} --require ./tools/runtime/version.cjs" npm ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error 2>"$errors"; then
    cat "$errors" >&2
    explain_npm "$(cat "$errors")" >&2
    [ "$errors" = /dev/null ] || rm -f "$errors"
    exit 1
  fi
  [ "$errors" = /dev/null ] || rm -f "$errors"
}

# explain_npm OUTPUT   Prints why `npm ci` failed and what helps.
explain_npm() {
  local code free
  code=$(sed -nE 's/^npm (ERR!|error) code ([A-Z0-9_]+).*/\2/p' <<<"$1" | head -n 1)
  free=$(df -Pk . 2>/dev/null | awk 'NR == 2 { print $4 }')
  if [[ $1 == *ENOSPC* || $1 == *EDQUOT* ]] || [ "${free:-999999}" -lt 10240 ]; then
    say "The disk is full: the packages need 1 GB in $PWD, and npm's cache ($(npm config get cache)) half of that."
    return
  fi
  case $code in
  EAI_AGAIN | ENOTFOUND | ECONN* | ETIMEDOUT | EHOSTUNREACH | ENETUNREACH | ERR_SOCKET_TIMEOUT | FETCH_ERROR | E5??)
    say "The npm registry could not be reached ($code): $(npm config get registry)" \
      "Check the network. Behind a proxy: npm config set proxy http://NAME:PORT && npm config set https-proxy http://NAME:PORT" ;;
  *CERT* | UNABLE_TO_VERIFY*)
    say "The certificate of the npm registry is not trusted ($code): $(npm config get registry)" \
      "Behind a proxy that reads HTTPS: npm config set cafile FILE, with the certificate of that proxy." ;;
  EACCES | EPERM | EROFS)
    say "npm may not write here ($code). Files in $PWD or in npm's cache ($(npm config get cache)) may belong to another user." ;;
  *) say "npm ci failed${code:+ ($code)}: its own message is above." ;;
  esac
}

# Fails with the cause when the Node that npm brought does not start.
check_brought() {
  local trouble library
  trouble=$("$brought" --version 2>&1) && return
  case $trouble in
  *'shared libraries: '*': cannot open'*)
    library=${trouble#*shared libraries: }
    library=${library%%:*}
    fail "The Node that npm brought needs the library $library, which is missing. As root: $(
      case $library in
      libatomic.so.1) install_command libatomic1 ;;
      libstdc++.so.6) install_command libstdc++6 ;;
      *) say "install the package that has it" ;;
      esac
    )" ;;
  *GLIBC*' not found'*)
    fail "The Node that npm brought needs glibc 2.28 or later, and this system has $(getconf GNU_LIBC_VERSION)." \
      "Use a newer system, or the container." ;;
  *'cannot execute'*format* | *'Exec format error'*)
    fail "The packages in node_modules are for another processor than this $(uname -m): delete node_modules and try again." ;;
  *'No such file'* | *'required file not found'*)
    if compgen -G '/lib/ld-musl-*' >/dev/null; then
      fail "Matinee needs glibc 2.28 or later, and this system has musl instead. Use the container."
    fi
    fail "The Node that npm brought does not start on this system, which has no loader for it:" "$trouble" ;;
  *'ermission denied'*) fail "Programs in $PWD may not be run: its file system may be mounted with noexec." ;;
  *) fail "The Node that npm brought does not start:" "${trouble:-$brought ended without a message}" ;;
  esac
}

# The dashboard and the server are built when their sources are not those of the last build.
need_build() {
  local now
  now=$({ find src tools/*.ts package.json -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; sha256sum package-lock.json; } | sha256sum | cut -d' ' -f1)
  if [ ! -f dist/web/index.html ] || [ ! -f dist/server/main.js ] || [ "$(cat dist/built 2>/dev/null)" != "$now" ]; then
    say "Building the dashboard and the server."
    run_step npm run --silent build || fail "The build failed."
    printf '%s\n' "$now" >dist/built
  fi
}
