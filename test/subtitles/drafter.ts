/**
 * A program for the crash tests: opens the house of a folder, begins a transcription of the item with that id, and
 * says so once something was heard. `node drafter.ts FOLDER ID ENVIRONMENT`, the last as JSON.
 */
import { openWorld } from './world.ts';

const [folder = '', id = '', environment = '{}'] = process.argv.slice(2);
const world = await openWorld({ folder, env: JSON.parse(environment) as Record<string, string> });
const { drafts } = world.subtitles;
await drafts.start({ id, language: 'en', method: 'transcription' });
while (((await drafts.read({ id, language: 'en' })).progress ?? 0) < 0.3)
  await new Promise((resolve) => setTimeout(resolve, 10));
process.stdout.write('heard\n');
