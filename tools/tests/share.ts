/**
 * Runs several test files in one process, one after the other, as `node share.ts FILE ...`. A file that imports the
 * server spends half a second of CPU time on reading it, and as much on code that the engine has not optimised yet.
 *
 * A file is imported once all tests of the file before it have ended. The test that closes a file is not counted.
 *
 * A timer or a thread that a file leaves open would keep the process until it is out of time. It is named with the
 * file, and the process fails.
 */
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { LEFT_OPEN_STATUS, leftOpen, type OpenAfterFile } from './left-open.ts';
import { END_OF_FILE } from './reporter.ts';

/** For what closes itself a moment after the tests, such as a connection. A sound process ends at once. */
const LEFT_OPEN_MS = Number(process.env['LEFT_OPEN_MS'] ?? 30_000);

// Each file may add listeners to the process; together they are not a leak.
process.setMaxListeners(0);

// Output is a resource from its first use.
void [process.stdout, process.stderr];
const openAfterFiles: OpenAfterFile[] = [{ open: process.getActiveResourcesInfo() }];
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
  openAfterFiles.push({ file, open: process.getActiveResourcesInfo() });
}
// Hooks run in the order in which they were added: those of the files have ended when this one runs.
after(() => {
  setTimeout(() => {
    for (const line of leftOpen(openAfterFiles, process.getActiveResourcesInfo())) console.log(line);
    process.exit(LEFT_OPEN_STATUS);
  }, LEFT_OPEN_MS).unref();
});
release();
