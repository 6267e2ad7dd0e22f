/** The typed client of the dashboard: `call.catalog.item({ id })`. */
import { routes } from 'virtual:routes';
import type { Api } from '../../contract/api.ts';
import { address, CallFailed, createClient, failedReply } from '../../contract/kernel/client.ts';
import { capital } from '../lib/format.ts';
import { settled } from '../messages/catalogue.ts';
import { shellWords as m } from '../messages/shell.ts';
import { send } from './send.ts';

let reasons: typeof import('../messages/reasons.ts') | undefined;
/** Loads the words of failures, which `sentence` and `failureIn` use. Without them, the server's sentence is shown. */
export async function loadReasons(): Promise<void> {
  try {
    reasons ??= await import('../messages/reasons.ts');
    await settled();
  } catch {
    // The next failure tries again.
  }
}

export const call = createClient<Api>(routes, async (path, init) => {
  const reply = await send(path, init);
  // A first visit without a session fails once without a message.
  if (!reply.ok && reply.status !== 304 && !(reply.status === 401 && init.method === 'GET')) await loadReasons();
  return reply;
});
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
