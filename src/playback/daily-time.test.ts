/** A Profile with a limited time for each day, at the routes: what it may begin, and what each refusal says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ID, makeStream, openTestMedia } from './testing.ts';

const PLAN = `/api/v1/items/${ID}/playback?containers=mp4,matroska&videoCodecs=h264&audioCodecs=aac`;

test('a plan is refused when the time is over, and bytes need a session while it is counted', async (t) => {
  const time = { isOver: false };
  let isCounted = true;
  const m = await openTestMedia(t, {
    info: { container: 'matroska', streams: [makeStream(0, 'video', 'h264')] },
    needs: {
      people: {
        profileName: () => 'Ada',
        timeOf: () => (isCounted ? time : undefined),
        watched: () => {},
        current: (by) => by,
        deviceOf: () => 'Living room',
        deviceIdOf: () => undefined,
      },
    },
  });
  m.write('Film.mkv', 'film');
  const reasonOf = async (path: string) => {
    const reply = await m.get(path);
    return reply.ok ? reply.status : ((await reply.json()) as { reason: string }).reason;
  };
  const plan = (await (await m.get(PLAN)).json()) as { session: string; urls: { media?: string } };
  assert.equal(await reasonOf(`/media/${ID}?session=${plan.session}`), 200);
  assert.equal(await reasonOf(`/media/${ID}`), 'playback-session-needed');
  time.isOver = true;
  assert.equal(await reasonOf(PLAN), 'watch-time-over');
  isCounted = false;
  assert.equal(await reasonOf(PLAN), 200);
  assert.equal(await reasonOf(`/media/${ID}`), 200);
});

test('bytes of a file count as the seconds that they are, and segments as theirs', async (t) => {
  let watched = 0;
  const m = await openTestMedia(t, {
    info: { container: 'matroska', duration: 300, streams: [makeStream(0, 'video', 'h264')] },
    needs: {
      people: {
        profileName: () => 'Ada',
        timeOf: () => ({ isOver: false }),
        watched: (_, ms) => void (watched += ms),
        current: (by) => by,
        deviceOf: () => 'Living room',
        deviceIdOf: () => undefined,
      },
    },
  });
  m.write('Film.mkv', new Uint8Array(1024 * 1024));
  const { session } = (await (await m.get(PLAN)).json()) as { session: string };
  const film = `/media/${ID}?session=${session}`;
  await (await m.get(film, { range: 'bytes=0-200000' })).arrayBuffer();
  assert.equal(watched, 0, 'what a player has ahead');
  assert.equal((await (await m.get(film)).arrayBuffer()).byteLength, 1024 * 1024);
  assert.ok(watched > 200_000 && watched <= 210_000, `${watched}`);
});
