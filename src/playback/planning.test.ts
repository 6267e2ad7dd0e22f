/** Planning looks into files for those who wait for it, and no longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { type Helper, HelperFailure } from '../lib/process.ts';
import type { MediaQuestion } from './media-index/messages.ts';
import { ID, openTestMedia } from './testing.ts';

const VIDEO = {
  index: 0,
  type: 'video' as const,
  codec: 'h264',
  profile: 'High',
  level: 40,
  width: 320,
  height: 180,
  frameRate: 25,
  pixelFormat: 'yuv420p',
  bitDepth: 8,
  default: true,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
};

test('a caller that goes away ends the reading of the index, and gets no session', async (t) => {
  const read: AbortSignal[] = [];
  const helper: Helper = {
    ask: (question, signal) => {
      assert.equal((question as MediaQuestion).is, 'index');
      assert.ok(signal);
      read.push(signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new HelperFailure('media-index', 'aborted'))),
      );
    },
    stats: () => ({ children: 0, waiting: 0, answered: 0, replaced: 0 }),
    warm: () => {},
    close: () => Promise.resolve(),
  };
  const begun: string[] = [];
  const m = await openTestMedia(t, {
    info: { container: 'matroska', streams: [VIDEO] },
    needs: {
      processes: { startHelper: () => helper },
      people: {
        profileName: () => 'Ada',
        timeOf: () => undefined,
        watched: () => {},
        current: (by) => by,
        deviceOf: () => (begun.push('session'), 'Living room'),
        deviceIdOf: () => undefined,
      },
    },
  });
  m.write('Film.mkv', Buffer.alloc(1000));
  const ask = (signal: AbortSignal) =>
    fetch(
      `http://127.0.0.1:${m.road.port}/api/v1/items/${ID}/playback?containers=mp4&videoCodecs=h264&audioCodecs=aac`,
      { headers: { authorization: 'Bearer owner' }, signal },
    );
  const leaving = new AbortController();
  const gone = assert.rejects(ask(leaving.signal), { name: 'AbortError' });
  await until('the reading', () => read.length === 1);
  assert.equal(read[0]?.aborted, false);
  leaving.abort();
  await gone;
  await until('the end of the reading', () => read[0]?.aborted);
  assert.deepEqual(begun, [], 'no session was opened for it');
});
