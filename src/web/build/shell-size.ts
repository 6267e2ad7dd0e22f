/**
 * Prints how much JavaScript a first visit loads, gzipped, and fails the build when it is over the budget.
 * Counted: the entry, all that it imports statically, and its words in the longest language. What is loaded on
 * demand does not count.
 */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { shellWordFiles } from './words.ts';

export const shellSize = ({ budget }: { budget: number }): Plugin => ({
  name: 'matinee-shell-size',
  apply: 'build',
  generateBundle(_options, bundle) {
    const seen = new Set<string>();
    const visit = (file: string): number => {
      const chunk = bundle[file];
      if (seen.has(file) || chunk?.type !== 'chunk') return 0;
      seen.add(file);
      return gzipSync(chunk.code, { level: 9 }).length + chunk.imports.reduce((sum, name) => sum + visit(name), 0);
    };
    const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one.name === 'index');
    if (!entry) throw new Error('the build made no entry');
    const code = visit(entry.fileName);
    const weighed = (file: string) => {
      const chunk = bundle[file];
      return chunk?.type === 'chunk' ? gzipSync(chunk.code, { level: 9 }).length : 0;
    };
    const spoken = [...shellWordFiles(bundle, seen).values()].map((files) =>
      [...files].reduce((sum, file) => sum + weighed(file), 0),
    );
    if (spoken.length === 0) throw new Error('the build found no words of the shell');
    const bytes = code + Math.max(...spoken);
    console.log(
      `shell: ${(bytes / 1000).toFixed(1)} kB of gzipped JavaScript in ${seen.size} files and one language ` +
        `(budget ${budget / 1000} kB)`,
    );
    if (bytes > budget) this.error(`the shell is over its budget of ${budget} bytes: ${bytes}`);
  },
});
