/**
 * Loaded before each test file that the runner starts: helper processes run from built files, as in the product. A test
 * file starts dozens, and from its source each costs a quarter of a second of CPU time more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { preparedPath } from '../../test/prepared.ts';
import { STARTERS, withBuiltHelper } from '../helpers.ts';
import { BUILT_HELPERS } from './prepare-helpers.ts';

const top = new URL('../../', import.meta.url).href;
const starters = new Map(STARTERS.map((module) => [top + module, module]));

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const module = starters.get(url);
    if (module === undefined) return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    const folder = builtHelpers();
    return {
      ...loaded,
      source:
        withBuiltHelper(
          source,
          module,
          (helper) => `new URL(${JSON.stringify(pathToFileURL(join(folder, `${helper}-helper.js`)).href)})`,
        ) ?? source,
    };
  },
});

/** Builds the helpers of these sources in a separate process, because a module is loaded without waiting. */
function builtHelpers(): string {
  const folder = preparedPath(BUILT_HELPERS);
  if (existsSync(folder)) return folder;
  const { status, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('./prepare-helpers.ts', import.meta.url))],
    { stdio: ['ignore', 'inherit', 'pipe'] },
  );
  if (status !== 0) throw new Error(`the helpers cannot be built: ${String(stderr)}`);
  return folder;
}
