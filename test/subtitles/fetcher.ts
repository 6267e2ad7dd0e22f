/**
 * A program for the crash tests: opens the house of a folder and fetches for the item with that id, saying so once it
 * is acknowledged or refused. `node --import arm.ts fetcher.ts FOLDER ID ENVIRONMENT`, the last as JSON.
 */
import { Failure } from '../../src/lib/failure.ts';
import { openWorld } from './world.ts';

const [folder = '', id = '', environment = '{}'] = process.argv.slice(2);
const world = await openWorld({ folder, env: JSON.parse(environment) as Record<string, string> });
process.stdout.write('open\n');
try {
  const { file } = await world.subtitles.fetch({ id }, new AbortController().signal);
  process.stdout.write(`fetched ${file}\n`);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stdout.write(`refused ${error.kind}: ${error.message}\n`);
}
await world.close();
