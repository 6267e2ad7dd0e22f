/**
 * One order from its first request to the certificate. Every step looks at what the authority has already, so that an
 * order that was cut off anywhere is finished and not repeated: a valid authorization is not proved again. One gap
 * remains: killed between the authority's acceptance and the file of the order, a server places a second one, because
 * it does not ask for the account's list of orders, which the authority of the default setting does not offer.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { crashPoint } from '../../lib/crash.ts';
import type { NameQuestions } from '../../lib/net.ts';
import type { DnsProvider } from '../dns/types.ts';
import { RemoteFault } from '../fault.ts';
import { AcmeProblem, refuseProblem, type Acme } from './acme.ts';
import type { KeptFilesOfCertificate, KeptOrder } from './kept.ts';
import { newKey, signingRequest } from './keys.ts';

const Address = z.url().max(2_048);
const OrderReply = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(Address).min(1).max(32),
  finalize: Address,
  certificate: Address.optional(),
  error: z.unknown().optional(),
});
type OrderReply = z.output<typeof OrderReply>;
const Authorization = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ type: z.literal('dns'), value: z.string() }),
  challenges: z
    .array(
      z.object({
        type: z.string(),
        url: Address,
        status: z.string(),
        token: z.string().max(512).optional(),
        error: z.unknown().optional(),
      }),
    )
    .max(16),
});

export interface CertificateOrder {
  acme: Acme;
  kept: KeptFilesOfCertificate;
  names: readonly string[];
  provider: DnsProvider;
  questions: NameQuestions;
  /** Renewal id of the certificate that the new one replaces. */
  replaces: string | undefined;
  /** Milliseconds between two questions, and until the name servers must show a text. */
  pollMs: number;
  shownMs: number;
  signal: AbortSignal;
}

const MAX_POLLS = 60;

/** Returns the private key and the chain. Throws a fault; the order is kept if it can be continued. */
export async function obtainCertificate(needs: CertificateOrder): Promise<{ key: string; chain: string }> {
  const { acme, kept, names, signal } = needs;
  const { url, key } = (await openOrder(needs)) ?? (await newOrder(needs));
  const { authorizations } = await readOrder(needs, url);
  for (const authorization of authorizations) await prove(needs, authorization);
  crashPoint('remote.certificate.proved');
  let order = await poll(needs, url, ({ status }) => status !== 'pending');
  if (order.status === 'ready') {
    await acme.post(order.finalize, { csr: await signingRequest(key, names) }, signal);
    crashPoint('remote.certificate.finalized');
  }
  order = await poll(needs, url, ({ status }) => status === 'valid' || status === 'invalid');
  if (order.status === 'invalid') {
    await kept.forgetOrder();
    refuseProblem(order.error, { status: 400, retryAfterMs: undefined });
  }
  if (order.certificate === undefined) throw new RemoteFault('ca-broken');
  return { key, chain: (await acme.post(order.certificate, undefined, signal)).text };
}

type PlacedOrder = KeptOrder & { url: string };

/** The order that was under way, if the authority still has it. */
async function openOrder(needs: CertificateOrder): Promise<PlacedOrder | undefined> {
  const order = await needs.kept.order(needs.names);
  if (order?.url === undefined) return undefined;
  try {
    if ((await readOrder(needs, order.url)).status !== 'invalid') return { ...order, url: order.url };
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  await needs.kept.forgetOrder();
  return undefined;
}

const isGone = (error: unknown): boolean =>
  (error instanceof AcmeProblem && error.type === 'malformed') ||
  (error instanceof RemoteFault && error.code === 'ca-refused');

async function newOrder({ acme, kept, names, replaces, signal }: CertificateOrder): Promise<PlacedOrder> {
  const waitMs = await kept.countOrder();
  if (waitMs > 0) throw new RemoteFault('orders-used-up', waitMs);
  const key = newKey();
  const identifiers = names.map((value) => ({ type: 'dns', value }));
  const place = async (more: object) =>
    acme.post((await acme.directory(signal)).newOrder, { identifiers, ...more }, signal);
  const { location } = await place(replaces === undefined ? {} : { replaces }).catch((error: unknown) => {
    // Replaced already, or by an authority that does not know the member.
    if (replaces !== undefined && error instanceof AcmeProblem) return place({});
    throw error;
  });
  if (location === undefined || !URL.canParse(location)) throw new RemoteFault('ca-broken');
  const order = { names: [...names], key, url: location };
  await kept.saveOrder(order);
  crashPoint('remote.certificate.ordered');
  return { directory: '', ...order };
}

async function readOrder({ acme, signal }: CertificateOrder, url: string): Promise<OrderReply & { waitMs?: number }> {
  const reply = await acme.post(url, undefined, signal);
  const found = OrderReply.safeParse(reply.json);
  if (!found.success) throw new RemoteFault('ca-broken');
  return { ...found.data, ...(reply.retryAfterMs !== undefined && { waitMs: reply.retryAfterMs }) };
}

async function poll(needs: CertificateOrder, url: string, isDone: (order: OrderReply) => boolean): Promise<OrderReply> {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const order = await readOrder(needs, url);
    if (isDone(order)) return order;
    await delay(Math.min(order.waitMs ?? needs.pollMs, 10 * needs.pollMs), undefined, { signal: needs.signal });
  }
  throw new RemoteFault('ca-unreachable');
}

async function readAuthorization({ acme, signal }: CertificateOrder, url: string) {
  const found = Authorization.safeParse((await acme.post(url, undefined, signal)).json);
  const challenge = found.data?.challenges.find(({ type }) => type === 'dns-01');
  if (!found.success) throw new RemoteFault('ca-broken');
  return { status: found.data.status, challenge };
}

/** Proves one name by a text at its `_acme-challenge`, which is removed again whatever happens. */
async function prove(needs: CertificateOrder, url: string): Promise<void> {
  const { acme, kept, provider, questions, signal, pollMs, shownMs } = needs;
  let { status, challenge } = await readAuthorization(needs, url);
  if (status === 'valid') return;
  if (status !== 'pending' || challenge?.token === undefined) {
    await kept.forgetOrder();
    throw new RemoteFault('proof-refused');
  }
  const text = createHash('sha256').update(acme.keyAuthorization(challenge.token)).digest('base64url');
  try {
    await provider.setTxt(text, signal);
    crashPoint('remote.certificate.published');
    if (!(await isShown({ questions, name: `_acme-challenge.${provider.name}`, text, pollMs, shownMs, signal })))
      throw new RemoteFault('proof-late');
    if (challenge.status === 'pending') await acme.post(challenge.url, {}, signal);
    for (let polls = 0; status === 'pending' && polls < MAX_POLLS; polls += 1) {
      await delay(pollMs, undefined, { signal });
      ({ status, challenge } = await readAuthorization(needs, url));
    }
  } finally {
    // The next proof replaces it, so a failure here must not hide what happened before.
    await provider.clearTxt(signal).catch(() => {});
  }
  if (status === 'valid') return;
  await kept.forgetOrder();
  throw new RemoteFault('proof-refused');
}

/** Whether every name server that answers shows the text within the time. */
async function isShown({
  questions,
  name,
  text,
  pollMs,
  shownMs,
  signal,
}: Pick<CertificateOrder, 'questions' | 'pollMs' | 'shownMs' | 'signal'> & {
  name: string;
  text: string;
}): Promise<boolean> {
  const until = performance.now() + shownMs;
  for (;;) {
    const shown = await questions.txt(name);
    if (shown.length > 0 && shown.every((texts) => texts.includes(text))) return true;
    if (performance.now() >= until) return false;
    await delay(pollMs, undefined, { signal });
  }
}
