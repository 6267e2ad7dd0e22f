/** Versions, parts and preferred languages of an item. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaInfo, PlayableFile, Sidecar } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import { type ItemQuestion, planItem } from './item.ts';
import { CLIENTS, MACHINES, POLICY, SETTINGS } from './testing/clients.ts';
import { makeAudioStream, makeMediaInfo as info, FILMS, makeVideoStream } from './testing/films.ts';
import { recipeLine } from './testing/read.ts';

const id = (n: number): string => n.toString(16).repeat(16);
const fileOf = (version: number, of: MediaInfo | undefined, more: Partial<PlayableFile> = {}): PlayableFile => ({
  id: id(version),
  item: id(9),
  library: id(8),
  root: '/films',
  relative: `${version}.mkv`,
  size: 1,
  modifiedMs: 1,
  part: 1,
  info: of,
  available: true,
  ...more,
});
const ask = (files: readonly PlayableFile[], more: Partial<ItemQuestion> = {}) =>
  planItem({
    files,
    sidecars: [],
    choices: {},
    client: CLIENTS.chromium,
    settings: SETTINGS,
    policy: POLICY,
    machine: MACHINES.strong,
    liked: [],
    ...more,
  });
const missing = (sentence: string) => (error: unknown) =>
  error instanceof Failure && error.kind === 'missing' && error.message === sentence;

test('the version that plays best is taken, and the reply says why', () => {
  const UHD = fileOf(1, FILMS.uhdHdr10);
  const HD = fileOf(2, FILMS.mkvAc3);
  const SD = fileOf(
    3,
    info('mp4', [makeVideoStream('h264', 2e6, { width: 720, height: 576 }), makeAudioStream(1, 'aac', 2, 192_000)]),
  );
  const of = (files: PlayableFile[], more?: Partial<ItemQuestion>) => {
    const { version, why, way } = ask(files, more);
    return [Number.parseInt(version[0] ?? '', 16), why, way];
  };
  assert.deepEqual(of([HD]), [2, 'only', 'remux-audio']);
  // The larger picture comes first as long as the video is not converted.
  assert.deepEqual(of([UHD, HD, SD]), [2, 'best', 'remux-audio']);
  assert.deepEqual(of([UHD, HD, SD], { client: CLIENTS.mpv }), [1, 'best', 'direct']);
  assert.deepEqual(of([UHD, HD, SD], { policy: { ...POLICY, transcode: false } }), [3, 'best', 'direct']);
  assert.deepEqual(of([UHD, HD, SD], { client: { ...CLIENTS.chromium, maxHeight: 720 } }), [3, 'best', 'direct']);
  // Among versions of one size, the one with less conversion wins.
  assert.deepEqual(of([HD, fileOf(4, FILMS.mp4)]), [4, 'best', 'direct']);
  // If conversion is needed anyway, an SDR source is preferred, then the smaller one.
  const nothing = { ...CLIENTS.oldTv, videoCodecs: new Set(['h264']), containers: new Set<string>(), maxHeight: 720 };
  assert.deepEqual(of([UHD, fileOf(5, FILMS.hevc)], { client: nothing }), [5, 'best', 'transcode']);
  assert.deepEqual(of([fileOf(6, FILMS.wide), fileOf(5, FILMS.hevc)], { client: nothing }), [5, 'best', 'transcode']);
});

test('a version that was asked for is taken, and one that is away is not chosen', () => {
  const UHD = fileOf(1, FILMS.uhdHdr10);
  const HD = fileOf(2, FILMS.mp4);
  assert.deepEqual(
    [ask([UHD, HD], { choices: { version: id(1) } }).why, ask([UHD, HD], { choices: { version: id(1) } }).version],
    ['asked', id(1)],
  );
  assert.equal(ask([UHD, { ...HD, available: false }]).version, id(1));
  assert.equal(
    ask([
      { ...UHD, available: false },
      { ...HD, available: false },
    ]).version,
    id(1),
  );
  assert.throws(() => ask([UHD, HD], { choices: { version: id(7) } }), missing('no such item'));
  assert.throws(() => ask([UHD, HD], { choices: { part: 2 } }), missing('no such item'));
  assert.throws(() => ask([HD], { choices: { quality: '9000p' } }), missing('no such quality'));
  assert.throws(() => ask([HD], { choices: { audio: 7 } }), missing('no such audio track'));
  assert.throws(() => ask([HD], { choices: { audio: 0 } }), missing('no such audio track'));
  assert.throws(() => ask([HD], { choices: { subtitle: 's7' } }), missing('no such subtitle'));
});

test('a track that only one version has decides for it', () => {
  const plain = fileOf(1, FILMS.mp4);
  const many = fileOf(2, FILMS.mp4Languages);
  assert.equal(ask([plain, many]).version, id(1));
  assert.deepEqual(
    [ask([plain, many], { choices: { audio: 3 } }).version, ask([plain, many], { choices: { audio: 3 } }).way],
    [id(2), 'remux-audio'],
  );
});

test('the parts of a film follow each other on one timeline, and are played in one way', () => {
  const one = fileOf(1, { ...FILMS.mp4, duration: 3600 });
  const two = fileOf(1, { ...FILMS.mkvAc3, duration: 1800 }, { part: 2 });
  const three = fileOf(1, { ...FILMS.mkv, duration: 600 }, { part: 3 });
  const { parts, way, reasons, rejected, at } = ask([three, one, two]);
  assert.deepEqual(
    parts.map(({ file, start, duration }) => [file.part, start, duration]),
    [
      [1, 0, 3600],
      [2, 3600, 1800],
      [3, 5400, 600],
    ],
  );
  assert.deepEqual([way, at], ['remux-audio', 0]);
  assert.deepEqual(
    parts.map(({ decision }) => [decision.way, recipeLine(decision.recipe)]),
    [
      ['remux-audio', 'copy, 1 aac2 192'],
      ['remux-audio', 'copy, 1 aac6 384'],
      ['remux-audio', 'copy, 1 aac2 192'],
    ],
  );
  assert.deepEqual(
    reasons.map(({ code }) => code),
    ['container-not-supported', 'audio-codec-not-supported'],
  );
  assert.deepEqual(
    rejected.map((each) => [each.way, each.reasons.map(({ code }) => code).join()]),
    [
      ['direct', 'container-not-supported,audio-codec-not-supported'],
      ['remux', 'audio-codec-not-supported'],
    ],
  );
  assert.equal(ask([one, two], { choices: { part: 2 } }).at, 1);
  assert.equal(ask([one, { ...one, part: 2 }]).way, 'direct');
  assert.deepEqual(
    [ask([one, fileOf(1, FILMS.hevc, { part: 2 })], { machine: MACHINES.busy })].map(({ way: none, refusal }) => [
      none,
      refusal,
    ]),
    [[undefined, 'busy']],
  );
});

test('a Profile hears its language, and the film rather than nothing', () => {
  const HD = fileOf(1, FILMS.mp4Languages);
  const of = (liked: string[], more?: Partial<ItemQuestion>) => {
    const { way, parts } = ask([HD], { liked, ...more });
    return [way, parts[0]?.audio?.index];
  };
  assert.deepEqual(of([]), ['direct', 1]);
  assert.deepEqual(of(['ja', 'fr']), ['remux', 2]);
  assert.deepEqual(of(['de']), ['remux-audio', 3]);
  assert.deepEqual(of(['de'], { policy: { ...POLICY, transcode: false } }), ['direct', 1]);
  // A client that says nothing opens the file and takes the track itself.
  assert.deepEqual(of(['de'], { client: CLIENTS.silent }), ['direct', 3]);
  assert.deepEqual(of(['de'], { choices: { audio: 2 } }), ['remux', 2]);
});

test('a track of sound without a packet is neither heard nor listed', () => {
  const file = fileOf(1, FILMS.mkvMixed);
  const heard = (empty: readonly number[]) => {
    const index = () => ({
      obstacles: [],
      tracks: new Map(empty.map((stream) => [stream, { obstacles: ['empty' as const] }])),
    });
    const { parts, reasons } = ask([file], { index });
    const left = reasons.flatMap(({ code, stream }) => (code === 'empty-track' ? [stream] : []));
    return [parts[0]?.audio?.index, recipeLine(parts[0]?.decision.recipe), left];
  };
  assert.deepEqual(heard([1]), [2, 'copy, 2 copy, 3 aac2 192', [1]]);
  assert.deepEqual(heard([1, 2, 3]), [undefined, 'copy', [1, 2, 3]]);
});

test('a film lasts as long as what can be cut, where its header says something else', () => {
  const of = (duration: number) =>
    ask([fileOf(1, { ...FILMS.mkv, duration: 90_451 })], {
      index: () => ({ duration, obstacles: [], tracks: new Map() }),
    }).parts.map((part) => part.duration);
  assert.deepEqual([of(600), of(0), of(90_451.4)], [[600], [90_451], [90_451]]);
});

test('facts and troubles are asked for by file', () => {
  const HD = fileOf(1, FILMS.mkv);
  const cut = ask([HD], { index: () => ({ obstacles: ['edit-list'], tracks: new Map() }) });
  assert.deepEqual(
    [cut.way, cut.reasons.map(({ code }) => code)],
    ['transcode', ['container-not-supported', 'edit-list']],
  );
  const own = ask([HD], {
    index: () => ({
      obstacles: [],
      tracks: new Map([
        [0, { obstacles: ['open-gop'] }],
        [1, { obstacles: ['encoded'] }],
      ]),
    }),
  });
  assert.deepEqual(
    [own.way, recipeLine(own.parts[0]?.decision.recipe)],
    ['transcode', 'h264 1920x1080 5000 fast, 1 aac2 192'],
  );
  const rates = ask([HD], {
    client: { ...CLIENTS.chromium, maxBitrate: 6_000_000 },
    index: () => ({ obstacles: [], tracks: new Map([[0, { obstacles: [], bandwidth: { peak: 9e6, average: 5e6 } }]]) }),
  });
  assert.equal(rates.way, 'remux');
  assert.equal(
    ask([fileOf(1, FILMS.hevc)], { trouble: () => ({ hardwareFailed: [], cannotDecode: true }) }).refusal,
    'forbidden',
  );
});

test('a picture subtitle next to the film is drawn from its own file', () => {
  const sidecar = (relative: string, format: string, more: Partial<Sidecar> = {}): Sidecar => ({
    relative,
    name: relative,
    language: 'en',
    role: 'normal',
    format,
    title: undefined,
    isHidden: false,
    isDefault: false,
    size: 1,
    modifiedMs: 1,
    version: id(1),
    part: 1,
    ...more,
  });
  const sidecars = [
    sidecar('hidden.srt', 'srt', { isHidden: true }),
    sidecar('of-another.srt', 'srt', { version: id(2) }),
    sidecar('a.srt', 'srt'),
    sidecar('dir/b.sup', 'sup'),
  ];
  const { parts } = ask([fileOf(1, FILMS.mp4)], { sidecars, client: CLIENTS.cast, choices: { subtitle: 'f1' } });
  assert.equal(recipeLine(parts[0]?.decision.recipe), 'h264 1920x1080 5000 fast burn dir/b.sup, 1 copy');
  assert.deepEqual([parts[0]?.decision.recipe?.burn, parts[0]?.decision.recipe?.subtitles], ['f1', ['f0']]);
});
