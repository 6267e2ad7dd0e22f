/**
 * Prints how much JavaScript a first visit loads, gzipped, and fails the build when it is over the budget.
 * Counted: the entry, all that it imports statically, and its words in the longest language. What is loaded on
 * demand does not count.
 */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { shellFiles } from './loaded-files.ts';
import { shellWordFiles } from './words.ts';

export const shellSize = ({ budget }: { budget: number }): Plugin => ({
  name: 'matinee-shell-size',
  apply: 'build',
  generateBundle(_options, bundle) {
    const weighed = (file: string) => {
      const chunk = bundle[file];
      return chunk?.type === 'chunk' ? gzipSync(chunk.code, { level: 9 }).length : 0;
    };
    const shell = shellFiles(bundle);
    const sizeOf = (files: ReadonlySet<string>) => [...files].reduce((sum, file) => sum + weighed(file), 0);
    const spoken = [...shellWordFiles(bundle, shell).values()].map(sizeOf);
    if (spoken.length === 0) throw new Error('the build found no words of the shell');
    const bytes = sizeOf(shell) + Math.max(...spoken);
    console.log(
      `shell: ${(bytes / 1000).toFixed(1)} kB of gzipped JavaScript with one language (budget ${budget / 1000} kB), ` +
        `${shell.size} files with styles`,
    );
    if (bytes > budget) this.error(`the shell is over its budget of ${budget} bytes: ${bytes}`);
  },
});
