/** For tests of drafts: a film with audio in a real catalogue, and a stand-in for the transcription program. */
import { mkdir } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type TestContext } from 'node:test';
import { type Behaviour, installWhisper, type WhisperStandIn } from '../../../test/stand-ins/whisper.ts';
import { openWorld, openTemporaryFolder, type World } from '../../../test/subtitles/world.ts';
import { Failure } from '../../lib/failure.ts';
import type { Drafts } from './types.ts';
import { until as untilSo } from '../../../test/until.ts';

const run = promisify(execFile);

export const isFailure = (kind: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.kind === kind && words.test(error.message);

export const SEGMENTS = [
  { from: 1000, to: 4000, text: 'Good evening, everybody.', p: [0.9, 0.4, 0.8] },
  { from: 6000, to: 9000, text: 'The café is closed.' },
];

/** Writes a film of half a minute with a tone in each of these languages; `und` states none. */
async function film(path: string, languages: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const tones = languages.flatMap((_, n) => ['-f', 'lavfi', '-i', `sine=frequency=${300 + n * 100}:duration=30`]);
  const maps = languages.flatMap((language, n) => ['-map', `${n + 1}:a`, `-metadata:s:a:${n}`, `language=${language}`]);
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'color=c=black:s=64x36:r=2:d=30',
    ...tones,
    '-map',
    '0:v',
    ...maps,
    '-c:v',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-t',
    '30',
    path,
  ]);
}

export interface DraftWorld extends World {
  id: string;
  video: string;
  whisper: WhisperStandIn;
  /** Waits for a state. */
  until(
    language: string,
    holds: (state: Awaited<ReturnType<Drafts['read']>>) => boolean,
  ): Promise<Awaited<ReturnType<Drafts['read']>>>;
  again(): Promise<World>;
  environment: Record<string, string>;
}

export async function openDrafts(
  t: TestContext,
  {
    languages = ['eng'],
    behaviour,
    env = {},
  }: { languages?: readonly string[]; behaviour?: Partial<Behaviour>; env?: Record<string, string> } = {},
): Promise<DraftWorld> {
  const folder = await openTemporaryFolder(t);
  const video = join(folder, 'media/Film (2001)/Film (2001).mkv');
  await film(video, languages);
  const whisper = await installWhisper(join(folder, 'tools'));
  const model = await whisper.model({ segments: SEGMENTS, ...behaviour });
  const all = {
    SERVICE_SUBTITLE_LANGUAGE: 'en',
    SERVICE_WHISPER: whisper.program,
    SERVICE_TRANSCRIPTION_MODEL: model,
    ...env,
  };
  const open: World[] = [];
  const again = async (): Promise<World> => {
    const next = await openWorld({ folder, env: all });
    open.push(next);
    return next;
  };
  t.after(() => Promise.all(open.map((one) => one.close())));
  const world = await again();
  await world.scan();
  const id = await world.idOf('Film');
  const until: DraftWorld['until'] = async (language, holds) => {
    return untilSo(`a state of the draft in ${language}`, async () => {
      const state = await world.subtitles.drafts.read({ id, language });
      return holds(state) ? state : undefined;
    });
  };
  return { ...world, id, video, whisper, until, again, environment: all };
}

export const isEnded = ({ state }: { state: string }): boolean => state !== 'running';

export const begin = (w: DraftWorld, more: object = {}) =>
  w.subtitles.drafts.start({ id: w.id, language: 'en', method: 'transcription', ...more });
