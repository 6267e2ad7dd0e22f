/**
 * Requirements for every subtitle provider, whatever its protocol: `providerConformance` runs it against the
 * provider's stand-in.
 *
 * It asserts what was found and downloaded, and as much what was asked: how many calls, in which order, with which
 * headers, and that no secret is in an address, an offer, a fault or anything else that could be logged.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Net } from '../../src/lib/net.ts';
import {
  type ProviderQuery,
  type Candidate,
  type FaultKind,
  type SubtitleProvider,
  ProviderFault,
  type ProviderMemory,
} from '../../src/subtitles/providers/provider.ts';
import { EXAMPLE } from '../stand-ins/example.ts';
import { type FaultName, type StandIn, type StandIns, startStandIns } from '../stand-ins/index.ts';
import type { Step } from '../stand-ins/faults.ts';

/** A clock that moves only during sleeps, so that pace and quotas are exact and nothing waits. */
export interface HeldClock {
  now(): number;
  monotonic(): number;
  advance(ms: number): void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export function fakeHeldClock(): HeldClock {
  let at = Date.UTC(2026, 10, 21, 12);
  return {
    now: () => at,
    monotonic: () => at,
    advance: (ms) => void (at += ms),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      at += ms;
    },
  };
}

export function fakeMemory(): ProviderMemory & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    read: async (name) => values.get(name),
    write: async (name, value) => void values.set(name, value),
    forget: async (name) => void values.delete(name),
  };
}

export interface Case {
  name: 'subtitles_a' | 'subtitles_b' | 'subtitles_c';
  secrets: readonly string[];
  make(needs: {
    url: string;
    net: Pick<Net, 'request'>;
    clock: HeldClock;
    memory: ProviderMemory;
    withoutSettings?: boolean;
    timeoutMs?: number;
  }): SubtitleProvider;
  /** The calls of one search and of one download with everything fresh. */
  calls: { search: Step[]; download: Step[] };
  /** There is an account that says what is left; without one the health test is a search. */
  hasAccount: boolean;
  /** Names of the failures of each step of a download. */
  faults: readonly (readonly [fault: FaultName, on: Step, kind: FaultKind, calls?: number])[];
}

export interface World {
  standIns: StandIns;
  server: StandIn;
  provider: SubtitleProvider;
  clock: HeldClock;
  memory: ReturnType<typeof fakeMemory>;
  again(): SubtitleProvider;
}

export const FILM: ProviderQuery = {
  kind: 'movie',
  title: 'Night of the Living Dead',
  year: 1968,
  ids: { imdb: 'tt0063350', tmdb: 10331 },
  language: 'en',
  fileName: 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL.mkv',
  hash: '8e245d9679d31e12',
  duration: 5_760,
  fps: 23.976,
};
const OTHER_FILM: ProviderQuery = {
  kind: 'movie',
  title: 'Charade',
  year: 1963,
  ids: { imdb: 'tt0056923' },
  language: 'en',
  fileName: 'Charade.mkv',
};
export const EPISODE: ProviderQuery = {
  kind: 'episode',
  title: 'The Lighthouse Keepers',
  year: 2015,
  showIds: { imdb: 'tt9000010', tmdb: 900010 },
  season: 1,
  episode: 2,
  language: 'en',
  fileName: 'The Lighthouse Keepers S01E02.mkv',
  duration: 1_500,
};
export const never = (): AbortSignal => new AbortController().signal;

export async function inWorld(
  subject: Case,
  net: Pick<Net, 'request'>,
  work: (world: World) => Promise<void>,
  more: Partial<Parameters<typeof startStandIns>[0]> = {},
): Promise<void> {
  const clock = fakeHeldClock();
  const standIns = await startStandIns({ fixtures: EXAMPLE, clock, ...more });
  const server = standIns[subject.name];
  const memory = fakeMemory();
  const again = () => subject.make({ url: server.url, net, clock, memory });
  try {
    await work({ standIns, server, provider: again(), clock, memory, again });
    assert.deepEqual(server.leaks, []);
  } finally {
    await standIns.close();
  }
}

export const faultOf = (work: Promise<unknown>): Promise<ProviderFault> =>
  work.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => {
      assert.ok(error instanceof ProviderFault, String(error));
      return error;
    },
  );

const steps = (server: StandIn): Step[] => server.requests.map(({ step }) => step);

export function providerConformance(subject: Case, net: Pick<Net, 'request'>): void {
  const run = (
    title: string,
    work: (world: World) => Promise<void>,
    more?: Partial<Parameters<typeof startStandIns>[0]>,
  ): void => void test(`${subject.name}: ${title}`, () => inWorld(subject, net, work, more));
  const isClean = (value: unknown) => {
    const text =
      JSON.stringify(value, (_key, inner: unknown) =>
        inner instanceof Error ? { ...inner, message: inner.message, stack: inner.stack } : inner,
      ) ?? '';
    for (const secret of subject.secrets)
      assert.ok(!text.includes(secret) && !text.includes(encodeURIComponent(secret)), 'a secret got out');
  };
  const first = async (provider: SubtitleProvider, ask: ProviderQuery): Promise<Candidate> => {
    const found = (await provider.search(ask, never()))[0];
    assert.ok(found);
    return found;
  };

  searches({ subject, run, isClean, first });
  downloads({ subject, run, isClean, first });

  for (const [fault, on, kind, calls = 1] of subject.faults) {
    run(`${fault} on ${on} is ${kind}`, async ({ provider, server }) => {
      const candidate = on === 'search' || on === 'list' ? undefined : await first(provider, FILM);
      const before = server.requests.length;
      server.fault({ fault, on });
      const failed = await faultOf(
        candidate ? provider.download(candidate, FILM, never()) : provider.search(FILM, never()),
      );
      assert.equal(failed.kind, kind);
      isClean(failed);
      const asked = steps(server).slice(before);
      assert.equal(asked.filter((step) => step === on).length, calls, `asked ${asked.join(', ')}`);
      assert.equal(asked.at(-1), on, 'nothing is asked after a fault');
    });
  }
  for (const [fault, on] of ['slow', 'hang'].flatMap((one) =>
    [...new Set([...subject.calls.search, ...subject.calls.download])].map(
      (step) => [one as 'slow' | 'hang', step] as const,
    ),
  )) {
    run(`${fault} on ${on} ends after the time of a call`, async ({ provider, server, clock, memory }) => {
      const candidate = await first(provider, FILM);
      const hasty = subject.make({ url: server.url, net, clock, memory, timeoutMs: 400 });
      server.fault({ fault, on });
      const failed = await faultOf(
        subject.calls.search.includes(on) ? hasty.search(FILM, never()) : hasty.download(candidate, FILM, never()),
      );
      assert.deepEqual([failed.kind, failed.message], ['unavailable', 'the provider did not answer in time']);
    });
  }
  for (const on of ['search', ...(subject.hasAccount ? ['account' as const] : []), 'file'] as const) {
    run(`nothing is waited for after the caller left (${on})`, async ({ provider, server }) => {
      const candidate = await first(provider, FILM);
      server.fault({ fault: 'hang', on });
      // Another film: what was just found may be remembered.
      const leave = new AbortController();
      const work =
        on === 'search'
          ? provider.search(OTHER_FILM, leave.signal)
          : on === 'account'
            ? provider.health(leave.signal)
            : provider.download(candidate, FILM, leave.signal);
      const reason = new Error('left');
      setTimeout(() => leave.abort(reason), 50);
      await assert.rejects(work, reason);
    });
  }
}

interface Parts {
  subject: Case;
  run(title: string, work: (world: World) => Promise<void>, more?: Partial<Parameters<typeof startStandIns>[0]>): void;
  isClean(value: unknown): void;
  first(provider: SubtitleProvider, ask: ProviderQuery): Promise<Candidate>;
}

function searches({ subject, run, isClean }: Parts): void {
  run('a film by its ids, in one call', async ({ provider, server }) => {
    const found = await provider.search(FILM, never());
    assert.ok(found.length >= 2);
    assert.deepEqual(steps(server), subject.calls.search);
    const best = found[0];
    assert.equal(best?.provider, subject.name);
    assert.equal(best.language, 'en');
    assert.ok(best.releases.includes('Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL'));
    assert.deepEqual(best.ids, { imdb: 'tt0063350', tmdb: 10331 });
    assert.equal(best.year, 1968);
    assert.ok(found.some(({ hearingImpaired }) => hearingImpaired === true));
    isClean(found);
  });
  run('an episode by its show', async ({ provider, server }) => {
    const found = await provider.search(EPISODE, never());
    assert.deepEqual(
      found.map(({ season, episode, pack }) => ({ season, episode, pack })),
      [{ season: 1, episode: 2, pack: false }],
    );
    assert.deepEqual(found[0]?.showIds, EPISODE.showIds);
    assert.deepEqual(steps(server), subject.calls.search);
  });
  run('a film by its title alone', async ({ provider }) => {
    const found = await provider.search(
      { kind: 'movie', title: 'Charade', year: 1963, language: 'en', fileName: 'Charade.mkv' },
      never(),
    );
    assert.deepEqual(
      found.map(({ ids }) => ids?.imdb),
      ['tt0056923'],
    );
  });
  run('nothing found is an empty list, after at most two calls', async ({ provider, server }) => {
    assert.deepEqual(
      await provider.search(
        { ...FILM, title: 'No such film', ids: { imdb: 'tt7777777' }, hash: '0000000000020000' },
        never(),
      ),
      [],
    );
    assert.deepEqual(steps(server), ['search', 'search']);
  });
  run('a language that it does not have costs no call', async ({ provider, server }) => {
    assert.deepEqual(await provider.search({ ...FILM, language: 'en-gb' }, never()), []);
    assert.deepEqual(steps(server), []);
  });
  run('a regional variant answers for its base language', async ({ provider }) => {
    const found = await provider.search({ ...FILM, language: 'pt' }, never());
    assert.deepEqual(
      found.map(({ language }) => language),
      ['pt-br'],
    );
  });
}
function downloads({ subject, run, isClean, first }: Parts): void {
  run('a download brings one subtitle and a bare name', async ({ provider, server }) => {
    const candidate = await first(provider, FILM);
    server.requests.length = 0;
    const { bytes, name } = await provider.download(candidate, FILM, never());
    assert.match(new TextDecoder().decode(bytes), /^1\r?\n00:00:01,000 --> /);
    assert.match(name, /^[^/\\]+\.srt$/);
    assert.deepEqual(steps(server), subject.calls.download);
    isClean({ name, candidate });
  });
  run('health costs no quota', async ({ provider, server }) => {
    const before = await provider.health(never());
    assert.equal(before.state, 'connected');
    if (subject.hasAccount) assert.ok(typeof before.remaining === 'number' && before.remaining > 0);
    assert.deepEqual((await provider.health(never())).remaining, before.remaining);
    const free = subject.hasAccount ? ['account', 'login'] : ['search'];
    assert.ok(steps(server).every((step) => free.includes(step)));
    isClean(before);
  });
  if (subject.hasAccount)
    run(
      'health after the last download is limited',
      async ({ provider }) => {
        const candidate = await first(provider, FILM);
        await provider.download(candidate, FILM, never());
        const health = await provider.health(never());
        assert.equal(health.state, 'limited');
        assert.equal(health.remaining, 0);
        assert.ok(health.resetAt);
        const failed = await faultOf(provider.download(candidate, FILM, never()));
        assert.equal(failed.kind, 'quota');
        assert.equal(failed.resetAt, Date.UTC(2026, 10, 22));
      },
      { downloads: { subtitles_a: 1, subtitles_c: 1 } },
    );
  run('without credentials nothing is asked', async ({ server, clock, memory }) => {
    const provider = subject.make({
      url: server.url,
      net: { request: () => assert.fail('asked') },
      clock,
      memory,
      withoutSettings: true,
    });
    assert.equal(provider.configured(), false);
    assert.deepEqual(await provider.search(FILM, never()), []);
    assert.deepEqual(await provider.health(never()), { state: 'not-configured' });
  });
  run('an archive with several is opened to the one that fits', async ({ provider, server }) => {
    const candidate = await first(provider, FILM);
    server.fault({ fault: 'zip-several' });
    const got = await provider.download(candidate, FILM, never());
    assert.equal(got.name, 'Film.srt');
    assert.deepEqual(got.archive, { subtitles: 4 });
  });
  run('UTF-16 in an archive arrives as it is', async ({ provider, server }) => {
    const candidate = await first(provider, FILM);
    server.fault({ fault: 'zip-utf16' });
    assert.deepEqual([...(await provider.download(candidate, FILM, never())).bytes.subarray(0, 2)], [0xff, 0xfe]);
  });
  run('not more than five calls a second', async ({ provider, server, clock }) => {
    const started = clock.monotonic();
    for (let n = 0; n < 12; n++) await provider.search(FILM, never());
    assert.ok(clock.monotonic() - started >= 2_000);
    assert.ok(server.requests.every(({ status }) => status === 200));
  });
  run('every call says who is calling', async ({ provider, server }) => {
    await provider.download(await first(provider, FILM), FILM, never());
    assert.ok(server.requests.length >= 2);
    assert.ok(server.requests.every(({ headers }) => headers['user-agent'] === 'Matinee v0.1.0'));
  });
}
