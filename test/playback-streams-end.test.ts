/**
 * Segments that are being sent end with the right to them, over real sockets.
 *
 * The film has segments that are larger than sockets and buffers hold, so that one without a reader stays open. Each
 * change is made while two Viewers have the same segment open: the one it concerns is cut, the other comes whole.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { CLOSED_WINDOWS, done, isCut, isWhole, type Stream, fakeStreaming, type Viewer } from './streaming.ts';

const COPIED = 'containers=mp4&videoCodecs=h264&audioCodecs=aac';
const CONVERTED = `${COPIED}&maxAudioChannels=1`;

const server = fakeStreaming({
  count: 1,
  fill: async (media) => {
    await mkdir(join(media, 'Films', 'Film (2020)'), { recursive: true });
    // Filler makes 100 Mbit/s of a small picture in an instant: 48 MiB in four seconds.
    await promisify(execFile)('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'color=s=320x180:r=25:d=8',
      '-f',
      'lavfi',
      '-i',
      'sine=d=8',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '100',
      '-keyint_min',
      '100',
      '-b:v',
      '100M',
      '-maxrate',
      '100M',
      '-bufsize',
      '100M',
      '-x264-params',
      'nal-hrd=cbr:filler=1',
      '-c:a',
      'aac',
      '-ac',
      '2',
      join(media, 'Films', 'Film (2020)', 'Film (2020).mkv'),
    ]);
  },
});
const { allow, ask, viewer } = server;

interface Segment extends Stream {
  session: string;
  url: string;
}
/** Opens the first video segment. */
async function open({ token }: Viewer, query: string): Promise<Segment> {
  const { session, urls } = await server.plan(server.film, query, token);
  const url = urls.hls.replace('master.m3u8', 'v0-0.m4s');
  return { ...(await server.open(url)), session, url };
}

/** Actions against Kim, and the later replies to Kim's player. */
const CHANGES: readonly {
  name: string;
  query?: string;
  make(kim: Viewer, stream: Segment): Promise<unknown>;
  status: number;
}[] = [
  {
    name: 'an Owner who stops it',
    make: (_, { session }) => done(ask('DELETE', `/playback-sessions/${session}`)),
    status: 410,
  },
  { name: 'taking the library', make: (kim) => allow(kim, { libraries: [] }), status: 404 },
  { name: 'closing the viewing window', make: (kim) => allow(kim, { windows: CLOSED_WINDOWS }), status: 403 },
  { name: 'signing out', make: ({ token }) => done(ask('DELETE', '/session', undefined, token)), status: 401 },
  { name: 'removing the profile', make: ({ id }) => done(ask('DELETE', `/profiles/${id}`)), status: 401 },
  {
    name: 'taking conversions from one who has its sound converted',
    query: CONVERTED,
    make: (kim) => allow(kim, { transcode: false }),
    status: 410,
  },
];

describe('a segment', () => {
  for (const [n, { name, query = COPIED, make, status }] of CHANGES.entries()) {
    test(`ends within a second of ${name}`, async () => {
      const [kim, lou] = [await viewer(`Kim ${n}`), await viewer(`Lou ${n}`)];
      const [mine, others] = [await open(kim, query), await open(lou, query)];
      await allow(kim, { download: false });
      assert.deepEqual([mine.reply.destroyed, others.reply.destroyed], [false, false]);
      await make(kim, mine);
      assert.equal(await isCut(mine), true, 'it continued');
      assert.equal((await server.house.call(undefined, 'GET', mine.url)).status, status);
      assert.equal(await isWhole(others), true, 'another stream was cut');
    });
  }

  test('continues while what was taken is another right', async () => {
    const kim = await viewer('Kim copied');
    const stream = await open(kim, COPIED);
    await allow(kim, { download: false, transcode: false });
    assert.equal(await isWhole(stream), true);
    const refused = await ask('GET', `/items/${server.film}/playback?${CONVERTED}`, undefined, kim.token);
    assert.deepEqual(
      [
        refused.status,
        (refused.body['reasons'] as { code: string }[]).map(({ code }) => code).includes('policy-transcode'),
      ],
      [403, true],
    );
  });
});
