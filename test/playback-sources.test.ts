/**
 * The file of a film is replaced, overwritten, cut or deleted, or its share stops answering, while it is played
 * directly, repacked and converted: no reply mixes bytes of two files, the error says what to do, and other films play
 * on.
 */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, test, type TestContext } from 'node:test';
import { filmPath, openHouse, type PlayingHouse, type Viewer } from './faults/house.ts';
import { type Get, makeFilm, plan, playWhole, RATE, Refused, segmentsOf, wanted } from './faults/viewer.ts';
import { openShare, type Share } from './stand-ins/share.ts';
import { until } from './until.ts';

const SECONDS = 8;
const base = mkdtempSync(join(tmpdir(), 'playback-sources-'));
const closing: (() => unknown)[] = [];
const together = { after: (close: () => unknown) => void closing.push(close) } as unknown as Pick<TestContext, 'after'>;
let house: PlayingHouse;
let share: Share;

/** How a film of each way is made and asked for. */
const WAYS = {
  direct: { video: 'h264', query: 'containers=matroska&videoCodecs=h264&audioCodecs=aac', mode: 'direct' },
  repacked: { video: 'h264', query: 'containers=mp4&videoCodecs=h264&audioCodecs=aac', mode: 'remux' },
  converted: { video: 'mpeg4', query: 'containers=mp4&videoCodecs=h264&audioCodecs=aac', mode: 'transcode' },
} as const;
type Way = keyof typeof WAYS;
const FAULTS = ['replaced', 'overwritten', 'cut', 'deleted'] as const;
type Fault = (typeof FAULTS)[number];
const ways = Object.keys(WAYS) as Way[];

/** Segments of copied films are larger than the buffers of sockets, so that a transfer can be interrupted. */
const SIZES = { h264: { size: '640x360' }, mpeg4: { size: '128x72' } };
/** Conversions: a run is held before its end. */
const HUNG_SECONDS = 80;
/** Paths of a film and of the film that replaces it. */
const model = (video: 'h264' | 'mpeg4', which: 'old' | 'new'): string => join(base, `${which}-${video}.mkv`);
const kept = new Map<string, Buffer>();
function bytesOf(video: 'h264' | 'mpeg4', which: 'old' | 'new'): Buffer {
  const bytes = kept.get(`${video} ${which}`) ?? readFileSync(model(video, which));
  kept.set(`${video} ${which}`, bytes);
  return bytes;
}
const titleOf = (way: Way, fault: string): string => `${way} ${fault}`;

before(async () => {
  await Promise.all(
    (['h264', 'mpeg4'] as const).flatMap((video) => [
      makeFilm(model(video, 'old'), { video, seconds: SECONDS, ...SIZES[video], isNoise: true }),
      // Longer than the old one: a reply that is under way finds as many bytes as it promised.
      makeFilm(model(video, 'new'), { video, seconds: SECONDS + 2, ...SIZES[video], isNoise: true }),
    ]),
  );
  await makeFilm(join(base, 'hung.mkv'), { video: 'mpeg4', seconds: HUNG_SECONDS, size: '128x72', isNoise: true });
  house = await openHouse(together, ['Films', 'Share'], ways.length * FAULTS.length + 4, {
    fill: async (media) => {
      const place = (library: string, title: string, from: string): void => {
        const to = filmPath(join(media, library), title);
        mkdirSync(dirname(to), { recursive: true });
        copyFileSync(from, to);
      };
      for (const way of ways) {
        for (const fault of FAULTS) place('Films', titleOf(way, fault), model(WAYS[way].video, 'old'));
        place(
          'Share',
          titleOf(way, 'hung'),
          way === 'converted' ? join(base, 'hung.mkv') : model(WAYS[way].video, 'old'),
        );
      }
      place('Films', 'Other', model('h264', 'old'));
    },
  });
  share = openShare(join(house.media, 'Share'));
});
after(async () => {
  share?.close();
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(base, { recursive: true, force: true });
});

// A Profile plays a few films at a time, and each test plays some.
afterEach(async () => {
  const { items } = (await house.call({ token: house.owner }, 'GET', '/api/v1/playback-sessions')).body as unknown as {
    items: { id: string }[];
  };
  for (const { id } of items) await house.call({ token: house.owner }, 'DELETE', `/api/v1/playback-sessions/${id}`);
});

const FAULT: Record<Fault, (path: string, other: string) => void> = {
  replaced: (path, other) => {
    copyFileSync(other, `${base}/new`);
    renameSync(`${base}/new`, path);
  },
  // As a copy over it does: the same file with other bytes.
  overwritten: (path, other) => writeFileSync(path, readFileSync(other)),
  cut: (path) => truncateSync(path, 100_000),
  deleted: (path) => rmSync(path),
};

/** Paths of what a player reads: the pieces of a film in order, and what is in front of them. */
async function piecesOf(get: Get, title: string, way: Way): Promise<{ pieces: string[]; init?: string }> {
  const planned = await plan(get, house.ids.get(title) ?? assert.fail(title), WAYS[way].query);
  assert.equal(planned.mode, WAYS[way].mode);
  if (way === 'direct') return { pieces: [planned.urls.media] };
  const { all, init } = await segmentsOf(get, planned);
  return { pieces: all, init };
}
/** The pieces as they are while nothing happens to the file, with another session. */
async function soundPieces(way: Way, viewer: Viewer, title: string): Promise<Buffer[]> {
  if (way === 'direct') return [bytesOf(WAYS[way].video, 'old')];
  const { pieces } = await piecesOf(viewer.get, title, way);
  return Promise.all(pieces.map((path) => wanted(viewer.get, path)));
}

/** Replies to a player that continues to ask. */
const ANSWERS: Record<Fault, readonly number[]> = {
  replaced: [409],
  overwritten: [409],
  cut: [409],
  deleted: [404, 409, 503],
};

for (const way of ways) {
  describe(`a film that is ${way}`, () => {
    for (const fault of FAULTS) {
      test(`is ${fault}`, async () => {
        const [viewer, other] = [await house.device(), await house.device()];
        const title = titleOf(way, fault);
        const path = filmPath(join(house.media, 'Films'), title);
        const { pieces } = await piecesOf(viewer.get, title, way);
        // Converted segments are made as they are asked for: the first is there, the others are not.
        const sound =
          way === 'converted' ? [await wanted(viewer.get, pieces[0] ?? '')] : await soundPieces(way, viewer, title);
        const elsewhere = await other.open((await piecesOf(other.get, 'Other', 'direct')).pieces[0] ?? '');
        const reply = await viewer.open(pieces[0] ?? '');
        FAULT[fault](path, model(WAYS[way].video, 'new'));

        const { bytes, isWhole } = await reply.rest();
        const expected = sound[0] ?? Buffer.alloc(0);
        if (isWhole) assert.ok(bytes.equals(expected), 'a reply that came whole is of the old file');
        else assert.ok(way !== 'converted' && bytes.length < expected.length, 'it was cut');
        if (way === 'direct') {
          // A player that asks for the rest of what it has is not given the rest of another file.
          if (fault === 'deleted')
            await until('the refusal', async () => [404, 503].includes((await viewer.get(pieces[0] ?? '')).status));
        } else {
          // Earlier segments may still be there for a moment; after that every one is refused.
          const refused = await until('the refusal', async () => {
            // A reply that began before the change was noticed is cut.
            const got = await viewer.get(pieces.at(-1) ?? '').catch(() => undefined);
            return got?.status === 200 ? undefined : got;
          });
          assert.ok(ANSWERS[fault].includes(refused.status), `${refused.status} ${refused.bytes.toString()}`);
          assert.match(refused.bytes.toString(), /changed|not there|cannot be|no such item/);
        }
        if (fault === 'replaced' || fault === 'overwritten') await playsNew(viewer, title, way);
        const rest = await elsewhere.rest();
        assert.ok(rest.isWhole && rest.bytes.equals(bytesOf('h264', 'old')), 'another film came whole');
      });
    }
  });
}

/** Checks that the next plan plays the new file. */
async function playsNew(viewer: Viewer, title: string, way: Way): Promise<void> {
  const pictures = (SECONDS + 2) * RATE;
  await until(
    'the new file',
    async () => {
      // A plan that was made right before the change was noticed is refused, and asked for again.
      const planned = await piecesOf(viewer.get, title, way).catch((error: unknown) => {
        if (error instanceof Refused && error.status === 409) return undefined;
        throw error;
      });
      if (planned === undefined) return false;
      const { pieces, init } = planned;
      if (init === undefined) return (await viewer.get(pieces[0] ?? '')).bytes.equals(bytesOf(WAYS[way].video, 'new'));
      // Until a scan has read the new file, the plan is made from the facts of the old one.
      return (await playWhole(viewer.get, { init, all: pieces }).catch(() => 0)) === pictures;
    },
    { everyMs: 200 },
  );
}

test('a share that hangs: requests fail in time, other films play, and it is used again later', async () => {
  const viewers = await Promise.all(ways.map(async (way) => ({ way, viewer: await house.device() })));
  const played = await Promise.all(
    viewers.map(async ({ way, viewer }) => ({
      way,
      viewer,
      ...(await piecesOf(viewer.get, titleOf(way, 'hung'), way)),
    })),
  );
  const replies = await Promise.all(played.map(async ({ viewer, pieces }) => viewer.open(pieces[0] ?? '')));
  const other = await house.device();
  const elsewhere = (await piecesOf(other.get, 'Other', 'direct')).pieces[0] ?? '';
  share.hang();
  const asked = Promise.all(played.map(async ({ viewer, pieces }) => (await viewer.get(pieces.at(-1) ?? '')).status));
  const cut = replies.map((reply) => reply.rest());
  for (let n = 0; n < 3; n++) assert.ok((await wanted(other.get, elsewhere)).equals(bytesOf('h264', 'old')));
  assert.deepEqual(await asked, [503, 503, 503]);
  for (const [n, reply] of cut.entries()) {
    const { isWhole } = await reply;
    // Earlier conversions are sent from the cache.
    const { way } = played[n] ?? assert.fail();
    assert.equal(isWhole, way === 'converted', way);
  }
  share.heal();
  for (const { way, viewer, pieces, init } of played) {
    await until(`${way} again`, async () => (await viewer.get(pieces.at(-1) ?? '')).status === 200);
    if (init !== undefined)
      assert.equal(
        await playWhole(viewer.get, { init, all: pieces }),
        (way === 'converted' ? HUNG_SECONDS : SECONDS) * RATE,
        way,
      );
  }
});
