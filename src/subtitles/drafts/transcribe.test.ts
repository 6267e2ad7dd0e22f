/** The recogniser is started as its command line asks, heard while it works, and ended when it is stuck or unwanted. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Behaviour, installWhisper, type WhisperStandIn } from '../../../test/stand-ins/whisper.ts';
import { openTestLibrary, type OpenTestLibrary } from '../../../test/subtitles/test-library.ts';
import { draftText } from '../../contract/subtitles/draft-notes.ts';
import { Failure } from '../../lib/failure.ts';
import { ProcessFailure, type StartCommand } from '../../lib/process.ts';
import { plainText } from '../../cues/index.ts';
import { createTranscriber, type TranscribeNeeds } from './transcribe.ts';
import { readModel, whisperLanguage } from './whisper-model.ts';

const SEGMENTS = [{ from: 500, to: 2500, text: 'Hello there.' }];
let folder: string;
let library: OpenTestLibrary;
let whisper: WhisperStandIn;
let cache: string;
const run = promisify(execFile);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matinee-spoken-'));
  library = await openTestLibrary(folder);
  whisper = await installWhisper(join(folder, 'tools'));
  cache = join(folder, 'cache/drafts');
  const make = async (name: string, ...args: string[]) => {
    await mkdir(join(library.media, name.replace(/\.\w+$/, '')), { recursive: true });
    await run('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'color=c=black:s=64x36:r=5:d=20',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=20',
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=800:duration=20',
      ...args,
      join(library.media, name.replace(/\.\w+$/, ''), name),
    ]);
  };
  await make(
    'Spoken (2001).mkv',
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-map',
    '2:a',
    '-metadata:s:a:0',
    'language=fre',
    '-metadata:s:a:1',
    'language=eng',
    '-c:v',
    'mpeg4',
    '-c:a',
    'aac',
  );
  await make(
    'Broadcast (2002).ts',
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c:v',
    'mpeg2video',
    '-c:a',
    'mp2',
    '-output_ts_offset',
    '5000',
  );
  await library.scan();
});
after(async () => {
  await library.close();
  await rm(folder, { recursive: true, force: true });
});

/** A transcriber over the real processes, and what it started. */
async function bench(behaviour: Partial<Behaviour> = {}, more: Partial<TranscribeNeeds> = {}) {
  const model = await whisper.model({ segments: SEGMENTS, ...behaviour });
  const started: StartCommand[] = [];
  const processes: TranscribeNeeds['processes'] = {
    locate: library.processes.locate,
    start: (command, signal) => (started.push(command), library.processes.start(command, signal)),
  };
  const transcriber = createTranscriber({
    processes,
    ffmpeg: library.ffmpeg,
    settings: () => ({ program: whisper.program, model, architecture: 'small' }),
    folder: cache,
    ...more,
  });
  const of = async (name: string, language = 'en') => {
    const [file] = (await library.film(name)).files;
    assert.ok(file);
    return { file, root: await library.catalog.root(file.root), language };
  };
  return { transcriber, started, model, of };
}
const { signal } = new AbortController();

test('the command line, the track in the language, and a speech detector that lies next to the model', async () => {
  const { transcriber, started, model, of } = await bench();
  const hearing = await transcriber.prepare(await of('Spoken'));
  assert.equal(hearing.stream, 2, 'the English one');
  const parts: number[] = [];
  const heard = await transcriber.transcribe(hearing, { progress: (part) => void parts.push(part), signal });
  assert.deepEqual(
    heard.document.cues.map(({ start, end, spans }) => [start, end, plainText(spans)]),
    [[500, 2500, 'Hello there.']],
  );
  const args = started[0]?.args ?? [];
  const own = args[3]?.replace(/\/sound\.wav$/, '') ?? '';
  const threads = args[13] ?? '';
  assert.deepEqual(args, [
    '-m',
    model,
    '-f',
    `${own}/sound.wav`,
    '-l',
    'en',
    '-oj',
    '-ojf',
    '-of',
    `${own}/heard`,
    '-np',
    '-pp',
    '-t',
    threads,
  ]);
  assert.deepEqual(
    [started[0]?.reads, started[0]?.writes, started[0]?.priority],
    [[model, join(folder, 'tools')], [own], 'background'],
  );
  assert.deepEqual([parts.at(-1), parts.every((part, n) => part >= (parts[n - 1] ?? 0))], [1, true]);
  assert.deepEqual(await readdir(cache), []);

  const detector = await whisper.detector();
  await transcriber.transcribe(await transcriber.prepare(await of('Spoken', 'fr-ca')), { signal });
  const second = started[1]?.args ?? [];
  assert.deepEqual([second[5], second.slice(-3)], ['fr', ['--vad', '-vm', detector]]);
  await rm(detector);
});

test('with a detector silence is cut from the sound, and every cue is timed by the film', async () => {
  const segments = [
    { from: 1500, to: 3500, text: 'Hello there. Who are you?' },
    { from: 12_000, to: 16_000, text: 'Nobody that you would know. Good night to you.' },
  ];
  const told = async (): Promise<unknown> => {
    const { transcriber, of } = await bench({ segments });
    const { document } = await transcriber.transcribe(await transcriber.prepare(await of('Spoken')), { signal });
    return document.cues.map(({ start, spans }) => [start, plainText(spans)]);
  };
  const whole = await told();
  assert.deepEqual(whole, [
    [1500, 'Hello there. Who are you?'],
    [12_000, 'Nobody that you would know.'],
    [14_222, 'Good night to you.'],
  ]);
  const detector = await whisper.detector();
  try {
    assert.deepEqual(await told(), whole);
  } finally {
    await rm(detector);
  }
});

test('a failure of the program is a sentence, although the program exits with 0', async () => {
  const refused = async (behaviour: Partial<Behaviour>, words: RegExp): Promise<void> => {
    const { transcriber, of } = await bench(behaviour);
    await assert.rejects(
      transcriber.transcribe(await transcriber.prepare(await of('Spoken')), { signal }),
      (error) => error instanceof Failure && error.kind === 'unavailable' && words.test(error.message),
      String(words),
    );
    assert.deepEqual(await readdir(cache), []);
  };
  await refused({ mode: 'old' }, /does not know an option or language/);
  await refused({ mode: 'damaged' }, /cannot load the model/);
  const detector = await whisper.detector();
  await writeFile(detector, 'no detector');
  await refused({}, /cannot use the speech detector/);
  await rm(detector);
});

test('control characters and invalid numbers do not affect the rest', async () => {
  const { transcriber, of } = await bench({ mode: 'odd' });
  const { document, confidence } = await transcriber.transcribe(await transcriber.prepare(await of('Spoken')), {
    signal,
  });
  assert.deepEqual([document.cues.map(({ spans }) => plainText(spans)), confidence], [['Hello there.'], [0.9]]);
});

test('a broadcast with any start time is transcribed from its beginning', async () => {
  const { transcriber, of } = await bench();
  // With the hours before it as silence, the sound would be far over its bound.
  const heard = await transcriber.transcribe(await transcriber.prepare(await of('Broadcast')), { signal });
  assert.equal(heard.document.cues.length, 1);
});

test('a program that prints nothing for too long is ended, and so is a cancelled one', async () => {
  const { transcriber, of } = await bench({ mode: 'stuck' }, { quietMs: 300 });
  await assert.rejects(
    transcriber.transcribe(await transcriber.prepare(await of('Spoken')), { signal }),
    (error) =>
      error instanceof Failure &&
      error.message === 'the transcription stopped making progress' &&
      error.cause instanceof ProcessFailure,
  );
  assert.deepEqual(await readdir(cache), []);

  const hanging = await bench({ mode: 'hang' });
  const control = new AbortController();
  const leave = new Failure('conflict', 'nobody waits', { reason: 'task-cancelled' });
  const work = hanging.transcriber.transcribe(await hanging.transcriber.prepare(await hanging.of('Spoken')), {
    progress: (part) => part > 0.3 && control.abort(leave),
    signal: control.signal,
  });
  await assert.rejects(work, (error) => error === leave);
  assert.deepEqual([await readdir(cache), library.processes.stats().running], [[], 0]);
});

test('the architecture that the program states is compared', async () => {
  const { transcriber, of } = await bench({ said: 'base' });
  const { notes } = await transcriber.transcribe(await transcriber.prepare(await of('Spoken')), { signal });
  assert.equal(draftText(notes), 'The program says that its model is base, and the file is small.');
});

test('a model is recognised by its header, also through a link; other files are refused', async () => {
  for (const type of ['tiny', 'base', 'small', 'medium', 'small.en'] as const)
    assert.equal((await readModel(await whisper.model({ segments: [], type }))).architecture, type);
  const path = await whisper.model({ segments: [] });
  await symlink(path, join(folder, 'linked.bin'));
  assert.equal((await readModel(join(folder, 'linked.bin'))).architecture, 'small');
  await writeFile(join(folder, 'short.bin'), 'lmgg');
  for (const bad of [
    join(folder, 'short.bin'),
    folder,
    '/dev/zero',
    join(folder, 'none.bin'),
    'relative.bin',
    undefined,
  ]) {
    await assert.rejects(readModel(bad), (error) => error instanceof Failure && error.kind === 'conflict', String(bad));
  }
  assert.deepEqual(['en', 'nb', 'pt', 'jv', 'aa'].map(whisperLanguage), ['en', 'no', 'pt', 'jw', undefined]);
});
