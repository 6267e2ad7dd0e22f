/**
 * Runs several test files in one process, one after the other, as `node share.ts FILE ...`. A file that imports the
 * server spends half a second of CPU time on reading it, and as much on code that the engine has not optimised yet.
 *
 * A file is imported once all tests of the file before it have ended. The test that closes a file is not counted.
 */
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { END_OF_FILE } from './reporter.ts';

/** Time for what the last file still does, such as to throw an error that no test waits for. */
const LEFT_BEHIND_MS = 5_000;

// Each file may add listeners to the process; together they are not a leak.
process.setMaxListeners(0);

// The test that closes a file lasts until the next file is imported: once no test is left, hooks of all files run.
let release = (): void => {};
for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    // The test that waits for this import would never end.
    console.error(error);
    process.exit(1);
  }
  release();
  const next = Promise.withResolvers<void>();
  release = next.resolve;
  await new Promise<void>((resolve) => void test(END_OF_FILE + file, () => (resolve(), next.promise)));
}
release();
// All tests have ended. A thread that one of the files left behind would keep the process until it is out of time.
setTimeout(() => process.exit(), LEFT_BEHIND_MS).unref();
