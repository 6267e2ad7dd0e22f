/**
 * What a clean-up would hide: SubRip and WebVTT files beside videos whose name says one of the languages.
 *
 * A base language takes its variants with it (`pt` takes `pt-br`), never the reverse. Files without a language in
 * their name, links, and what cannot be looked at are left alone; so is a file whose hidden name is taken. The digest
 * names exactly this plan: the policy, and every file by its place, size, time and identity on the disk.
 */
import { createHash } from 'node:crypto';
import type { Catalog, Sidecar, Subject } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { HIDDEN_SUFFIX, inside, isThere, type Root, statFile } from '../../lib/files.ts';
import { covers } from '../../lib/languages.ts';
import type { HidingTable } from '../store/hiding.ts';

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
export type PlanNeeds = Pick<Catalog, 'changedSince' | 'libraries' | 'root'>;

/** Subjects that are read at once, and files that are looked at side by side. */
const READ = 50;
const SIDE_BY_SIDE = 16;

export async function makePlan(catalog: PlanNeeds, asked: Policy, signal: AbortSignal): Promise<Plan> {
  const policy: Policy = { enabled: asked.enabled, languages: [...new Set(asked.languages)].sort(), forced: asked.forced };
  const files: PlannedFile[] = [];
  const skipped: Plan['skipped'] = [];
  for (const some of chunks(policy.enabled ? await candidates(catalog, policy, signal) : [])) {
    signal.throwIfAborted();
    for (const one of await Promise.all(some.map((candidate) => judge(catalog, policy, candidate)))) {
      if ('reason' in one) skipped.push(one);
      else files.push(one);
    }
  }
  return { policy, files, skipped, digest: digestOf(policy, files) };
}

/** A file may be named only once, whatever else leads to it: two libraries over one folder, two items of one video. */
async function candidates(catalog: PlanNeeds, { languages }: Policy, signal: AbortSignal): Promise<Candidate[]> {
  const libraries = new Map(catalog.libraries().filter(({ isOnline }) => isOnline).map((library) => [library.id, library]));
  const found = new Map<string, Candidate>();
  for (let change = 0; ; ) {
    signal.throwIfAborted();
    const subjects = await catalog.changedSince(change, READ);
    for (const subject of subjects) {
      for (const { sidecar, language, library: id } of fitting(subject, languages)) {
        const library = libraries.get(id);
        if (library) found.set(`${library.path}/${sidecar.relative}`, { sidecar, language, library, item: subject.id });
      }
    }
    const last = subjects.at(-1);
    if (!last || subjects.length < READ) break;
    change = last.change;
  }
  return [...found.values()].sort((a, b) => compare(a.library.name, b.library.name) || compare(a.library.id, b.library.id) || compare(a.sidecar.relative, b.sidecar.relative));
}

interface Candidate {
  sidecar: Sidecar;
  language: string;
  library: { id: string; name: string; path: string };
  item: string;
}

function fitting(subject: Subject, languages: readonly string[]): { sidecar: Sidecar; language: string; library: string }[] {
  if (subject.gone || !subject.available) return [];
  const libraryOf = new Map(subject.files.map(({ id, library }) => [id, library]));
  return subject.sidecars.flatMap((sidecar) => {
    const { language, version, isHidden, format } = sidecar;
    const library = libraryOf.get(version);
    if (library === undefined || language === undefined || isHidden || (format !== 'srt' && format !== 'vtt')) return [];
    return languages.some((one) => covers(language, one)) ? [{ sidecar, language, library }] : [];
  });
}

async function judge(catalog: PlanNeeds, { forced }: Policy, { sidecar, language, library, item }: Candidate): Promise<PlannedFile | { path: string; reason: string }> {
  const { relative, role } = sidecar;
  const path = `${library.name}/${relative}`;
  if (role === 'forced' && forced === 'keep') return { path, reason: 'the lines of foreign speech, which are kept' };
  try {
    const root = await catalog.root(library.path);
    const now = await lookAt(root, relative);
    if (typeof now === 'string') return { path, reason: now };
    return { path, library: library.id, root: library.path, relative, item, language, role, ...now };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { path, reason: error.message };
  }
}

/** The file as it is now, or why it is left alone. */
export async function lookAt(root: Root, relative: string): Promise<Pick<PlannedFile, 'size' | 'modified' | 'identity'> | string> {
  const name = relative.slice(relative.lastIndexOf('/') + 1);
  if (Buffer.byteLength(`${name}${HIDDEN_SUFFIX}`) > 255) return 'its name is too long to be hidden';
  const { kind, size, mtimeMs, ino } = await statFile(inside(root, relative));
  if (kind !== 'file') return kind === 'link' ? 'a link' : 'not an ordinary file';
  if (await isThere(inside(root, `${relative}${HIDDEN_SUFFIX}`))) return 'a hidden file of that name is there already';
  return { size, modified: String(mtimeMs), identity: String(ino) };
}

const digestOf = (policy: Policy, files: readonly PlannedFile[]): string =>
  createHash('sha256')
    .update(JSON.stringify([policy.enabled, policy.languages, policy.forced, files.map(({ library, relative, size, modified, identity }) => [library, relative, size, modified, identity])]))
    .digest('hex');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const chunks = <T>(all: readonly T[]): T[][] => Array.from({ length: Math.ceil(all.length / SIDE_BY_SIDE) }, (_, n) => all.slice(n * SIDE_BY_SIDE, (n + 1) * SIDE_BY_SIDE));
