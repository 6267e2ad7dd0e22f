# What both commands need before they can start: Debian packages and the packages of npm. Sourced, not run.

# Runs a long command. A script that must end at once on a signal replaces it.
run_step() { "$@"; }
say() { printf '%s\n' "$@"; }
fail() { printf '%s\n' "$@" >&2; exit 1; }

# Runs a command as root: as it is, or by sudo where that asks no password. Fails where neither is possible.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}
may_install() {
  command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; }; }
}

# need_programs PROGRAM=PACKAGE ...   Installs the packages whose program (or file, when it starts with /) is missing.
# Those that could not be installed are in MISSING.
need_programs() {
  local pair program wanted=()
  MISSING=()
  for pair in "$@"; do
    program=${pair%%=*}
    is_there "$program" || wanted+=("${pair#*=}")
  done
  [ ${#wanted[@]} -gt 0 ] || return 0
  if may_install; then
    say "Installing ${wanted[*]}."
    {
      as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}"
    } >"${LOG:-/dev/null}" 2>&1 || say "Some packages could not be installed."
  fi
  for pair in "$@"; do
    program=${pair%%=*}
    is_there "$program" || MISSING+=("${pair#*=}")
  done
}
is_there() {
  case $1 in
  /*) [ -e "$1" ] ;;
  *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# Whether an `npm ci` of somebody else has installed exactly what the lockfile has: npm notes that in node_modules. What
# is optional may be missing, since it is for other machines.
has_modules() {
  [ -f node_modules/.package-lock.json ] || return 1
  node --input-type=commonjs -e '
const { readFileSync, existsSync } = require("node:fs");
const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
const wanted = packagesOf("package-lock.json");
const there = packagesOf("node_modules/.package-lock.json");
const isSame = (one, other) => ["version", "integrity", "resolved", "link"].every((key) => one?.[key] === other?.[key]);
const isMet = ([path, one]) => path === "" || isSame(one, there[path]) || (one.optional && !(path in there));
const isKept = (path) => path in wanted && existsSync(path);
process.exit(Object.entries(wanted).every(isMet) && Object.keys(there).every(isKept) ? 0 : 1);' 2>/dev/null
}

# The packages of npm, as the lockfile has them; the right Node comes with them. Nothing is done while that is unchanged.
need_modules() {
  local stamp=node_modules/.installed now
  command -v npm >/dev/null 2>&1 || fail "npm is missing: install Node.js 20 or later with npm (Debian: apt install nodejs npm)."
  now=$(cat package-lock.json tools/runtime/package.json | sha256sum | cut -d' ' -f1)
  if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$now" ]; then
    if ! has_modules; then
      say "Installing the packages of npm."
      run_step env ONNXRUNTIME_NODE_INSTALL=skip npm ci --no-audit --no-fund --loglevel=error || fail "npm ci failed."
    fi
    printf '%s\n' "$now" >"$stamp"
  fi
  PATH=$PWD/node_modules/.bin:$PATH
  export PATH
  node --input-type=module -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 24 || (major === 24 && minor >= 15) ? 0 : 1)' ||
    fail "The Node that npm brought does not run here; install Node 24.15 or later."
}
