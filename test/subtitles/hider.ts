/**
 * A program for the crash tests: opens the house of a folder, plans a clean-up of English and applies it, saying so
 * once it is acknowledged. `node hider.ts FOLDER`.
 */
import '../faults/arm.ts';
import { openWorld } from './world.ts';

const [folder = ''] = process.argv.slice(2);
const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
process.stdout.write('open\n');
const { signal } = new AbortController();
const policy = { enabled: true, languages: ['en'], forced: 'keep' as const };
const { digest } = await world.subtitles.cleanup.plan(policy, signal);
const { hidden } = await world.subtitles.cleanup.apply({ ...policy, digest }, signal);
process.stdout.write(`hidden ${hidden}\n`);
await world.close();
