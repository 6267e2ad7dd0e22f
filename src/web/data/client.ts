/** The typed client of the dashboard: `call.catalog.item({ id })`. */
import { routes } from 'virtual:routes';
import type { Api } from '../../contract/api.ts';
import { address, CallFailed, createClient } from '../../contract/kernel/client.ts';
import { capital } from '../lib/format.ts';
import { send } from './send.ts';

export const call = createClient<Api>(routes, send);
export { address, CallFailed, routes };

/** What went wrong, as a sentence for a person. */
export function sentence(error: unknown): string {
  if (!(error instanceof CallFailed)) return 'Something went wrong here. Reload the page and try again.';
  if (error.status === 0)
    return 'The server does not answer. Check that it is running and that this device is on the same network.';
  const text = error.message || 'the server refused';
  return `${capital(text)}${/[.?]$/.test(text) ? '' : '.'}`;
}
