/**
 * The stand-in providers: `startStandIns({ fixtures })` for tests, `npm run providers` by hand.
 *
 * They speak the documented protocols on loopback, one port a provider, and share one clock that a test may hold.
 */
import { type Fixtures, offersOf } from './fixtures.ts';
import { type StandIn, startElsewhere, startStandIn } from './server.ts';
import { KEY_A, fakeProviderA } from './subtitles-a.ts';
import { KEY_B, fakeProviderB } from './subtitles-b.ts';
import { KEY_C, PASSWORD_C, fakeProviderC, USER_C } from './subtitles-c.ts';

export type { Fault, FaultName } from './faults.ts';
export type { Fixtures } from './fixtures.ts';
export type { LogEntry as Logged, StandIn } from './server.ts';
export { KEY_A, KEY_B, KEY_C, PASSWORD_C, USER_C };

export interface StandInsNeeds {
  fixtures: Fixtures;
  clock?: { now(): number; monotonic(): number };
  /** Downloads a day. */
  downloads?: { subtitles_a?: number; subtitles_c?: number };
  /** Calls a minute that subtitles_b allows. */
  calls?: number;
  /** The account of subtitles_c is sent to another host after its login. */
  isVip?: boolean;
  ports?: { subtitles_a?: number; subtitles_b?: number; subtitles_c?: number };
}

export interface StandIns {
  subtitles_a: StandIn;
  subtitles_b: StandIn;
  subtitles_c: StandIn;
  /** A foreign host; whoever asks it has been led astray. */
  elsewhere: { url: string; requests: string[] };
  /** The environment of a server that uses them. */
  environment: Record<string, string>;
  /** Fails when anything leaked. */
  close(): Promise<void>;
}

export async function startStandIns({
  fixtures,
  clock = { now: () => Date.now(), monotonic: () => performance.now() },
  downloads = {},
  calls,
  isVip = false,
  ports = {},
}: StandInsNeeds): Promise<StandIns> {
  const offers = offersOf(fixtures);
  const elsewhere = await startElsewhere();
  const shared = { offers, now: () => clock.now(), monotonic: () => clock.monotonic() };
  const a = await startStandIn(
    () =>
      fakeProviderA({
        ...shared,
        ...(downloads.subtitles_a === undefined ? {} : { downloads: downloads.subtitles_a }),
      }),
    { elsewhere: elsewhere.url, ...(ports.subtitles_a === undefined ? {} : { port: ports.subtitles_a }) },
  );
  const b = await startStandIn(() => fakeProviderB({ ...shared, ...(calls === undefined ? {} : { calls }) }), {
    elsewhere: elsewhere.url,
    ...(ports.subtitles_b === undefined ? {} : { port: ports.subtitles_b }),
  });
  const c = await startStandIn(
    (vipHost) =>
      fakeProviderC({
        ...shared,
        ...(isVip ? { vipHost } : {}),
        ...(downloads.subtitles_c === undefined ? {} : { downloads: downloads.subtitles_c }),
      }),
    { elsewhere: elsewhere.url, ...(ports.subtitles_c === undefined ? {} : { port: ports.subtitles_c }) },
  );
  return {
    subtitles_a: a,
    subtitles_b: b,
    subtitles_c: c,
    elsewhere,
    environment: {
      SERVICE_SUBTITLES_A_URL: a.url,
      SERVICE_SUBTITLES_A_API_KEY: KEY_A,
      SERVICE_SUBTITLES_B_URL: b.url,
      SERVICE_SUBTITLES_B_API_KEY: KEY_B,
      SERVICE_SUBTITLES_B_PERSONAL_USE: 'true',
      SERVICE_SUBTITLES_C_URL: c.url,
      SERVICE_SUBTITLES_C_API_KEY: KEY_C,
      SERVICE_SUBTITLES_C_USERNAME: USER_C,
      SERVICE_SUBTITLES_C_PASSWORD: PASSWORD_C,
    },
    close: async () => {
      const closed = await Promise.allSettled([a.close(), b.close(), c.close(), elsewhere.close()]);
      const failed = closed.filter((one) => one.status === 'rejected').map((one) => (one.reason as Error).message);
      if (failed.length > 0) throw new Error(failed.join('; '));
    },
  };
}
