/**
 * Plans a clean-up: the SubRip and WebVTT files next to videos whose names state one of the languages.
 *
 * A base language takes its variants with it (`pt` takes `pt-br`), never the reverse. Files without a language in
 * their name, links, and what cannot be looked at are left alone; so is a file whose hidden name is taken. The digest
 * names exactly this plan: the policy, and every file by its place, size, time and identity on the disk.
 */
import { createHash } from 'node:crypto';
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { type Folder, HIDDEN_SUFFIX, inRoot, openFolder, type Root } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import { folderOf } from '../install/install.ts';
import type { HidingTable } from '../store/tables.ts';
import type { Beside, createBeside } from './beside.ts';

export interface Policy {
  enabled: boolean;
  languages: readonly string[];
  forced: 'keep' | 'hide';
}
export interface PlannedFile extends Omit<HidingTable, 'at' | 'actor'> {
  root: string;
  /** For people: the library and the way below it. */
  path: string;
  /** Which file of the disk it is. */
  identity: string;
}
export interface Plan {
  policy: Policy;
  files: PlannedFile[];
  skipped: { path: string; reason: string }[];
  digest: string;
}
export interface PlanNeeds {
  catalog: Pick<CatalogBackground, 'libraries' | 'root'>;
  beside: ReturnType<typeof createBeside>;
}

/** Folders that are looked into side by side, and files of one folder. */
const SIDE_BY_SIDE = 16;

export async function makePlan({ catalog, beside }: PlanNeeds, asked: Policy, signal: AbortSignal): Promise<Plan> {
  const policy: Policy = {
    enabled: asked.enabled,
    languages: [...new Set(asked.languages)].sort(),
    forced: asked.forced,
  };
  const files: PlannedFile[] = [];
  const skipped: Plan['skipped'] = [];
  const folders = byFolder(policy.enabled ? candidates(catalog, policy, await beside(signal)) : []);
  for (const some of chunks(folders)) {
    signal.throwIfAborted();
    for (const one of (await Promise.all(some.map((inOne) => judgeFolder(catalog, policy, inOne)))).flat()) {
      if ('reason' in one) skipped.push(one);
      else files.push(one);
    }
  }
  return { policy, files, skipped, digest: digestOf(policy, files) };
}

interface Candidate extends Beside {
  item: string;
  root: string;
  /** Id of its library. */
  name: string;
}

/** A file may be named only once, whatever else leads to it: two libraries over one folder, two items of one video. */
function candidates(
  catalog: PlanNeeds['catalog'],
  { languages }: Policy,
  all: ReadonlyMap<string, readonly Beside[]>,
): Candidate[] {
  const libraries = new Map(
    catalog
      .libraries()
      .filter(({ isOnline }) => isOnline)
      .map((library) => [library.id, library]),
  );
  const found = new Map<string, Candidate>();
  for (const [item, files] of all) {
    for (const one of files) {
      const library = libraries.get(one.library);
      if (library && languages.some((language) => covers(one.language, language)))
        found.set(`${library.path}/${one.relative}`, { ...one, item, root: library.path, name: library.name });
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

/** Sorted by folder. */
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

type Judged = PlannedFile | { path: string; reason: string };

/** Walks to their folder once. */
async function judgeFolder(
  catalog: PlanNeeds['catalog'],
  { forced }: Policy,
  all: readonly Candidate[],
): Promise<Judged[]> {
  const [first] = all;
  if (!first) return [];
  const isKept = ({ role }: Candidate): boolean => role === 'forced' && forced === 'keep';
  let folder: Folder | undefined;
  try {
    if (!all.every(isKept)) folder = await openFolder(inRoot(await catalog.root(first.root), folderOf(first.relative)));
    const judged: Judged[] = [];
    for (const some of chunks(all))
      judged.push(...(await Promise.all(some.map((one) => judge(folder, one, isKept(one))))));
    return judged;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return all.map((one) => ({ path: pathOf(one), reason: isKept(one) ? FOREIGN : error.message }));
  } finally {
    await folder?.close();
  }
}

const FOREIGN = 'the lines of foreign speech, which are kept';
const pathOf = ({ name, relative }: Candidate): string => `${name}/${relative}`;

async function judge(folder: Folder | undefined, candidate: Candidate, isKept: boolean): Promise<Judged> {
  const { relative, library, root, item, language, role } = candidate;
  const path = pathOf(candidate);
  if (isKept || !folder) return { path, reason: FOREIGN };
  try {
    const now = await lookIn(folder, relative.slice(relative.lastIndexOf('/') + 1));
    return typeof now === 'string'
      ? { path, reason: now }
      : { path, library, root, relative, item, language, role, ...now };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { path, reason: error.message };
  }
}

type Looks = Pick<PlannedFile, 'size' | 'modified' | 'identity'>;

/** The file as it is now, or why it is left alone. */
export async function lookAt(root: Root, relative: string): Promise<Looks | string> {
  const folder = await openFolder(inRoot(root, folderOf(relative)));
  try {
    return await lookIn(folder, relative.slice(relative.lastIndexOf('/') + 1));
  } finally {
    await folder.close();
  }
}

async function lookIn(folder: Folder, name: string): Promise<Looks | string> {
  const hidden = `${name}${HIDDEN_SUFFIX}`;
  if (Buffer.byteLength(hidden) > 255) return 'its name is too long to be hidden';
  const { kind, size, mtimeMs, ino } = await folder.stat(name);
  if (kind !== 'file') return kind === 'link' ? 'a link' : 'not an ordinary file';
  const isTaken = await folder.stat(hidden).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.kind === 'missing') return false;
      throw error;
    },
  );
  return isTaken
    ? 'a hidden file of that name is there already'
    : { size, modified: String(mtimeMs), identity: String(ino) };
}

const digestOf = (policy: Policy, files: readonly PlannedFile[]): string =>
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
  Array.from({ length: Math.ceil(all.length / SIDE_BY_SIDE) }, (_, n) =>
    all.slice(n * SIDE_BY_SIDE, (n + 1) * SIDE_BY_SIDE),
  );
