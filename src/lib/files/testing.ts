/** Temporary folders and roots for the tests of files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Failure } from '../failure.ts';
import { openRoot, type Root } from '../files.ts';

/** Makes a folder that is removed after the test. */
export const makeTemporary = (t: TestContext): string => {
  const base = mkdtempSync(join(tmpdir(), 'files-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  return base;
};
/** Returns a check of a thrown failure, for `assert.throws`. */
export const failsAs = (kind: string, message?: string) => (error: unknown) =>
  error instanceof Failure && error.kind === kind && (message === undefined || error.message === message);
/** Opens a root that is closed after the test. */
export const openTestRoot = async (t: TestContext, path: string): Promise<Root> => {
  const root = await openRoot(path);
  t.after(() => root.close());
  return root;
};
