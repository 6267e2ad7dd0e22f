/** Builds the helper processes for the test files of a run, once. */
import { BUILT_HELPERS } from '../../test/built-helpers.ts';
import { makePrepared } from '../../test/prepared.ts';
import { buildHelpers } from '../server.ts';

await makePrepared(BUILT_HELPERS, (folder) => buildHelpers(folder));
