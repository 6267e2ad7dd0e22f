/**
 * Writes into the service worker which files the shell is made of, its words by language, and a version that changes
 * with any of them. While developing the list is empty and the worker keeps nothing.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { shellFiles } from './loaded-files.ts';
import { shellWordFiles } from './words.ts';

const MARK = '__SHELL__';

export const serviceWorker = (): Plugin => ({
  name: 'matinee-service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const worker = bundle['worker.js'];
      if (worker?.type !== 'chunk') throw new Error('the build made no service worker');
      // It is registered as a plain script, which browsers refuse silently when it imports.
      if (worker.imports.length > 0)
        throw new Error(
          `the service worker imports ${worker.imports.join(', ')}: what it shares with the dashboard needs a ` +
            'separate file',
        );
      const shell = shellFiles(bundle);
      const words = Object.fromEntries(
        [...shellWordFiles(bundle, shell)].map(([language, all]) => [language, [...all].map((file) => `/${file}`)]),
      );
      const version = createHash('sha256')
        .update([...shell].sort().join() + JSON.stringify(words))
        .digest('hex')
        .slice(0, 12);
      const files = ['/', ...[...shell].map((file) => `/${file}`)];
      worker.code = worker.code.replaceAll(MARK, JSON.stringify({ version, files, words }));
    },
  },
});
