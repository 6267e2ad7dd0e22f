/**
 * The helper process that reads headers: it receives a list of paths and returns a result for each.
 *
 * Promise: a file that cannot be opened, is empty or is not understood has a result that says so; only a fault of the
 * reader itself fails the whole request.
 */

import { withHeaderFile } from '../../lib/files/header.ts';
import { serveHelper } from '../../lib/process/serve.ts';
import { createHead, readHeader } from './read.ts';
import type { HeaderReading } from './read.ts';

/** A request to the helper: absolute paths, and the library that they are in, below which no link is followed. */
export interface HelperQuestion {
  paths: string[];
  root?: string;
}

/** For each path its info, or why there is none. */
export type HelperAnswer = HeaderReading | { failed: 'empty' | 'unreadable' };

// Uncertainty is an ordinary result here, and its stack would take longer than the reading.
Error.stackTraceLimit = 0;
const head = createHead();

const answer = (path: string, root: string | undefined): HelperAnswer =>
  withHeaderFile<HelperAnswer>(
    path,
    (size, at) => (size === 0 ? { failed: 'empty' } : readHeader(size, at, head)),
    root,
  ) ?? { failed: 'unreadable' };

serveHelper((question) => {
  const { paths, root } = question as HelperQuestion;
  return paths.map((path) => answer(path, root));
});
