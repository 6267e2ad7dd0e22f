/**
 * How every call travels, and what happens when the server wants more than the call:
 * without a session the dashboard goes to the sign-in page and comes back; a call that needs a fresh proof
 * asks for it and is then sent again; a Profile that must enrol a second factor is led there.
 */
import { createStore } from '../lib/store.ts';
import { isIdentityWrite, notifyTabs } from './tabs.ts';
import { whilePersonDecides } from '../lib/pending-work.ts';

/** Step that the server requires before the dashboard can be used. */
export type Barrier = 'none' | 'signed-out' | 'enrol' | 'closed-hours';
export const barrier = createStore<Barrier>('none');

/** A proof that is being asked for; `settle` says whether it was given. */
export interface Proof {
  settle(given: boolean): void;
}
export const proof = createStore<Proof | undefined>(undefined);
let asking: Promise<boolean> | undefined;

/** Asks once, however many calls are waiting for the answer. */
const askForProof = (): Promise<boolean> => {
  asking ??= new Promise<boolean>((resolve) => {
    proof.set({
      settle: (given) => {
        proof.set(undefined);
        asking = undefined;
        resolve(given);
      },
    });
  });
  return asking;
};

/** Calls that carry a password or code themselves: their 401 is about that, not about the session. */
const CARRIES_PROOF =
  /^\/api\/v1\/(setup|session|session\/step-up|session\/(oidc|saml)|session\/(oidc|saml)\/step-up|me\/password|me\/mfa|passkeys\/login\/(begin|finish))$/;

interface Refused {
  stepUpRequired?: true;
  mfaEnrollmentRequired?: true;
  reason?: string;
}

/** Number of the newest event that the server has named: it says what the changes of this page have brought about. */
export const newestEvent = createStore(0);

async function fetchReply(path: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(path, init);
  newestEvent.change((newest) => Math.max(newest, Number(reply.headers.get('last-event-id') ?? 0)));
  return reply;
}

export async function send(path: string, init: RequestInit): Promise<Response> {
  const reply = await fetchReply(path, init);
  if (reply.ok && isIdentityWrite(path, init.method)) notifyTabs({ kind: 'identity' });
  if (reply.ok || (reply.status !== 401 && reply.status !== 403)) return reply;
  const carries = init.method !== 'GET' && CARRIES_PROOF.test(path);
  if (reply.status === 401) {
    if (!carries) barrier.set('signed-out');
    return reply;
  }
  const said = (await reply
    .clone()
    .json()
    .catch(() => ({}))) as Refused;
  if (said.mfaEnrollmentRequired) barrier.set('enrol');
  if (said.reason === 'outside-viewing-window') barrier.set('closed-hours');
  if (said.stepUpRequired && (await whilePersonDecides(askForProof()))) {
    const again = await fetchReply(path, init);
    if (again.ok && isIdentityWrite(path, init.method)) notifyTabs({ kind: 'identity' });
    return again;
  }
  return reply;
}
