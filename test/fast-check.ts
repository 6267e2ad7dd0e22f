/**
 * fast-check for every test that draws its input: with a seed, so that a test fails for a change and never for a
 * number. `CHANCE=random` looks further (chance.ts).
 */
import fc from 'fast-check';
import { SEED } from './chance.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export * from 'fast-check';
export { fc };
