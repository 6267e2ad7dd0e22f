/**
 * Plans a clean-up: finds the SubRip and WebVTT files next to videos whose names state one of the languages.
 *
 * A base language includes its variants (`pt` includes `pt-br`), never the reverse. Files without a language in their
 * name, links, unreadable files and files whose hidden name is taken are left alone. The digest identifies exactly this
 * plan: the policy, and every file by its path, size, time and identity on disk.
 */
import { createHash } from 'node:crypto';
import type { SkippedReason } from '../../contract/subtitles/skipped-reasons.ts';
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { type Folder, HIDDEN_SUFFIX, inRoot, openFolder, type Root } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import { folderOf } from '../install/install.ts';
import type { HidingTable } from '../store/tables.ts';
import type { SidecarCandidate, createSidecarCandidates } from './sidecar-candidates.ts';

export interface HidingPolicy {
  enabled: boolean;
  languages: readonly string[];
  forced: 'keep' | 'hide';
}
export interface PlannedFile extends Omit<HidingTable, 'at' | 'actor'> {
  root: string;
  /** Path for users: the library's name and the path below it. */
  path: string;
  /** Identity of the file on disk (inode). */
  identity: string;
}
interface SkippedFile {
  path: string;
  why: SkippedReason;
}
export interface HidingPlan {
  policy: HidingPolicy;
  files: PlannedFile[];
  skipped: SkippedFile[];
  digest: string;
}
export interface PlanNeeds {
  catalog: Pick<CatalogBackground, 'libraries' | 'root'>;
  sidecarCandidates: ReturnType<typeof createSidecarCandidates>;
}

/** Number of folders, and of files in one folder, that are examined in parallel. */
const MAX_PARALLEL = 16;

export async function makeHidingPlan(
  { catalog, sidecarCandidates }: PlanNeeds,
  asked: HidingPolicy,
  signal: AbortSignal,
): Promise<HidingPlan> {
  const policy: HidingPolicy = {
    enabled: asked.enabled,
    languages: [...new Set(asked.languages)].sort(),
    forced: asked.forced,
  };
  const files: PlannedFile[] = [];
  const skipped: HidingPlan['skipped'] = [];
  const folders = byFolder(policy.enabled ? candidates(catalog, policy, await sidecarCandidates(signal)) : []);
  for (const some of chunks(folders)) {
    signal.throwIfAborted();
    for (const one of (await Promise.all(some.map((inOne) => decideFolder(catalog, policy, inOne)))).flat()) {
      if ('why' in one) skipped.push(one);
      else files.push(one);
    }
  }
  return { policy, files, skipped, digest: digestOf(policy, files) };
}

interface Candidate extends SidecarCandidate {
  root: string;
  /** Name of its library. */
  name: string;
}

/**
 * Returns the candidates in the plan's order. Each file is listed once, even if two libraries contain its folder or two
 * items share its video.
 */
function candidates(
  catalog: PlanNeeds['catalog'],
  { languages }: HidingPolicy,
  all: ReadonlyMap<string, readonly SidecarCandidate[]>,
): Candidate[] {
  const libraries = new Map(
    catalog
      .libraries()
      .filter(({ isOnline }) => isOnline)
      .map((library) => [library.id, library]),
  );
  const found = new Map<string, Candidate>();
  for (const files of all.values()) {
    for (const one of files) {
      const library = libraries.get(one.library);
      if (library && languages.some((language) => covers(one.language, language)))
        found.set(`${library.path}/${one.relative}`, { ...one, root: library.path, name: library.name });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      compare(a.name, b.name) ||
      compare(a.library, b.library) ||
      compare(folderOf(a.relative), folderOf(b.relative)) ||
      compare(a.relative, b.relative),
  );
}

/** Groups sorted candidates by folder. */
function byFolder(all: readonly Candidate[]): Candidate[][] {
  const folders: Candidate[][] = [];
  for (const one of all) {
    const last = folders.at(-1)?.[0];
    if (last && last.library === one.library && folderOf(last.relative) === folderOf(one.relative))
      folders.at(-1)?.push(one);
    else folders.push([one]);
  }
  return folders;
}

type Decision = PlannedFile | SkippedFile;

/** Decides about all candidates of a folder, which is opened once. */
async function decideFolder(
  catalog: PlanNeeds['catalog'],
  { forced }: HidingPolicy,
  all: readonly Candidate[],
): Promise<Decision[]> {
  const [first] = all;
  if (!first) return [];
  const isKept = ({ role }: Candidate): boolean => role === 'forced' && forced === 'keep';
  let folder: Folder | undefined;
  try {
    if (!all.every(isKept)) folder = await openFolder(inRoot(await catalog.root(first.root), folderOf(first.relative)));
    const judged: Decision[] = [];
    for (const some of chunks(all))
      judged.push(...(await Promise.all(some.map((one) => decideFile(folder, one, isKept(one))))));
    return judged;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return all.map((one) => ({ path: pathOf(one), why: isKept(one) ? FOREIGN_LINES : failedReason(error) }));
  } finally {
    await folder?.close();
  }
}

const FOREIGN_LINES: SkippedReason = { reason: 'foreign-lines', values: {} };
const failedReason = ({ reason: failure, message }: Failure): SkippedReason => ({
  reason: 'failed',
  values: { failure, message },
});
const pathOf = ({ name, relative }: Candidate): string => `${name}/${relative}`;

async function decideFile(folder: Folder | undefined, candidate: Candidate, isKept: boolean): Promise<Decision> {
  const { relative, library, root, item, language, role } = candidate;
  const path = pathOf(candidate);
  if (isKept || !folder) return { path, why: FOREIGN_LINES };
  try {
    const now = await inspectIn(folder, relative.slice(relative.lastIndexOf('/') + 1));
    return typeof now === 'string'
      ? { path, why: { reason: now, values: {} } }
      : { path, library, root, relative, item, language, role, ...now };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { path, why: failedReason(error) };
  }
}

type Obstacle = 'name-too-long' | 'link' | 'not-a-file' | 'name-taken';
type FileFacts = Pick<PlannedFile, 'size' | 'modified' | 'identity'>;

/** Returns the current facts about a file, or why it is left alone. */
export async function inspectFile(root: Root, relative: string): Promise<FileFacts | Obstacle> {
  const folder = await openFolder(inRoot(root, folderOf(relative)));
  try {
    return await inspectIn(folder, relative.slice(relative.lastIndexOf('/') + 1));
  } finally {
    await folder.close();
  }
}

async function inspectIn(folder: Folder, name: string): Promise<FileFacts | Obstacle> {
  const hidden = `${name}${HIDDEN_SUFFIX}`;
  if (Buffer.byteLength(hidden) > 255) return 'name-too-long';
  const { kind, size, mtimeMs, ino } = await folder.stat(name);
  if (kind !== 'file') return kind === 'link' ? 'link' : 'not-a-file';
  const isTaken = await folder.stat(hidden).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.kind === 'missing') return false;
      throw error;
    },
  );
  return isTaken ? 'name-taken' : { size, modified: String(mtimeMs), identity: String(ino) };
}

const digestOf = (policy: HidingPolicy, files: readonly PlannedFile[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        policy.enabled,
        policy.languages,
        policy.forced,
        files.map(({ library, relative, size, modified, identity }) => [library, relative, size, modified, identity]),
      ]),
    )
    .digest('hex');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MAX_PARALLEL) }, (_, n) =>
    all.slice(n * MAX_PARALLEL, (n + 1) * MAX_PARALLEL),
  );
