/**
 * Loaded before each test file that the runner starts: what fast-check draws is the same in every run, so that a test
 * fails for a change and never for a number. `CHANCE=random` looks further; test/chance.ts tells more.
 */
import { registerHooks } from 'node:module';

const seeded = new URL('./fast-check.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'fast-check' && context.parentURL !== seeded ? seeded : specifier, context),
});
