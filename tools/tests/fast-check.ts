/** Replacement for `fast-check` in test runs: fast-check itself, with a seed. */
import fc from 'fast-check';
import { SEED } from '../../test/chance.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export * from 'fast-check';
export { fc as default };
