/**
 * Fails the build when a page loads more files than its budget, in addition to the shell and its messages. From a
 * server without TLS a browser loads six at a time, so each of them delays a page on a slow network.
 */
import type { Plugin } from 'vite';
import { loadedWith, shellFiles } from './loaded-files.ts';

export const pageFiles = ({ budget }: { budget: number }): Plugin => ({
  name: 'matinee-page-files',
  apply: 'build',
  generateBundle(_options, bundle) {
    const shell = shellFiles(bundle);
    const pages = Object.values(bundle).flatMap((one) =>
      one.type === 'chunk' && one.isDynamicEntry && one.facadeModuleId?.endsWith('/page.tsx') === true
        ? [
            {
              page: one.facadeModuleId,
              files: [...loadedWith(bundle, one.fileName)].filter((file) => !shell.has(file)).length,
            },
          ]
        : [],
    );
    if (pages.length === 0) throw new Error('the build found no page');
    const { page, files } = pages.reduce((most, one) => (one.files > most.files ? one : most));
    if (files > budget) this.error(`a page may load ${budget} files, and ${page} loads ${files}`);
  },
});
