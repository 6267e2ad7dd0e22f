/**
 * Puts a subtitle beside its video: whole or not at all, never over somebody's file, and known to be ours for ever.
 *
 * First the database says what is about to be written, then the file appears under its name in one step, then the
 * database says that it is there. Killed at any moment, the next start finds the intent and looks: a file with exactly
 * those bytes is finished, anything else is forgotten, and what a killed writer left in the folder is swept.
 * One writer a folder at a time; a second writer of the same file is told so at once.
 */
import { createHash } from 'node:crypto';
import type { Catalog, PlayableFile } from '../catalog/index.ts';
import type { Evidence } from '../contract/subtitles/library.ts';
import type { Clock } from '../lib/clock.ts';
import { crashPoint } from '../lib/crash.ts';
import { Failure } from '../lib/failure.ts';
import { inside, readBounded, type Root, statFile, sweepStray, writeWhole } from '../lib/files.ts';
import { createKeyedLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import type { InstallingStore } from './store/installing.ts';
import type { FileTable } from './store/tables.ts';

export type Role = FileTable['role'];
export interface Installation {
  item: string;
  file: PlayableFile;
  root: Root;
  language: string;
  role: Role;
  /** Ending of the name, without a dot. */
  format: string;
  bytes: Uint8Array;
  source: string;
  score: number;
  match: FileTable['match'];
  evidence: readonly Evidence[];
  /** The last moment to refuse, by throwing: everything is written and nothing is in its place yet. */
  check(): Promise<void>;
}

export interface InstallNeeds {
  store: InstallingStore;
  catalog: Pick<Catalog, 'libraries' | 'root' | 'sidecarsChanged'>;
  clock: Clock;
  log: Log;
}
export interface Installer {
  /** Gives the place of the file below its library. Fails as `conflict` when the name is taken or the folder cannot be written to. */
  install(installation: Installation): Promise<string>;
  /** Finishes or forgets what a killed process was about to write. What cannot be reached now stays for the next time. */
  recover(): Promise<void>;
}

const LONGEST_NAME = 255;
/** More than any subtitle: another file has that name then. */
const MOST_READ = 8 * 1024 * 1024;
const SUFFIX: Record<Role, string> = { normal: '', forced: '.forced', sdh: '.sdh' };

export const folderOf = (relative: string): string => relative.slice(0, Math.max(0, relative.lastIndexOf('/')));
const contentOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** `Film.en.srt`, `Film.pt-br.sdh.srt`: the name under which every player finds a subtitle of that video. */
export function sidecarName(video: string, language: string, role: Role, format = 'srt'): string {
  const dot = video.lastIndexOf('.');
  const at = video.lastIndexOf('/');
  const name = `${dot > at + 1 ? video.slice(0, dot) : video}.${language}${SUFFIX[role]}.${format}`;
  if (Buffer.byteLength(name.slice(at + 1)) > LONGEST_NAME) throw new Failure('conflict', 'the name of the video is too long for a subtitle beside it');
  return name;
}

export function createInstaller({ store, catalog, clock, log }: InstallNeeds): Installer {
  const folders = createKeyedLock();
  const files = createKeyedLock();
  const folderKey = (library: string, relative: string) => `${library}/${folderOf(relative)}`;

  async function write({ root, check, bytes, ...facts }: Installation, relative: string): Promise<void> {
    const { library } = facts.file;
    const place = inside(root, relative);
    // Asked again now that nobody else writes here: the search before took seconds.
    await check();
    await store.intend({
      library, relative, item: facts.item, language: facts.language, role: facts.role, format: facts.format, source: facts.source,
      score: facts.score, match: facts.match, evidence: JSON.stringify(facts.evidence), content: contentOf(bytes), at: clock.now(),
    });
    crashPoint('subtitles.fetch.intent');
    try {
      await writeWhole(place, bytes, { exclusive: true, check });
    } catch (error) {
      await store.undo({ library, relative });
      throw error;
    }
    crashPoint('subtitles.fetch.written');
    const { size, mtimeMs } = await statFile(place);
    await store.done({ library, relative, size, modified: Math.round(mtimeMs) });
    crashPoint('subtitles.fetch.recorded');
  }

  async function settle(intent: FileTable, root: Root): Promise<void> {
    const place = inside(root, intent.relative);
    const bytes = await readBounded(place, MOST_READ).catch((error: unknown) => {
      if (error instanceof Failure && error.kind !== 'unavailable') return undefined;
      throw error;
    });
    if (bytes === undefined || contentOf(bytes) !== intent.content) {
      await store.undo(intent);
      return;
    }
    const { size, mtimeMs } = await statFile(place);
    await store.done({ ...intent, size, modified: Math.round(mtimeMs) });
    await catalog.sidecarsChanged(intent.item);
  }

  async function recoverFolder(one: FileTable): Promise<void> {
    const library = catalog.libraries().find(({ id }) => id === one.library);
    if (!library?.isOnline) return;
    const key = folderKey(one.library, one.relative);
    await folders.run(key, async () => {
      // A writer holds this lock from its intent to its end, so whatever still is an intent here is nobody's.
      const left = (await store.intents()).filter(({ library: id, relative }) => folderKey(id, relative) === key);
      if (left.length === 0) return;
      const root = await catalog.root(library.path);
      await sweepStray(inside(root, folderOf(one.relative))).catch((error: unknown) => {
        if (!(error instanceof Failure && error.kind === 'missing')) throw error;
      });
      for (const intent of left) await settle(intent, root);
    });
  }

  return {
    install: async (installation) => {
      const { file, language, role, format } = installation;
      const relative = sidecarName(file.relative, language, role, format);
      await files.tryLock(`${file.library}/${relative}`, () => folders.run(folderKey(file.library, relative), () => write(installation, relative)), 'this subtitle file is being written already');
      return relative;
    },
    recover: async () => {
      for (const intent of await store.intents()) {
        await recoverFolder(intent).catch((error: unknown) => log.fault('subtitles.not-recovered', error, { item: intent.item }));
      }
    },
  };
}
