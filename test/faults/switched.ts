/**
 * Builds programs in which every planted fault is present, and `FAULT` chooses one when they start. A start from the
 * sources takes three to four times the CPU time of a built one, and tests start dozens of broken servers.
 *
 * A module that faults break is built once as it is and once for each fault. Its place is taken by a module that passes
 * the exports of one of them on, so that every importer gets the broken module. All other modules are built as usual.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, type Plugin } from 'vite';
import { FAULTS } from './broken.ts';
import { replaced } from './replaced.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const MARK = '?fault=';
const SOUND = '';

/** Names of the faults in a file below `src/`. */
const faultsOf = (file: string): string[] =>
  Object.keys(FAULTS).filter((name) => FAULTS[name]?.some((fault) => fault.file === file));

/** Text of a file with one of the faults. */
function broken(path: string, name: string): string {
  const faults = (FAULTS[name] ?? []).filter(({ file }) => join(SOURCES, file) === path);
  return faults.reduce(replaced, readFileSync(path, 'utf8'));
}

/** Text of the module that takes the place of a file with faults. */
function chooser(path: string, names: readonly string[]): string {
  const { module } = parseSync(path, readFileSync(path, 'utf8'));
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.filter(({ isType }) => !isType).map(({ exportName }) => exportName.name ?? ''),
  );
  if (exported.includes('')) throw new Error(`${path} has an export without a name`);
  const variants = [SOUND, ...names];
  return [
    ...variants.map((name, n) => `import * as variant${n} from ${JSON.stringify(path + MARK + name)};`),
    `const variants = { ${variants.map((name, n) => `${JSON.stringify(name)}: variant${n}`).join(', ')} };`,
    `const chosen = variants[process.env.FAULT ?? ''] ?? variant0;`,
    `export const { ${exported.join(', ')} } = chosen;`,
  ].join('\n');
}

/** Puts every fault into a build. */
export const switchedFaults: Plugin = {
  name: 'switched-faults',
  enforce: 'pre',
  resolveId: (source) => (source.includes(MARK) ? source : null),
  load: (id) => {
    const [path = '', name] = id.split(MARK);
    if (name !== undefined) return { code: broken(path, name), moduleType: 'ts' };
    const names = id.startsWith(SOURCES) ? faultsOf(relative(SOURCES, id)) : [];
    return names.length === 0 ? null : { code: chooser(path, names), moduleType: 'js' };
  },
};
