/**
 * Reads directories in a separate process: a disk that hangs blocks only this process.
 *
 * Runs under `serveHelper` and uses synchronous calls, which take a fifth of the time of asynchronous ones here. It
 * reads only names and attributes: it opens no file, follows no link below the root, and writes nothing.
 */
import { hash } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { isPortraitName, MAX_PORTRAIT_BYTES, MAX_PORTRAITS, PORTRAIT_FOLDER } from '../../naming/portraits.ts';
import { matchNames } from '../../../lib/name-patterns.ts';
import { createFolderReader, type FolderReader } from '../../../lib/files/header.ts';
import { serveHelper } from '../../../lib/process/serve.ts';

export interface RequestedFolder {
  /** Below the root, `/` between parts; '' is the root itself. */
  path: string;
  /** Time and signature of the last scan, if there was one. */
  mtime?: number;
  signature?: string;
}
export interface DirectoryRequest {
  root: string;
  folders: readonly RequestedFolder[];
  /** Whether every file is examined, and not only those of folders whose time changed. */
  isFull: boolean;
  /** Milliseconds since the epoch. The time of a folder that changed within the last seconds is not reliable. */
  now: number;
  /** The placement version, which is part of every signature. */
  placement: string;
  /** Names of folders and files that are left out; see `lib/name-patterns.ts`. */
  ignored: readonly string[];
}
export type DirectoryFile = [name: string, size: number, mtimeMs: number, ino: string];
export type DirectoryReport =
  | { path: string; state: 'same'; mtime: number }
  | { path: string; state: 'gone' | 'denied' | 'ignored' }
  | {
      path: string;
      state: 'listed';
      mtime: number;
      signature: string;
      files: DirectoryFile[];
      /** Pictures in its folder `.actors`, by their paths below this folder. */
      portraits: DirectoryFile[];
      folders: string[];
      flaws: Flaw[];
    };
/** An entry that cannot be used: its name is not valid text, it is a link, or the system refuses to read it. */
export type Flaw = [name: string, why: 'odd' | 'link' | 'unseen'];

/** Folders of systems and programs, which hold no media. */
const NEVER = new Set([
  '@eadir',
  '#recycle',
  '#snapshot',
  '$recycle.bin',
  'system volume information',
  'lost+found',
  '.trash',
  '__macosx',
  '@recycle',
  '@tmp',
]);
/** Coarsest clock of a file system: FAT counts in steps of two seconds. */
const RACY_MS = 3_000;
/** A file that changed so recently may still be growing, which does not change its folder's time. */
const SETTLED_MS = 10 * 60_000;
/** Time that is stored for a folder whose own time is not reliable. */
export const UNTRUSTED = -1;
const MAX_DEPTH = 24;
const MAX_ENTRIES = 200_000;

const failed = (error: unknown): 'gone' | 'denied' => {
  const { code } = error as { code?: string };
  // A folder that became a link is treated as removed; opening it fails as no folder or as a link.
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' ? 'gone' : 'denied';
};

interface Ignoring {
  isIgnored(name: string): boolean;
}
interface Portraits {
  portraits(): DirectoryFile[];
}

/** Reads folders below a root. */
export function readDirectories({ root, folders, ignored, ...rest }: DirectoryRequest): DirectoryReport[] {
  const reader = createFolderReader(root);
  const how = { ...rest, isIgnored: matchNames(ignored) };
  try {
    return folders.map((folder) => readOne(reader, folder, { root, ...how }));
  } finally {
    reader.close();
  }
}

function readOne(
  reader: FolderReader,
  asked: RequestedFolder,
  { root, isFull, now, placement, isIgnored }: Omit<DirectoryRequest, 'folders' | 'ignored'> & Ignoring,
): DirectoryReport {
  const { path } = asked;
  const at = path === '' ? root : `${root}/${path}`;
  const parts = path.split('/');
  if (parts.length > MAX_DEPTH || parts.some(isIgnored)) return { path, state: 'ignored' };
  try {
    if (!isFull) {
      // The root may be a link that the owner set; nothing below it may.
      const stat = path === '' ? lstatSync(`${root}/.`) : lstatSync(at);
      if (!stat.isDirectory()) return { path, state: 'gone' };
      const isTrusted = asked.mtime === stat.mtimeMs && now - stat.mtimeMs > RACY_MS;
      if (isTrusted && hasSamePortraits(at, asked.signature ?? '', now))
        return { path, state: 'same', mtime: stat.mtimeMs };
    }
    return reader.with(path, (open, stat) =>
      list(open, asked, stat, { now, placement, isIgnored, portraits: () => readPortraits(reader, path) }),
    );
  } catch (error) {
    return { path, state: failed(error) };
  }
}

function list(
  at: string,
  asked: RequestedFolder,
  stat: Stats,
  { now, placement, isIgnored, portraits: readOwn }: Pick<DirectoryRequest, 'now' | 'placement'> & Ignoring & Portraits,
): DirectoryReport {
  const { path } = asked;
  const entries = readdirSync(at, { withFileTypes: true });
  if (entries.some(({ name }) => name === '.ignore' || name === '.nomedia')) return { path, state: 'ignored' };
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: DirectoryFile[] = [];
  const folders: string[] = [];
  const flaws: Flaw[] = [];
  let digested = placement;
  let newest = 0;
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    const { name } = entry;
    if (name.startsWith('.') || NEVER.has(name.toLowerCase()) || isIgnored(name)) continue;
    if (name.includes('\ufffd')) flaws.push([name, 'odd']);
    else if (entry.isSymbolicLink()) flaws.push([name, 'link']);
    else if (entry.isDirectory()) {
      folders.push(name);
      digested += `${name}/\0`;
    } else {
      const of = statOf(`${at}/${name}`);
      if (of === 'gone') continue;
      if (of === 'denied') flaws.push([name, 'unseen']);
      else if (of.isFile()) {
        newest = Math.max(newest, of.mtimeMs);
        files.push([name, of.size, of.mtimeMs, String(of.ino)]);
        digested += `${name}\0${of.size}\0${of.mtimeMs}\0`;
      }
    }
  }
  const hasPortraits = entries.some((entry) => entry.name === PORTRAIT_FOLDER && entry.isDirectory());
  // The time is taken before the names are read, so a picture that is added in the meantime makes another time.
  const portraitsTime = hasPortraits && !isIgnored(PORTRAIT_FOLDER) ? timeOf(`${at}/${PORTRAIT_FOLDER}`) : undefined;
  const portraits = portraitsTime === undefined ? [] : readOwn();
  for (const [name, size, changed] of portraits) {
    newest = Math.max(newest, changed);
    digested += `${name}\0${size}\0${changed}\0`;
  }
  for (const [name, why] of flaws) digested += `${name}\0${why}\0`;
  const digest = hash('sha1', digested, 'base64url');
  const signature = portraitsTime === undefined ? digest : `${digest}${PORTRAITS_TIME}${portraitsTime}`;
  const mtime = newest > now - SETTLED_MS ? UNTRUSTED : stat.mtimeMs;
  return signature === asked.signature
    ? { path, state: 'same', mtime }
    : { path, state: 'listed', mtime, signature, files, portraits, folders, flaws };
}

/** Separates the digest of a signature from the time of the folder of portraits. No digest contains it. */
const PORTRAITS_TIME = '.';

/**
 * Returns whether the folder of portraits has the time that a signature names. A picture that is added to it changes
 * its own time only, and not that of the folder above. Folders without portraits cost no call.
 */
function hasSamePortraits(at: string, signature: string, now: number): boolean {
  const dot = signature.indexOf(PORTRAITS_TIME);
  if (dot < 0) return true;
  const time = timeOf(`${at}/${PORTRAIT_FOLDER}`);
  return time !== undefined && now - time > RACY_MS && signature.slice(dot + 1) === String(time);
}

/** Returns when the entries of a folder changed; undefined for what is no folder. */
function timeOf(folder: string): number | undefined {
  const of = statOf(folder);
  return typeof of === 'object' && of.isDirectory() ? of.mtimeMs : undefined;
}

/** Returns the pictures of people in a folder. A folder that cannot be read has none. */
function readPortraits(reader: FolderReader, folder: string): DirectoryFile[] {
  try {
    return reader.with(folder === '' ? PORTRAIT_FOLDER : `${folder}/${PORTRAIT_FOLDER}`, (at) => {
      const names = readdirSync(at).filter(isPortraitName).toSorted().slice(0, MAX_PORTRAITS);
      return names.flatMap((name): DirectoryFile[] => {
        const of = statOf(`${at}/${name}`);
        const isUsable = typeof of === 'object' && of.isFile() && of.size > 0 && of.size <= MAX_PORTRAIT_BYTES;
        return isUsable ? [[`${PORTRAIT_FOLDER}/${name}`, of.size, of.mtimeMs, String(of.ino)]] : [];
      });
    });
  } catch {
    return [];
  }
}

/** A file that disappears between listing and reading its attributes counts as removed. */
function statOf(path: string): Stats | 'gone' | 'denied' {
  try {
    return lstatSync(path);
  } catch (error) {
    return failed(error);
  }
}

export type DirectoryReply = DirectoryReport[];
/** Files whose existence is checked, to distinguish a moved file from a copied one. */
export interface ExistenceRequest {
  root: string;
  files: readonly string[];
}
/** One result for each file; null if the root itself is missing or empty, so that nothing is known. */
export type ExistenceReply = boolean[] | null;

function still({ root, files }: ExistenceRequest): ExistenceReply {
  try {
    if (readdirSync(`${root}/.`).length === 0) return null;
  } catch {
    return null;
  }
  return files.map((file) => {
    const of = statOf(`${root}/${file}`);
    return of === 'denied' || (of !== 'gone' && of.isFile());
  });
}

if (process.send) {
  serveHelper((request) => {
    const asked = request as DirectoryRequest | ExistenceRequest;
    return 'files' in asked ? still(asked) : (readDirectories(asked) satisfies DirectoryReply);
  });
}
