/** From the question to an accepted subtitle, over the wire: what is chosen, what it costs, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNet } from '../../src/lib/net.ts';
import { chooseCandidates } from '../../src/subtitles/choosing/choose.ts';
import { findCandidates } from '../../src/subtitles/choosing/find.ts';
import { downloadFirstAccepted } from '../../src/subtitles/choosing/download.ts';
import type { ProviderQuery, SubtitleProvider } from '../../src/subtitles/providers/provider.ts';
import { createSubtitlesA } from '../../src/subtitles/providers/subtitles-a.ts';
import { createSubtitlesB } from '../../src/subtitles/providers/subtitles-b.ts';
import { createSubtitlesC } from '../../src/subtitles/providers/subtitles-c.ts';
import { EXAMPLE } from '../stand-ins/example.ts';
import { KEY_A, KEY_B, KEY_C, PASSWORD_C, type StandIns, startStandIns, USER_C } from '../stand-ins/index.ts';
import { EPISODE, FILM, fakeHeldClock, fakeMemory, never } from './provider.ts';

const net = createNet({ version: '0.1.0' });

async function inHouse(
  work: (house: {
    standIns: StandIns;
    fetch(ask: ProviderQuery): Promise<{
      choice: ReturnType<typeof chooseCandidates>;
      taken: Awaited<ReturnType<typeof downloadFirstAccepted>>;
    }>;
    asked(): Record<string, number>;
  }) => Promise<void>,
  names: readonly SubtitleProvider['name'][] = ['subtitles_a', 'subtitles_c'],
): Promise<void> {
  const clock = fakeHeldClock();
  const standIns = await startStandIns({ fixtures: EXAMPLE, clock });
  const shared = { net, clock, sleep: clock.sleep };
  const all: SubtitleProvider[] = [
    createSubtitlesA({ ...shared, settings: { url: standIns.subtitles_a.url, apiKey: KEY_A } }),
    createSubtitlesB({ ...shared, settings: { url: standIns.subtitles_b.url, apiKey: KEY_B, personalUse: true } }),
    createSubtitlesC({
      ...shared,
      settings: { url: standIns.subtitles_c.url, apiKey: KEY_C, username: USER_C, password: PASSWORD_C },
      memory: fakeMemory(),
    }),
  ];
  const providers = all.filter(({ name }) => names.includes(name));
  const asked = () => {
    const steps = names.flatMap((name) => standIns[name].requests.map(({ step }) => step));
    return Object.fromEntries(
      [...new Set(steps)].sort().map((step) => [step, steps.filter((one) => one === step).length]),
    );
  };
  try {
    await work({
      standIns,
      asked,
      fetch: async (ask) => {
        const { candidates } = await findCandidates(providers, ask, never());
        const choice = chooseCandidates(candidates, ask);
        return {
          choice,
          taken: await downloadFirstAccepted(
            choice.best,
            { providers, ask, mayDownload: async () => true, isRefusedContent: async () => false },
            never(),
          ),
        };
      },
    });
  } finally {
    await standIns.close();
  }
}

test('the exact one of many is taken with one download', () =>
  inHouse(async ({ fetch, asked }) => {
    const { choice, taken } = await fetch(FILM);
    assert.equal(choice.best[0]?.match, 'exact');
    assert.equal(taken.accepted?.scored.candidate.provider, 'subtitles_c');
    assert.equal(taken.accepted?.checked.score, 100);
    assert.equal(taken.accepted?.checked.isVerified, true, 'hash, release and ids agree');
    assert.equal(taken.accepted?.checked.hearingImpaired, false);
    assert.deepEqual([asked()['grant'], asked()['login'], asked()['file']], [1, 1, 1]);
  }));
test('when one provider is down the other serves', () =>
  inHouse(async ({ standIns, fetch }) => {
    standIns.subtitles_c.fault({ fault: '503', times: 50 });
    const { taken } = await fetch(FILM);
    assert.equal(taken.accepted?.scored.candidate.provider, 'subtitles_a');
  }));
test('when the first download is hostile the next is tried, elsewhere', () =>
  inHouse(async ({ standIns, fetch }) => {
    standIns.subtitles_c.fault({ fault: 'zip-slip', on: 'file' });
    standIns.subtitles_a.fault({ fault: 'zip-bomb', on: 'file' });
    const { taken } = await fetch({ ...FILM, hash: '0000000000020000' });
    assert.ok(taken.accepted);
    assert.deepEqual(
      taken.refused.map(({ fault }) => fault?.kind),
      ['hostile', 'hostile'],
    );
  }));
test('a subtitle for another release is not downloaded while nothing can confirm it', () =>
  inHouse(async ({ fetch, asked }) => {
    const { taken } = await fetch({ ...FILM, language: 'fr' });
    assert.equal(taken.accepted, undefined);
    assert.ok(taken.refused.length > 0);
    assert.deepEqual(asked(), { search: 2 });
  }));
test('the other film of the same title is never taken', () =>
  inHouse(async ({ fetch }) => {
    const ask: ProviderQuery = {
      kind: 'movie',
      title: 'Charade',
      year: 1963,
      language: 'en',
      fileName: 'Charade.1963.1080p.BluRay.x264-PARIS.mkv',
      duration: 6_780,
    };
    const { choice, taken } = await fetch(ask);
    assert.ok(choice.best.every(({ candidate }) => candidate.ids?.imdb === 'tt0056923'));
    assert.ok(taken.accepted);
    assert.equal((await fetch({ ...ask, year: 1999 })).choice.best.length, 0);
  }));
test('an episode by its release', () =>
  inHouse(async ({ fetch }) => {
    const { taken } = await fetch({ ...EPISODE, fileName: 'The.Lighthouse.Keepers.S01E02.1080p.WEB.h264-WAVES.mkv' });
    assert.equal(taken.accepted?.scored.candidate.episode, 2);
    assert.equal(taken.accepted?.scored.match, 'strong');
  }));
test('one line for a whole film is refused', () =>
  inHouse(async ({ standIns, fetch }) => {
    standIns.subtitles_c.fault({ fault: '503', times: 50 });
    standIns.subtitles_a.fault({ fault: 'zip-utf16', on: 'file', times: 3 });
    const { taken } = await fetch(FILM);
    assert.equal(taken.accepted, undefined);
    assert.match(taken.refused[0]?.reason ?? '', /too few lines/);
  }));

const ours: ProviderQuery = {
  ...EPISODE,
  language: 'de',
  fileName: 'The.Lighthouse.Keepers.S01E02.1080p.WEB.h264-WAVES.mkv',
};
test('of a season pack the entry that names the episode is taken, without a trusted uploader', () =>
  inHouse(
    async ({ fetch, asked }) => {
      const { choice, taken } = await fetch(ours);
      assert.deepEqual(
        choice.best.map(({ candidate, score, match }) => [candidate.pack, candidate.episode, score, match])[0],
        [true, undefined, 94, 'strong'],
      );
      assert.match(taken.accepted?.downloaded.name ?? '', /S01E02/);
      assert.ok(
        taken.accepted?.checked.evidence.some(
          ({ kind, detail }) => kind === 'episode' && detail === 'the same season and episode',
        ),
        'it is the name of the entry that says so',
      );
      assert.equal(asked()['file'], 1);
    },
    ['subtitles_b'],
  ));
test('a season pack of another make is tried only where the audio can confirm it', () =>
  inHouse(
    async ({ fetch, asked }) => {
      const { choice, taken } = await fetch({ ...ours, fileName: 'The Lighthouse Keepers S01E02.mkv' });
      assert.deepEqual(
        [choice.best[0]?.score, choice.best[0]?.match, taken.accepted, asked()['file']],
        [60, 'weak', undefined, undefined],
      );
    },
    ['subtitles_b'],
  ));
test('a season pack without the episode brings nothing, and its content is known for wrong', () =>
  inHouse(
    async ({ fetch }) => {
      const { taken } = await fetch({
        ...ours,
        episode: 7,
        fileName: 'The.Lighthouse.Keepers.S01E07.1080p.WEB.h264-WAVES.mkv',
      });
      assert.equal(taken.accepted, undefined);
      assert.deepEqual(taken.refused.map(({ fault, content }) => [fault?.kind, content?.length])[0], ['not-found', 64]);
    },
    ['subtitles_b'],
  ));
