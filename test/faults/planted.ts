/**
 * Plants a fault: replaces one piece of text of a source, in a copy or as it is loaded, so that the same checks can be
 * run against the broken server and must fail there. A test that stays green over its planted fault proves nothing.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestContext } from 'node:test';
import { PROGRAMS } from './programs.ts';
import { replaced, type Fault } from './replaced.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the address of a module (below `src/`) in a broken copy of the machine room. */
export function plant(t: TestContext, fault: Fault): (module: string) => URL {
  const copy = copied(t, fault, ['src/lib', 'src/contract', 'test/faults']);
  return (module) => pathToFileURL(join(copy, 'src', module));
}

/**
 * Returns a folder with a launcher for each program that tests drive, for `programFile`: it runs the sources as they
 * are but for the fault, which is planted as they are loaded. A copy would be compiled again for each fault.
 */
export function plantServer(t: TestContext, fault: Fault): string {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const address = (path: string): string => JSON.stringify(pathToFileURL(join(top, path)).href);
  // Others look whether they are the main module, and a launcher is that.
  for (const [name, source] of Object.entries(PROGRAMS).filter(([, path]) => path.startsWith('test/subtitles/')))
    writeFileSync(
      join(folder, `${name}.mjs`),
      `import { replaceOnLoad } from ${address('test/faults/replaced.ts')};
replaceOnLoad([${JSON.stringify(fault)}]);
await import(${address(source)});
`,
    );
  return folder;
}

function copied(t: TestContext, fault: Fault, folders: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  // No tests, and no dashboard: they are large, and nothing of them is run.
  for (const folder of folders)
    cpSync(join(top, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|\/src\/web(?:\/|$)/.test(path),
    });
  symlinkSync(join(top, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  const at = join(copy, 'src', fault.file);
  writeFileSync(at, replaced(readFileSync(at, 'utf8'), fault));
  return copy;
}
