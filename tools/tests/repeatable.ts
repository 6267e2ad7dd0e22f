/**
 * Loaded before each test file that the runner starts. What fast-check draws is the same in every run, so that a test
 * fails for a change and never for a number: `CHANCE=random` looks further, and test/chance.ts explains more. Helper
 * processes run from built files, as in the product: a test file starts dozens, and from its source each costs a
 * quarter of a second of CPU time more. Passwords are hashed with little memory, except in the tests of hashing and in
 * built servers: a household signs in fifteen times, and at full cost each time takes 35 ms of CPU time. A new database
 * is a copy of an earlier one with the same migrations, except in the tests of databases.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { preparedPath } from '../../test/prepared.ts';
import { STARTERS, withBuiltHelper } from '../helpers.ts';
import { BUILT_HELPERS } from './prepare-helpers.ts';

const seeded = new URL('./fast-check.ts', import.meta.url).href;
const top = new URL('../../', import.meta.url).href;
const hashing = `${top}src/identity/passwords/hashing.ts`;
const isTestOfHashing = process.argv.some((arg) => /\/src\/identity\/(passwords\/|identity\.test)/.test(arg));
const upgrading = `${top}src/lib/db/upgrade.ts`;
const isTestOfDatabases = process.argv.some((arg) => /\/src\/lib\/db\//.test(arg));
const newDatabases = new URL('./new-databases.ts', import.meta.url).href;
const starters = new Map(STARTERS.map((module) => [top + module, module]));

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'fast-check' && context.parentURL !== seeded ? seeded : specifier, context),
  load: (url, context, next) => {
    const loaded = next(url, context);
    const module = starters.get(url);
    const isHashing = url === hashing && !isTestOfHashing;
    const isUpgrading = url === upgrading && !isTestOfDatabases;
    if (module === undefined && !isHashing && !isUpgrading) return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    if (isUpgrading) return { ...loaded, source: withCopiedDatabases(source) };
    if (module === undefined) return { ...loaded, source: withCheapHashing(source) };
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

/** Argon2id with the same passes and the same form, and 256 KiB in place of 19 MiB. */
function withCheapHashing(source: string): string {
  const cheap = source.replace(/memory: 19_456/, 'memory: 256');
  if (cheap === source) throw new Error('the cost of hashing a password is not where it was');
  return cheap;
}

/** Migrations of a database that did not exist run once for each process. */
function withCopiedDatabases(source: string): string {
  const run = 'await migrate(copy, pending, clock);';
  const [before, after, ...more] = source.split(run);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('a new database is not migrated where it was');
  return (
    `import { migrateNew } from ${JSON.stringify(newDatabases)};${before}if (seen) ${run}\n` +
    `    else await migrateNew(copy, pending, clock, () => migrate(copy, pending, clock));${after}`
  );
}
