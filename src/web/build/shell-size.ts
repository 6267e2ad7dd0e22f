/**
 * Prints how much JavaScript a first visit loads, gzipped, and fails the build when it is over the budget.
 * Counted: the entry and all that it imports statically. What is loaded on demand does not count.
 */
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

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
    const bytes = visit(entry.fileName);
    console.log(
      `shell: ${(bytes / 1000).toFixed(1)} kB of gzipped JavaScript in ${seen.size} files (budget ${budget / 1000} kB)`,
    );
    if (bytes > budget) this.error(`the shell is over its budget of ${budget} bytes: ${bytes}`);
  },
});
