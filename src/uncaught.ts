/**
 * What nobody caught, told by the log and not by the runtime, whose own words would quote messages with titles and
 * paths. A promise that nobody awaited harms nobody else, and the server goes on; after an exception outside of
 * everything nothing is sure any more, and it ends to be started again: every write is whole or not there.
 */
import type { Log } from './lib/log.ts';

export function noteFaults(of: Pick<NodeJS.Process, 'on'>, { log, end }: { log: Log; end(): void }): void {
  of.on('unhandledRejection', (error: unknown) => log.fault('process.rejection', error));
  of.on('uncaughtException', (error: unknown) => {
    log.fault('process.exception', error);
    end();
  });
}
