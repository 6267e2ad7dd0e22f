/** For tests of the workbench: a film with given files in a real catalogue, database and folder. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder, type World } from '../../../test/subtitles/world.ts';
import { Failure } from '../../lib/failure.ts';

const FILM = 'The Lighthouse (2001)/The Lighthouse (2001)';
export const SIGNAL = new AbortController().signal;
export const stamp = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
/** Lines of four seconds each. */
export const srt = (lines: readonly string[], from = 1000): string =>
  lines
    .map((line, n) => `${n + 1}\n${stamp(from + n * 4000)} --> ${stamp(from + n * 4000 + 2000)}\n${line}\n`)
    .join('\n');
export const LINES = [
  'Where is the key?',
  'I left it by the lamp.',
  'Then we wait for the morning.',
  'The boat will not come back.',
];
interface FilmScene extends World {
  id: string;
  path(name: string): string;
  text(name: string): Promise<string>;
  /** Names of the files next to the video. */
  names(): Promise<string[]>;
  bench: World['subtitles']['workbench'];
  fingerprint(language?: string): Promise<string>;
  preservedFiles(): Promise<string[]>;
  restart(): Promise<void>;
}
interface FilmFiles {
  files?: Readonly<Record<string, string | Uint8Array>>;
  video?: Parameters<typeof makeVideo>[1];
}
async function scene(t: TestContext, { files = {}, video }: FilmFiles = {}): Promise<FilmScene> {
  const folder = await openTemporaryFolder(t);
  const media = join(folder, 'media');
  await makeVideo(join(media, `${FILM}.mkv`), video);
  const path = (name: string) => join(media, dirname(FILM), name);
  for (const [name, content] of Object.entries(files)) await writeFile(path(name), content);
  const env = { SERVICE_SUBTITLE_LANGUAGE: 'en' };
  let world = await openWorld({ folder, env });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('The Lighthouse');
  const made = (): FilmScene => ({
    ...world,
    id,
    path,
    bench: world.subtitles.workbench,
    text: (name) => readFile(path(name), 'utf8'),
    names: async () => (await readdir(dirname(path('x')))).filter((name) => !name.endsWith('.mkv')).sort(),
    fingerprint: async (language = 'en') =>
      (await world.subtitles.workbench.inspect({ id, language }, SIGNAL)).fingerprint,
    preservedFiles: async () =>
      (await readdir(join(folder, 'subtitles'), { recursive: true, withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    restart: async () => {
      await world.close();
      world = await openWorld({ folder, env });
      Object.assign(own, made());
    },
  });
  const own = made();
  return own;
}
export const refused = (kind: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.kind === kind && words.test(error.message);
export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
export async function openFilm(t: TestContext, files: FilmFiles) {
  const own = await scene(t, files);
  return { ...own, own, item: () => own.subtitles.item(own.id) };
}
