/**
 * Lets node:test follow its tests without following every promise, which takes up to a quarter of the CPU time of test
 * files. It follows promises to find the test of an uncaught error, and the suite in which a test is declared; suites
 * are still found. An uncaught error ends the process with a separate status. The file is then run again with
 * everything followed, which names the test (files.ts). If Node changes what is replaced here, tests take longer and do
 * the same.
 */
import type { HookCallbacks } from 'node:async_hooks';
import { inspect } from 'node:util';
import { isMainThread } from 'node:worker_threads';

export const STATUS_OF_UNCAUGHT = 70;

function replaceHook(): void {
  const hooks = process.getBuiltinModule('node:async_hooks');
  const { createHook } = hooks;
  const isOfRunner = (): boolean => new Error().stack?.includes('node:internal/test_runner/') === true;
  const ofTests = ({ init }: HookCallbacks): HookCallbacks => ({
    // The type of tests and suites; theirs alone are looked up when a test is declared.
    init: (id, type, trigger, resource) => void (type === 'Test' && init?.(id, type, trigger, resource)),
    trackPromises: false,
  });
  Object.assign(hooks, {
    createHook: (callbacks: HookCallbacks) => createHook(isOfRunner() ? ofTests(callbacks) : callbacks),
  });
}

function end(error: unknown): void {
  process.stderr.write(`uncaught: ${inspect(error)}\n`);
  process.exit(STATUS_OF_UNCAUGHT);
}

// The module is also imported for its constant.
if (isMainThread && process.execArgv.includes(import.meta.filename)) {
  replaceHook();
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
