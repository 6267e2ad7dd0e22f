/** Properties of every plan, checked with thousands of random files, clients and servers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance, SEED } from '../../../test/chance.ts';
import type { Stream } from '../../catalog/index.ts';
import { type Decision, decide, type PlayQuestion } from './decide.ts';
import { CLIENTS, MACHINES, POLICY, SETTINGS } from './testing/clients.ts';
import { FILMS, TRACKS } from './testing/films.ts';
import { audiosOf, usualAudio } from './support.ts';
import { type Client, WAYS } from './types.ts';

const random = chance();
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
const maybe = <T>(value: () => T, often = 0.5): T | undefined => (random() < often ? value() : undefined);
const some = (of: readonly string[]): Set<string> => new Set(of.filter(() => random() < 0.6));

const all = (key: 'videoCodecs' | 'audioCodecs' | 'containers' | 'hdrFormats' | 'subtitleFormats'): string[] => [
  ...new Set(Object.values(CLIENTS).flatMap((client) => [...(client[key] ?? [])])),
];
const NAMES = {
  videoCodecs: all('videoCodecs'),
  audioCodecs: all('audioCodecs'),
  containers: all('containers'),
  hdrFormats: all('hdrFormats'),
  subtitleFormats: all('subtitleFormats'),
};

/** Limits lie close to what the file has, where they decide. */
const drawnClient = (bitrate: number): Client => ({
  videoCodecs: maybe(() => some(NAMES.videoCodecs), 0.9),
  audioCodecs: maybe(() => some(NAMES.audioCodecs), 0.9),
  containers: maybe(() => some(NAMES.containers), 0.9),
  hdrFormats: maybe(() => some(NAMES.hdrFormats), 0.9),
  subtitleFormats: maybe(() => some(NAMES.subtitleFormats), 0.9),
  maxAudioChannels: maybe(() => pick([1, 2, 6, 8])),
  maxBitrate: maybe(() => Math.round(bitrate * pick([0.1, 0.5, 0.7, 0.75, 0.9, 0.95, 0.98, 1.01])), 0.5),
  maxHeight: maybe(() => pick([240, 480, 720, 1080, 2160]), 0.3),
});

/** Abilities of most clients. */
const USUAL = ['h264', 'aac', 'eac3', 'mp4'];

/** The same client with one capability more. */
function more(client: Client): Client {
  const key = pick([
    'videoCodecs',
    'audioCodecs',
    'containers',
    'hdrFormats',
    'subtitleFormats',
    'maxAudioChannels',
    'maxBitrate',
    'maxHeight',
  ] as const);
  const { [key]: had } = client;
  if (had === undefined) return client;
  if (typeof had === 'number')
    return { ...client, [key]: random() < 0.3 ? undefined : Math.round(had * pick([1.1, 2])) };
  // A client that says nothing of its subtitles draws WebVTT, and is not one that draws all.
  if (random() < 0.2 && key !== 'subtitleFormats') return { ...client, [key]: undefined };
  return { ...client, [key]: new Set([...had, random() < 0.3 ? pick(USUAL) : pick(NAMES[key as keyof typeof NAMES])]) };
}

function drawnQuestion(): PlayQuestion {
  const info = pick(Object.values(FILMS));
  const chosen = maybe(() => pick(audiosOf(info)), 0.3) as Stream | undefined;
  const subtitle = maybe(() => pick(TRACKS).key, 0.3);
  return {
    info,
    client: drawnClient(info.bitrate ?? 5e6),
    machine: pick(Object.values(MACHINES)),
    settings: {
      ...SETTINGS,
      mode: pick(['automatic', 'automatic', 'direct', 'compatible']),
      quality: pick(['automatic', 'speed', 'quality']),
      codec: pick(['auto', 'h264', 'hevc', 'vp9']),
      toneMap: random() < 0.8,
      accelerator: pick(['auto', 'none', 'cuda']),
    },
    policy: { ...POLICY, transcode: random() < 0.8, isRemote: random() < 0.3 },
    trouble: { hardwareFailed: random() < 0.2 ? ['vaapi'] : [], cannotDecode: random() < 0.1 },
    audio: chosen ?? usualAudio(info),
    isAudioChosen: chosen !== undefined,
    quality: maybe(() => pick(['original', '1080p-8', '720p-3', '240p-0.4']), 0.2),
    subtitles: TRACKS,
    ...(subtitle !== undefined && { subtitle, sidecar: 'film.sup' }),
    ...(random() < 0.3 && {
      index: {
        obstacles: maybe(() => [pick(['open-gop', 'sparse-keyframes', 'edit-list', 'no-index'] as const)]) ?? [],
        tracks: new Map(),
      },
    }),
  };
}
const TRIES = 3000;
const rank = ({ way }: Decision): number => (way === undefined ? WAYS.length : WAYS.indexOf(way));
const shown = ({ info, ...rest }: PlayQuestion): string =>
  `${info?.container} ${info?.streams.map(({ codec }) => codec).join('+')} ` +
  `${JSON.stringify(rest, (_, value: unknown) => (value instanceof Set ? [...value] : value))}`;

test(`a client that can more is never served worse (seed ${SEED})`, () => {
  let better = 0;
  for (let i = 0; i < TRIES; i++) {
    const question = drawnQuestion();
    const before = decide(question);
    const wider = { ...question, client: more(question.client) };
    const after = decide(wider);
    assert.ok(rank(after) <= rank(before), `${before.way} became ${after.way}\n${shown(question)}\n${shown(wider)}`);
    if (rank(after) < rank(before)) better++;
  }
  assert.ok(better > TRIES / 100, `only ${better} were served better`);
});

test('each name that a real player says makes nothing worse, whatever the limit', () => {
  let better = 0;
  for (const [film, info] of Object.entries(FILMS)) {
    for (const [player, said] of Object.entries(CLIENTS)) {
      for (const limit of [undefined, 0.97]) {
        const client: Client = {
          ...said,
          ...(limit !== undefined && { maxBitrate: Math.round((info.bitrate ?? 5e6) * limit) }),
        };
        const ask = (of: Client) =>
          rank(
            decide({
              info,
              client: of,
              machine: MACHINES.strong,
              settings: SETTINGS,
              policy: POLICY,
              trouble: { hardwareFailed: [], cannotDecode: false },
              audio: usualAudio(info),
              subtitles: [],
            }),
          );
        const whole = ask(client);
        for (const key of ['videoCodecs', 'audioCodecs', 'containers', 'hdrFormats'] as const) {
          for (const name of client[key] ?? []) {
            const less = ask({ ...client, [key]: new Set([...(client[key] ?? [])].filter((one) => one !== name)) });
            assert.ok(
              whole <= less,
              `${film} on ${player}: ${name} makes it worse, with a limit of ${limit ?? 'nothing'}`,
            );
            if (whole < less) better++;
          }
        }
      }
    }
  }
  assert.ok(better > 200, `only ${better} names made something better`);
});

test(`every way that is rejected has a reason, in order, and all of them are told (seed ${SEED})`, () => {
  for (let i = 0; i < TRIES; i++) {
    const question = drawnQuestion();
    const { way, refusal, rejected, reasons, recipe } = decide(question);
    assert.deepEqual(
      rejected.map((one) => one.way),
      way === undefined ? WAYS : WAYS.slice(0, WAYS.indexOf(way)),
      shown(question),
    );
    for (const one of rejected) assert.ok(one.reasons.length > 0, `${one.way}: ${shown(question)}`);
    const told = new Set(reasons.map(({ code }) => code));
    for (const { code } of rejected.flatMap((one) => one.reasons))
      assert.ok(told.has(code), `${code}: ${shown(question)}`);
    assert.deepEqual([refusal === undefined, recipe?.way], [way !== undefined, way]);
  }
});

test(`nothing is drawn into the video that was not chosen, and text never is (seed ${SEED})`, () => {
  let burned = 0;
  for (let i = 0; i < TRIES; i++) {
    const question = drawnQuestion();
    const { recipe } = decide(question);
    const burn = recipe?.video?.action === 'convert' ? recipe.video.recipe.burn : undefined;
    assert.equal(burn === undefined, recipe?.burn === undefined, shown(question));
    if (recipe?.burn === undefined) continue;
    burned++;
    assert.equal(recipe.burn, question.subtitle);
    assert.equal(TRACKS.find(({ key }) => key === recipe.burn)?.picture, true);
    assert.equal(recipe.way, 'transcode');
  }
  assert.ok(burned > 20, `only ${burned} were drawn`);
});

test(`a conversion stays below the source, the limits and what the client plays (seed ${SEED})`, () => {
  let converted = 0;
  for (let i = 0; i < TRIES; i++) {
    const question = drawnQuestion();
    const { client, info, policy, settings } = question;
    const { recipe } = decide(question);
    const what = shown(question);
    for (const track of recipe?.audio ?? []) {
      if (track.action === 'copy') continue;
      assert.ok(policy.transcode && settings.mode !== 'direct', what);
      assert.ok(
        track.recipe.channels <= (client.maxAudioChannels ?? 6) &&
          (client.audioCodecs?.has(track.recipe.codec) ?? true),
        what,
      );
    }
    if (recipe?.video?.action !== 'convert') continue;
    converted++;
    const { recipe: made } = recipe.video;
    const source = info?.streams[0];
    assert.ok(policy.transcode && settings.mode !== 'direct' && client.videoCodecs?.has(made.codec) !== false, what);
    assert.ok(made.width % 2 === 0 && made.height % 2 === 0, what);
    const size = (source?.width ?? 0) * (source?.sampleAspect ?? 1) * (source?.height ?? 0);
    assert.ok(
      made.width * made.height <= size * 1.01 && Math.min(made.width, made.height) <= (client.maxHeight ?? Infinity),
      what,
    );
    assert.ok(
      made.bitrate <= Math.max(200_000, (source?.bitrate ?? Infinity) * 0.9) &&
        (client.maxBitrate === undefined || made.bitrate <= Math.max(200_000, client.maxBitrate)),
      what,
    );
  }
  assert.ok(converted > TRIES / 50, `only ${converted} were converted`);
});

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
};
test('the same question has the same answer, and is left as it was', () => {
  for (let i = 0; i < 500; i++) {
    const question = frozen(drawnQuestion());
    assert.deepEqual(decide(question), decide(question));
  }
});
