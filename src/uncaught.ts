/**
 * Logs uncaught errors in place of the runtime, which would quote messages with titles and paths. After a rejected
 * promise the server continues. After an uncaught exception its state is unknown, so it ends in order to be started
 * again: every write is whole or not there.
 */
import type { Log } from './lib/log.ts';

export function noteFaults(of: Pick<NodeJS.Process, 'on'>, { log, end }: { log: Log; end(): void }): void {
  of.on('unhandledRejection', (error: unknown) => log.fault('process.rejection', error));
  of.on('uncaughtException', (error: unknown) => {
    log.fault('process.exception', error);
    end();
  });
}
