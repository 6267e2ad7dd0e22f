/**
 * Plants a fault: copies the machine room with one piece of text replaced, so that the same checks can be run
 * against the broken copy and must fail there. A test that stays green over its planted fault proves nothing.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestContext } from 'node:test';

const top = fileURLToPath(new URL('../../', import.meta.url));

export interface Fault {
  /** Below `src/`: `lib/files/write.ts`. */
  file: string;
  /** Occurs there exactly once. */
  from: string;
  to: string;
}

/** Gives the address of a module (below `src/`) in the broken copy. */
export function plant(t: TestContext, { file, from, to }: Fault): (module: string) => URL {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  for (const folder of ['src/lib', 'src/contract', 'test/faults']) cpSync(join(top, folder), join(copy, folder), { recursive: true });
  symlinkSync(join(top, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  const at = join(copy, 'src', file);
  const text = readFileSync(at, 'utf8');
  assert.equal(text.split(from).length, 2, `${file} holds the text to break once`);
  writeFileSync(at, text.replace(from, () => to));
  return (module) => pathToFileURL(join(copy, 'src', module));
}
