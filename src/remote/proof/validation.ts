/**
 * Has a third party connect to port 443 of the public name: an authorization by TLS-ALPN-01 at a test authority.
 * No certificate is ordered to its end.
 *
 * An authorization that is valid is answered from the authority's memory the next time, without a connection. So it is
 * deactivated afterwards, and one that is valid at the start proves nothing and is replaced.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Acme, AcmeReply } from '../certificates/acme.ts';
import { RemoteFault } from '../fault.ts';
import type { ChallengeResponder } from './responder.ts';

const Address = z.url().max(2_048);
const OrderReply = z.object({ authorizations: z.array(Address).length(1) });
const AuthorizationReply = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  challenges: z
    .array(
      z.object({
        type: z.string(),
        url: Address,
        token: z.string().max(512).optional(),
        error: z.object({ type: z.string().max(200) }).optional(),
      }),
    )
    .max(16),
});

/**
 * Result of a third party: the server, no connection, another program or server, or no address behind the name.
 */
export type ValidationResult = 'reached' | 'not-connected' | 'elsewhere' | 'no-address';

const RESULTS: Readonly<Record<string, ValidationResult>> = {
  connection: 'not-connected',
  dns: 'no-address',
  tls: 'elsewhere',
  unauthorized: 'elsewhere',
  incorrectResponse: 'elsewhere',
};
const MAX_POLLS = 90;
/** Valid authorizations in the memory of the authority that are replaced. */
const MAX_ORDERS = 3;

interface Validation {
  acme: Acme;
  host: string;
  responder: ChallengeResponder;
  now(): number;
  /** Milliseconds between two questions. */
  pollMs: number;
  signal: AbortSignal;
}

/** Returns what the authority found. Throws `RemoteFault` if it says nothing of the name. */
export async function validateByTls(needs: Validation): Promise<ValidationResult> {
  const { acme, signal } = needs;
  await acme.register(signal);
  for (let orders = 0; orders < MAX_ORDERS; orders += 1) {
    const url = await newAuthorization(needs);
    const { status, challenge } = await readAuthorization(needs, url);
    if (status === 'pending') return validate(needs, url, challenge);
    await deactivate(acme, url);
  }
  throw new RemoteFault('ca-refused');
}

async function newAuthorization({ acme, host, signal }: Validation): Promise<string> {
  const { newOrder } = await acme.directory(signal);
  const found = OrderReply.safeParse(
    (await acme.post(newOrder, { identifiers: [{ type: 'dns', value: host }] }, signal)).json,
  );
  const [url] = found.data?.authorizations ?? [];
  if (url === undefined) throw new RemoteFault('ca-broken');
  return url;
}

async function readAuthorization({ acme, signal }: Validation, url: string) {
  const reply: AcmeReply = await acme.post(url, undefined, signal);
  const found = AuthorizationReply.safeParse(reply.json);
  if (!found.success) throw new RemoteFault('ca-broken');
  return { status: found.data.status, challenge: found.data.challenges.find(({ type }) => type === 'tls-alpn-01') };
}
type Challenge = Awaited<ReturnType<typeof readAuthorization>>['challenge'];

async function validate(needs: Validation, url: string, first: Challenge): Promise<ValidationResult> {
  const { acme, host, responder, now, pollMs, signal } = needs;
  if (first?.token === undefined) throw new RemoteFault('ca-refused');
  const end = await responder.answer({ host, keyAuthorization: acme.keyAuthorization(first.token), now: now() });
  try {
    await acme.post(first.url, {}, signal);
    for (let polls = 0; polls < MAX_POLLS; polls += 1) {
      await delay(pollMs, undefined, { signal });
      const { status, challenge } = await readAuthorization(needs, url);
      if (status === 'valid') return 'reached';
      if (status !== 'pending') return resultOf(challenge);
    }
    throw new RemoteFault('ca-unreachable');
  } finally {
    end();
    await deactivate(acme, url);
  }
}

function resultOf(challenge: Challenge): ValidationResult {
  const type = challenge?.error?.type ?? '';
  return RESULTS[type.slice(type.lastIndexOf(':') + 1)] ?? 'not-connected';
}

/** One that failed cannot be deactivated, and need not be. */
const deactivate = (acme: Acme, url: string): Promise<unknown> =>
  acme.post(url, { status: 'deactivated' }).catch(() => undefined);
