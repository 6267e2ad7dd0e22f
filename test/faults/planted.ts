/**
 * Plants a fault: replaces one piece of text of a source in a copy, so that the same checks can be run against the
 * broken module and must fail there. A test that stays green over its planted fault proves nothing. Broken programs
 * are in `programs.ts`.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestContext } from 'node:test';
import { replaced, type Fault } from './replaced.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the address of a module (below `src/`) in a broken copy of the machine room. */
export function plant(t: TestContext, fault: Fault): (module: string) => URL {
  const copy = copied(t, fault, ['src/lib', 'src/contract', 'test/faults']);
  return (module) => pathToFileURL(join(copy, 'src', module));
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
