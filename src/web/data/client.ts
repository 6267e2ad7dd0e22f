/** The typed client of the dashboard: `call.catalog.item({ id })`. */
import { routes } from 'virtual:routes';
import type { Api } from '../../contract/api.ts';
import { address, CallFailed, createClient, failedReply } from '../../contract/kernel/client.ts';
import { capital } from '../lib/format.ts';
import { reasonWords } from '../messages/reasons.ts';
import { shellWords as m } from '../messages/shell.ts';
import { send } from './send.ts';

export const call = createClient<Api>(routes, send);
export { address, CallFailed, routes };

/** Returns a failure as a sentence for the user. */
export function sentence(error: unknown): string {
  if (!(error instanceof CallFailed)) return m.brokenHere;
  if (error.status === 0) return m.serverSilent;
  const text = (error.reason && reasonWords[error.reason]) ?? error.message;
  if (!text) return m.refused;
  return `${capital(text)}${/[.?]$/.test(text) ? '' : '.'}`;
}

/** Returns the failure of a reply that `call` did not read, with its sentence; '' if the body has none. */
export function failureIn(status: number, body: unknown): { status: number; says: string } {
  const failed = failedReply(status, body);
  return { status, says: failed.message ? sentence(failed) : '' };
}
