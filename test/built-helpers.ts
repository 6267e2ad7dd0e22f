/**
 * Helper processes and threads of tests are built once and run from there, as in the product. A test file starts
 * dozens, and from its source each costs a quarter of a second of CPU time more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HELPERS } from '../tools/helpers.ts';
import { preparedPath } from './prepared.ts';

export const BUILT_HELPERS = 'built helpers';

const TOP = new URL('../', import.meta.url).href;
const names = new Map<string, string>(Object.entries(HELPERS).map(([name, { source }]) => [TOP + source, name]));

/** Returns the built module of a helper, and the source of any other. */
export function builtHelper(source: URL): URL {
  const name = names.get(source.href);
  return name === undefined ? source : pathToFileURL(`${builtFolder()}/${name}-helper.js`);
}

/** Builds in a separate process, because a helper is started without waiting. */
function builtFolder(): string {
  const folder = preparedPath(BUILT_HELPERS);
  if (existsSync(folder)) return folder;
  const program = fileURLToPath(new URL('../tools/tests/prepare-helpers.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [program], { stdio: ['ignore', 'inherit', 'pipe'] });
  if (status !== 0) throw new Error(`the helpers cannot be built: ${String(stderr)}`);
  return folder;
}
