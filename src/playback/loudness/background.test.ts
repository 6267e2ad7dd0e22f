/** Measured loudness: albums whose tags state none, what tags state, changes, and work that is stopped. */
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { flac } from '../../catalog/testing/sound.ts';
import { grow, openWorld, type World, worldMigrations } from '../../catalog/testing/world.ts';
import { openTemporaryPostgres } from '../../lib/db/testing.ts';
import { quietLog } from '../../lib/process/testing.ts';
import type { Media } from '../../lib/ffmpeg/index.ts';
import { until } from '../../../test/until.ts';
import { runTask } from '../../lib/tasks/testing.ts';
import { albumGain, gainOf } from './album-gain.ts';
import { createLoudnessBackground } from './background.ts';

const LOUD: Readonly<Record<string, number>> = { '1.flac': -10, '2.flac': -20, '3.flac': -30 };

function openTask(world: World, isPlaying: () => boolean = () => false) {
  const measured: string[] = [];
  const nameOf = (media: Media): string => (typeof media === 'string' ? media : media.relative);
  const background = createLoudnessBackground({
    catalog: world.catalog.background,
    ffmpeg: {
      measureLoudness: async ({ media, start }) => {
        const name = nameOf(media);
        measured.push(start === undefined ? name : `${name}@${start}`);
        const lufs = LOUD[name.slice(name.lastIndexOf('/') + 1)];
        return lufs === undefined ? undefined : { lufs, peak: 0.5 };
      },
    },
    isPlaying,
    log: quietLog,
  });
  const run = async (signal = new AbortController().signal): Promise<string[]> => {
    measured.length = 0;
    await runTask(background.task, {}, { signal });
    return measured.toSorted();
  };
  return { ...background, run };
}

async function gains(world: World): Promise<Record<string, unknown>> {
  const seen = world.seen();
  const { items } = await seen.library({ view: 'music', offset: 0, limit: 100 });
  const pages = await Promise.all(items.map(({ id }) => seen.page('albums', id)));
  return Object.fromEntries(
    pages.map((page) => [
      page?.title,
      [page?.gain?.gain, ...(page?.discs.flatMap(({ tracks }) => tracks.map(({ sound }) => sound.gain?.track)) ?? [])],
    ]),
  );
}

const openMusic = async (t: TestContext, given?: Parameters<typeof openWorld>[2]): Promise<World> => {
  const world = await openWorld(t, { Music: 'music' }, given);
  const track = (ALBUM: string, TRACKNUMBER: string, more = {}) =>
    flac({ ALBUM, ALBUMARTIST: 'Band', TRACKNUMBER, ...more });
  grow(world.at('Music'), {
    'a/1.flac': track('Loud', '1'),
    'a/2.flac': track('Loud', '2'),
    'b/1.flac': track('Stated', '1', { REPLAYGAIN_TRACK_GAIN: '-3 dB', REPLAYGAIN_ALBUM_GAIN: '-4 dB' }),
    'b/3.flac': track('Stated', '2'),
    'c/silent.flac': track('Silent', '1'),
    'd/Image.flac': flac({ ALBUM: 'Whole' }),
    'd/Image.cue': 'TRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:30',
  });
  await world.scan();
  return world;
};

test('what tags do not state is measured once, and again when a file changes', async (t) => {
  for (const given of [undefined, await openTemporaryPostgres(t, worldMigrations)]) {
    const world = await openMusic(t, given);
    const { run, isDue } = openTask(world);
    assert.equal(await isDue(), true);
    assert.deepEqual(await run(), [
      'a/1.flac',
      'a/2.flac',
      'b/3.flac',
      'c/silent.flac',
      'd/Image.flac@0',
      'd/Image.flac@0.4',
    ]);
    assert.deepEqual(await gains(world), {
      // The power of −10 and −20 LUFS on average is that of −12.6.
      Loud: [-5.4, -8, 2],
      Silent: [undefined, undefined],
      Stated: [-4, -3, 12],
      Whole: [undefined, undefined, undefined],
    });
    assert.equal(await isDue(), false);
    grow(world.at('Music'), { 'a/3.flac': flac({ ALBUM: 'Loud', ALBUMARTIST: 'Band', TRACKNUMBER: '3' }) });
    await world.scan();
    assert.deepEqual(await run(), ['a/3.flac'], 'tracks that did not change are not measured again');
    assert.deepEqual((await gains(world))['Loud'], [-3.68, -8, 2, 12]);
    rmSync(world.at('Music', 'a', '3.flac'));
    grow(world.at('Music'), {
      'a/2.flac': flac({ ALBUM: 'Loud', ALBUMARTIST: 'Band', TRACKNUMBER: '2', COMMENT: 'new' }),
    });
    await world.scan();
    assert.deepEqual(await run(), ['a/2.flac']);
    assert.deepEqual((await gains(world))['Loud'], [-5.4, -8, 2]);
    grow(world.at('Music'), { 'e/3.flac': flac({ ALBUM: 'Later' }) });
    await world.scan();
    renameSync(world.at('Music'), world.at('away'));
    await world.scan();
    assert.deepEqual([await isDue(), await run()], [false, []]);
    renameSync(world.at('away'), world.at('Music'));
    await world.scan();
    assert.deepEqual([await isDue(), await run()], [true, ['e/3.flac']]);
  }
});

test('nothing is measured while something is played, and a stopped task leaves albums whole', async (t) => {
  const world = await openMusic(t);
  let isPlaying = true;
  let asked = 0;
  const { run, isDue } = openTask(world, () => (asked++, isPlaying));
  const stop = new AbortController();
  const running = run(stop.signal);
  await until('the task waits', () => asked > 3);
  stop.abort(new Error('stopped'));
  await assert.rejects(running, /stopped/);
  assert.deepEqual(await gains(world), {
    Loud: [undefined, undefined, undefined],
    Silent: [undefined, undefined],
    Stated: [-4, -3, undefined],
    Whole: [undefined, undefined, undefined],
  });
  isPlaying = false;
  assert.equal((await run()).length, 6);
  assert.equal(await isDue(), false);
});

test('the gain of an album is that of the power of its tracks, by their length', () => {
  assert.deepEqual(albumGain([]), {});
  assert.deepEqual(albumGain([{ gain: {}, duration: 10 }]), {});
  assert.deepEqual(albumGain([{ gain: { track: gainOf(-18) }, duration: 0 }]), {});
  const of = (...tracks: [lufs: number, seconds: number, peak?: number][]) =>
    albumGain(
      tracks.map(([lufs, duration, trackPeak]) => ({
        gain: { track: gainOf(lufs), ...(trackPeak !== undefined && { trackPeak }) },
        duration,
      })),
    );
  assert.deepEqual(of([-20, 60, 0.4], [-20, 600, 0.9]), { album: 2, albumPeak: 0.9 });
  assert.ok(Math.abs((of([-10, 1], [-40, 9]).album ?? 0) - (-18 + 20)) < 0.05);
});
