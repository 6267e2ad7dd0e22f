/**
 * A program for the crash tests: opens the house of a folder and fetches for the item with that id, or looks for better
 * of everything, saying so once it is acknowledged or refused.
 * `node fetcher.ts FOLDER ID ENVIRONMENT [maintain]`, the environment as JSON.
 */
import '../faults/arm.ts';
import { Failure } from '../../src/lib/failure.ts';
import { openWorld } from './world.ts';

const [folder = '', id = '', environment = '{}', what] = process.argv.slice(2);
const world = await openWorld({ folder, env: JSON.parse(environment) as Record<string, string> });
process.stdout.write('open\n');
const { signal } = new AbortController();
try {
  if (what === 'maintain') {
    const { upgraded } = await world.subtitles.batches.maintain({}, signal);
    process.stdout.write(upgraded === 1 ? 'upgraded\n' : 'kept\n');
  } else {
    const { file } = await world.subtitles.fetch({ id }, signal);
    process.stdout.write(`fetched ${file}\n`);
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stdout.write(`refused ${error.kind}: ${error.message}\n`);
}
await world.close();
