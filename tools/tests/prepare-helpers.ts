/** Builds the helper processes for the test files of a run, once. */
import { makePrepared } from '../../test/prepared.ts';

export const BUILT_HELPERS = 'built helpers';

if (import.meta.main) {
  await makePrepared(BUILT_HELPERS, async (folder) => {
    const { buildHelpers } = await import('../server.ts');
    await buildHelpers(folder);
  });
}
