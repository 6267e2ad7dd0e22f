/** The typed client of the dashboard: `call.catalog.item({ id })`. */
import { routes } from 'virtual:routes';
import type { Api } from '../../contract/api.ts';
import { address, CallFailed, createClient, failedReply } from '../../contract/kernel/client.ts';
import { capital } from '../lib/format.ts';
import { settled } from '../messages/catalogue.ts';
import { shellWords as m } from '../messages/shell.ts';
import { send } from './send.ts';
import { pendingUntil } from '../lib/pending-work.ts';

const mapValues = <V, W>(of: object, how: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, how(value as V)]));

let reasons: typeof import('../messages/reasons.ts') | undefined;
/** Loads the words of failures, which `sentence` and `failureIn` use. Without them, the server's sentence is shown. */
export async function loadReasons(): Promise<void> {
  try {
    reasons ??= await pendingUntil('import', import('../messages/reasons.ts'));
    await pendingUntil('import', settled());
  } catch {
    // The next failure tries again.
  }
}

const client = createClient<Api>(routes, async (path, init) => {
  const reply = await send(path, init);
  // A first visit without a session fails once without a message.
  if (!reply.ok && reply.status !== 304 && !(reply.status === 401 && init.method === 'GET')) await loadReasons();
  return reply;
});

type Counted = (asks: unknown, signal?: AbortSignal) => Promise<unknown>;
/** Calls count as pending work until their reply is read. */
export const call = mapValues(client, (group: Record<string, Counted>) =>
  mapValues(group, (one: Counted) => (asks: unknown, signal?: AbortSignal) => pendingUntil('call', one(asks, signal))),
) as unknown as typeof client;
export { address, CallFailed, routes };

/** Returns a failure as a sentence for the user. */
export function sentence(error: unknown): string {
  if (!(error instanceof CallFailed)) return m.brokenHere;
  if (error.status === 0) return m.serverSilent;
  const text = (error.reason && reasons?.reasonWords[error.reason]) ?? error.message;
  if (!text) return m.refused;
  return `${capital(text)}${/[.?]$/.test(text) ? '' : '.'}`;
}

/**
 * Returns the failure of a reply that `call` did not read, with its sentence; '' if the body has none. Await
 * `loadReasons` before.
 */
export function failureIn(status: number, body: unknown): { status: number; says: string } {
  const failed = failedReply(status, body);
  return { status, says: failed.message ? sentence(failed) : '' };
}
