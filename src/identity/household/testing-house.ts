/** For tests: a house with a household device, and browsers that keep their cookies. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { OWN_DATA_WRITERS, PLAYERS } from '../../contract/kernel/access.ts';
import { endpoint, NOTHING } from '../../contract/kernel/endpoint.ts';
import type { Database } from '../../lib/db/index.ts';
import { GOOD, makeViewer, mount, openIdentityWorld, setUp, type World, type WorldOptions } from '../testing-world.ts';

export const PICKER = '/api/v1/household';
export const OPEN = '/api/v1/household/open';
export const DEVICES = '/api/v1/household/devices';
export const SESSION = '/api/v1/session';
export const ME = '/api/v1/me';
export const HOUSEHOLD = 'matinee-household';

const made = z.strictObject({ ticket: z.string() });
const probes = {
  play: endpoint({ method: 'GET', path: '/api/v1/probe/play', summary: 'plays', access: PLAYERS, result: NOTHING }),
  keep: endpoint({
    method: 'PUT',
    path: '/api/v1/probe/place',
    summary: 'keeps a place',
    access: OWN_DATA_WRITERS,
    result: NOTHING,
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/v1/probe/link',
    summary: 'a link',
    access: PLAYERS,
    result: made,
  }),
};
const more: NonNullable<WorldOptions['more']> = (identity) =>
  mount(probes, {
    play: () => {},
    keep: () => {},
    link: (_given, { by }) => ({
      ticket: identity.makeTicket({ by, purpose: 'media', item: 'a'.repeat(16) }).ticket,
    }),
  });

export interface Tablet {
  cookies: Record<string, string>;
  call(method: string, path: string, body?: unknown, address?: string): ReturnType<World['call']>;
}
/** Returns a browser with these cookies. */
export function tabletOf(w: World, cookies: Record<string, string> = {}): Tablet {
  const tablet: Tablet = {
    cookies: { ...cookies },
    call: async (method, path, body, address) => {
      const cookie = Object.entries(tablet.cookies)
        .filter(([, value]) => value !== '')
        .map((pair) => pair.join('='))
        .join('; ');
      const reply = await w.call(method, path, { cookie, body, ...(address !== undefined && { address }) });
      Object.assign(tablet.cookies, reply.cookies);
      return reply;
    },
  };
  return tablet;
}

export interface House {
  w: World;
  owner: string;
  kid: string;
  teen: string;
  adult: string;
  tablet: Tablet;
  device: string;
}

/** A house with three Viewers, who open with nothing, a PIN and a password, on one tablet. */
export async function openHouse(
  t: Parameters<typeof openIdentityWorld>[0],
  options: { db?: Database } = {},
): Promise<House> {
  const w = await openIdentityWorld(t, { ...options, more });
  const owner = await setUp(w);
  const { id: kid } = await makeViewer(w, owner, {}, 'Kid');
  const { id: teen } = await makeViewer(w, owner, {}, 'Teen');
  const { id: adult } = await makeViewer(w, owner, {}, 'Adult');
  const pin = await w.call('PUT', `/api/v1/profiles/${teen}/pin`, { token: owner, body: { pin: '4071' } });
  assert.equal(pin.status, 204);
  const tablet = tabletOf(w);
  await tablet.call('POST', SESSION, { name: 'Ada', password: GOOD, transport: 'cookie' });
  const profiles = [
    { id: kid, opens: 'nothing' },
    { id: teen, opens: 'pin' },
    { id: adult, opens: 'password' },
  ];
  const approved = await tablet.call('POST', DEVICES, { name: 'Kitchen tablet', profiles });
  assert.equal(approved.status, 201, JSON.stringify(approved.body));
  return { w, owner, kid, teen, adult, tablet, device: String(approved.body['id']) };
}

/** Opens a Profile from the picker. */
export const open = (tablet: Tablet, body: object, address?: string) => tablet.call('POST', OPEN, body, address);
/** Names of the Profiles in a picker. */
export const names = (body: Record<string, unknown>) =>
  (body['profiles'] as { name: string }[]).map(({ name }) => name);
/** Number of refusals of a kind in the log. */
export const said = async (w: World, kind: string): Promise<number> =>
  (await w.identity.happened({ limit: 2_000 }))
    .filter((row) => row.kind === kind && row.outcome === 'refused')
    .reduce((sum, { count }) => sum + count, 0);
