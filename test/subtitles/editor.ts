/**
 * A program for the crash tests: opens the house of a folder and applies a text to the English subtitle of the item
 * with that id, restores it, or takes it back, saying so once it is acknowledged or refused.
 * `node editor.ts FOLDER ID apply|restore|previous [FILE]`, the file holding the text.
 */
import '../faults/arm.ts';
import { readFileSync } from 'node:fs';
import { Failure } from '../../src/lib/failure.ts';
import { openWorld } from './world.ts';

const [folder = '', id = '', act = '', file = ''] = process.argv.slice(2);
const signal = new AbortController().signal;
const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
const { workbench } = world.subtitles;
process.stdout.write('open\n');
try {
  if (act === 'restore' || act === 'previous')
    await workbench.restore({ id, ...(act === 'previous' && { to: 'previous' }) }, signal);
  else {
    const { fingerprint } = await workbench.inspect({ id, language: 'en' }, signal);
    await workbench.apply({ id, language: 'en', fingerprint, data: readFileSync(file).toString('base64') }, signal);
  }
  process.stdout.write('done\n');
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stdout.write(`refused ${error.kind}: ${error.message}\n`);
}
await world.close();
