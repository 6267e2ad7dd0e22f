/** For tests of access: endpoints that show what a credential opens, a household, and faults that can be planted. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { z } from 'zod';
import { byId } from '../contract/kernel/common.ts';
import { endpoint, SCOPES } from '../contract/kernel/endpoint.ts';
import { MEDIA } from '../contract/kernel/surface.ts';
import type { Principal, ServiceCaller } from '../contract/kernel/principal.ts';
import type { Call, ServerSentEvent } from '../http/handle.ts';
import type { Doors } from '../http/caller.ts';
import { mount, setUp, makeViewer, openIdentityWorld, type World, type WorldOptions } from './testing-world.ts';

export const ITEM = 'aaaaaaaaaaaaaaaa';
export const OUTSIDE = '203.0.113.5';
const ALWAYS = { windows: [], remote: true };
/** Mondays, while the clock of these tests is set to a Friday. */
export const SHUT = [{ days: ['monday' as const], start: '10:00', end: '12:00', timeZone: 'UTC' }];

const NAME = z.strictObject({ profile: z.string(), libraries: z.union([z.literal('all'), z.array(z.string())]) });
const probe = {
  events: endpoint({
    method: 'GET',
    path: '/api/v1/probe/events',
    summary: 'a stream',
    access: { role: 'viewer', via: 'stream' },
    reach: 'everywhere',
    result: { events: z.strictObject({}) },
  }),
  owned: endpoint({
    method: 'GET',
    path: '/api/v1/probe/owned',
    summary: 'a stream of owners',
    access: { role: 'owner', via: 'admin' },
    result: { events: z.strictObject({}) },
  }),
  media: endpoint({
    method: 'GET',
    path: '/media/{id}',
    summary: 'bytes',
    surface: MEDIA,
    access: { role: 'viewer', via: 'stream', link: 'media' },
    reach: 'everywhere',
    params: byId,
    query: z.strictObject({ ticket: z.string().optional() }),
    result: NAME,
  }),
  subtitle: endpoint({
    method: 'GET',
    path: '/subtitle/{id}',
    summary: 'a subtitle',
    surface: MEDIA,
    access: { role: 'viewer', via: 'stream', link: 'subtitle' },
    reach: 'everywhere',
    params: byId,
    query: z.strictObject({ ticket: z.string().optional() }),
    result: NAME,
  }),
  links: endpoint({
    method: 'POST',
    path: '/api/v1/probe/links',
    summary: 'a link',
    access: { role: 'viewer', via: 'library' },
    reach: 'everywhere',
    body: z.strictObject({ item: z.string() }),
    result: z.strictObject({ ticket: z.string(), expiresAt: z.number() }),
  }),
};

export interface ProbedWorld extends World {
  /** Opens a stream and answers its signal once the handler runs. */
  open(path: string, asking: { token?: string; cookie?: string; address?: string }): Promise<AbortSignal>;
  link(token: string, item?: string, address?: string): Promise<string>;
  media(ticket: string, more?: { item?: string; address?: string; path?: string }): Promise<number>;
}

export async function openProbedWorld(t: TestContext, options: Omit<WorldOptions, 'more'> = {}): Promise<ProbedWorld> {
  const opened: ((signal: AbortSignal) => void)[] = [];
  const hold = async function* (_given: unknown, { signal }: Call): AsyncGenerator<ServerSentEvent> {
    opened.shift()?.(signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    yield* [];
  };
  const shown = (by: Principal) => ({ profile: by.profile, libraries: by.policy.libraries });
  const more: WorldOptions['more'] = (identity) =>
    mount(probe, {
      events: hold,
      owned: hold,
      media: (_given, { by }) => shown(by),
      subtitle: (_given, { by }) => shown(by),
      links: ({ item }, { by }) => identity.makeTicket({ by, purpose: 'media', item }),
    });
  const w = await openIdentityWorld(t, { ...options, more });
  return {
    ...w,
    open: (path, asking) =>
      new Promise((resolve, reject) => {
        opened.push(resolve);
        void w.call('GET', path, asking).then(({ status }) => reject(new Error(`closed with ${status}`)), reject);
      }),
    link: async (token, item = ITEM, address) =>
      String(
        (
          await w.call('POST', '/api/v1/probe/links', {
            token,
            body: { item },
            ...(address !== undefined && { address }),
          })
        ).body['ticket'],
      ),
    media: async (ticket, { item = ITEM, path = 'media', ...asking } = {}) =>
      (await w.call('GET', `/${path}/${item}?ticket=${encodeURIComponent(ticket)}`, asking)).status,
  };
}

/** Makes the people every scenario begins with. */
export async function makeHousehold(w: ProbedWorld) {
  const owner = await setUp(w);
  const { id, token } = await makeViewer(w, owner, ALWAYS);
  const key = async (scopes: readonly string[]) =>
    (await w.call('POST', '/api/v1/api-keys', { token: owner, body: { name: 'k', scopes } })).body as {
      id: string;
      secret: string;
    };
  const sessionOf = async (credential: string) =>
    String((await w.call('GET', '/api/v1/session', { token: credential })).body['id']);
  return { owner, id, token, key, sessionOf };
}

/** Takes the leave to be used away from home from a Viewer. */
export const forbidAway = (w: World, owner: string, id: string) =>
  w.call('PUT', `/api/v1/profiles/${id}`, { token: owner, body: { policy: { libraries: 'all', remote: false } } });

/** The server looks again before it hands over; a check that is taken out is taken out there too. */
const changed =
  (change: (by: Principal) => Partial<Principal>) =>
  (doors: Doors): Doors => ({
    ...doors,
    current: (by) => by,
    identify: async (asked) => {
      const by = await doors.identify(asked);
      return by && 'profile' in by ? { ...by, ...change(by) } : by;
    },
  });
/** The faults that are planted, each as the check being taken out. */
const FAULTS = {
  'open replies are never looked at again': (doors: Doors): Doors => ({ ...doors, current: (by) => by }),
  'a key counts as a session': changed(({ via }) => (via instanceof Set ? { via: 'session', recent: true } : {})),
  'keys have every scope': changed(({ via }) => (via instanceof Set ? { via: new Set(SCOPES) } : {})),
  'every proof is recent': changed(() => ({ recent: true })),
  'nobody has to enrol': changed(() => ({ enrolling: false })),
  'windows and networks are not looked at': changed(() => ({ denied: undefined })),
  'everybody is an owner': changed(() => ({ role: 'owner' })),
  'a link opens whatever is asked for': (doors: Doors): Doors => ({
    ...doors,
    current: (by) => by,
    identify: async (asked) => {
      const by = await doors.identify(asked);
      return by && 'via' in by && typeof by.via === 'object' && 'item' in by.via ? { ...by, via: 'session' } : by;
    },
  }),
  'a credential is looked up once and believed for good': (doors: Doors): Doors => {
    const seen = new Map<string, Principal | ServiceCaller | undefined>();
    return {
      ...doors,
      current: (by) => by,
      identify: async (asked) => {
        const key = `${asked.bearer} ${asked.cookie} ${asked.ticket}`;
        if (!seen.has(key)) seen.set(key, await doors.identify(asked));
        return seen.get(key);
      },
    };
  },
};

export function scenario(name: string, fault: keyof typeof FAULTS, holds: (w: ProbedWorld) => Promise<boolean>): void {
  test(name, async (t) => assert.equal(await holds(await openProbedWorld(t)), true));
  test(`${name} — and is found out when ${fault}`, async (t) =>
    assert.equal(await holds(await openProbedWorld(t, { doors: FAULTS[fault] })), false));
}
