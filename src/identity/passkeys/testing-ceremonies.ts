/** For tests: passkeys of Profiles behind the real server, added and used by way of its endpoints. */
import assert from 'node:assert/strict';
import type { CreationOptions, RequestOptions } from '../../contract/identity/passkeys.ts';
import type { Asking, Reply, World } from '../testing-world.ts';
import {
  type Algorithm,
  type Alterations,
  makeTestPasskey,
  type TestPasskey,
  useTestPasskey,
} from './testing-authenticator.ts';

const PATH = '/api/v1/passkeys';
export interface BegunHere<O> {
  ceremony: string;
  publicKey: O;
}
type Where = Pick<Asking, 'token' | 'cookie' | 'address' | 'host'>;

async function begun<O>(w: World, path: string, asking: Where): Promise<BegunHere<O>> {
  const reply = await w.call('POST', `${PATH}/${path}/begin`, { ...asking, body: {} });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body as unknown as BegunHere<O>;
}
export const beginAdding = (w: World, where: Where): Promise<BegunHere<CreationOptions>> => begun(w, 'register', where);
export const beginSigningIn = (w: World, where: Where = {}): Promise<BegunHere<RequestOptions>> =>
  begun(w, 'login', where);
export const beginProving = (w: World, where: Where): Promise<BegunHere<RequestOptions>> => begun(w, 'step-up', where);

export const finishAdding = (w: World, where: Where, body: object): Promise<Reply> =>
  w.call('POST', `${PATH}/register/finish`, { ...where, body });
export const finishSigningIn = (w: World, body: object, where: Where = {}): Promise<Reply> =>
  w.call('POST', `${PATH}/login/finish`, { ...where, body });

/** Adds a passkey, and returns it with the reply. */
export async function addPasskey(
  w: World,
  token: string,
  how: Alterations & { algorithm?: Algorithm; isSyncable?: boolean; name?: string } & Pick<Asking, 'address'> = {},
): Promise<{ passkey: TestPasskey; id: string; body: Reply['body'] }> {
  const { name, address, ...altered } = how;
  const where = { token, ...(address !== undefined && { address }) };
  const { ceremony, publicKey } = await beginAdding(w, where);
  const { passkey, reply } = makeTestPasskey(publicKey, altered);
  const made = await finishAdding(w, where, { ceremony, credential: reply, ...(name !== undefined && { name }) });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { passkey, id: (made.body['passkey'] as { id: string }).id, body: made.body };
}

/** Signs in with a passkey, and returns the reply. */
export async function signInWith(
  w: World,
  passkey: TestPasskey,
  altered: Alterations = {},
  where: Where = {},
): Promise<Reply> {
  const { ceremony, publicKey } = await beginSigningIn(w, where);
  return finishSigningIn(w, { ceremony, credential: useTestPasskey(passkey, publicKey, altered) }, where);
}
