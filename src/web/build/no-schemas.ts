/**
 * Fails the build when the schema library reaches the browser: it is as large as the shell, and it tries to compile
 * code, which the policy of the pages forbids. Modules of the contract that pages load must not import it.
 */
import type { Plugin } from 'vite';

const SCHEMAS = /\/node_modules\/zod\//;

export const noSchemas = (): Plugin => ({
  name: 'no-schemas',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.moduleIds.some((id) => SCHEMAS.test(id))) continue;
      const own = chunk.moduleIds.filter((id) => id.includes('/src/'));
      this.error(`${chunk.fileName} holds the schema library; it is made of ${own.join(', ')}`);
    }
  },
});
