/**
 * How the dashboard is built: `dist/web/index.html`, `assets/*`, `app/*` and `worker.js`.
 *
 * It promises three things. No schema library reaches the browser: the client's table of routes is made
 * here, from the contract. Nothing needs an inline script or style. And the shell stays small: the build
 * prints its size and fails over the budget.
 */
import { defineConfig } from 'vite';
import { jassub } from './build/jassub.ts';
import { logicalFallbacks } from './build/logical.ts';
import { noSchemas } from './build/no-schemas.ts';
import { pageFiles } from './build/page-files.ts';
import { JSX, REACT } from './build/react.ts';
import { routes } from './build/routes.ts';
import { shellSize } from './build/shell-size.ts';
import { serviceWorker } from './build/service-worker.ts';

const here = (path: string) => new URL(path, import.meta.url).pathname;
/** The oldest engines served: televisions of about 2020 (Chromium 76), and browsers of the same time. */
const version = (major: number) => major << 16;

/** The flag of lightningcss. */
const LOGICAL_PROPERTIES = 524_288;

/** The entry and everything it imports, as one file. The service worker must import nothing, so it shares none. */
const SHELL = {
  name: 'shell',
  tags: ['$initial' as const],
  test: (id: string) => !/\/(web\/worker\/|dashboard\/not-pages)/.test(id),
  priority: 2,
};
/**
 * Modules of three or more pages, joined with modules that nearly the same pages import. Otherwise each set of pages
 * that share a module has a file for it: a page loaded up to 60 files, which took a quarter of the time in which it
 * opened. Messages keep their files, because they are loaded by language.
 */
const SHARED = {
  name: 'shared',
  test: (id: string) => !/\/web\/(worker|messages)\//.test(id),
  minShareCount: 3,
  entriesAware: true,
  entriesAwareMergeThreshold: 20_000,
};
/** Name of a file, without the names of the pages that share it, which the bundler appends. */
const shortName = (name: string): string => name.replace(/~.*/, '');

export default defineConfig({
  root: here('./'),
  base: '/',
  publicDir: 'public',
  plugins: [
    routes(),
    jassub(),
    logicalFallbacks(),
    serviceWorker(),
    noSchemas(),
    shellSize({ budget: 60_000 }),
    pageFiles({ budget: 28 }),
  ],
  // The worker that draws styled subtitles; engines that have no modules in workers show these as text.
  worker: { format: 'es', plugins: () => [jassub()] },
  resolve: {
    alias: Object.entries(REACT).map(([find, replacement]) => ({ find: new RegExp(`^${find}$`), replacement })),
  },
  oxc: { jsx: JSX },
  css: {
    transformer: 'lightningcss',
    lightningcss: {
      targets: { chrome: version(76), safari: version(14), firefox: version(78) },
      // It would write them as physical ones for a list of languages; `logicalFallbacks` has what old engines lack.
      exclude: LOGICAL_PROPERTIES,
    },
  },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    target: ['chrome76', 'safari14', 'firefox78'],
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
    rolldownOptions: {
      // Libraries mark files for a server renderer; here there is none.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
      input: { index: here('./index.html'), worker: here('./worker/worker.ts') },
      output: {
        codeSplitting: { groups: [SHELL, SHARED] },
        entryFileNames: (chunk) => (chunk.name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        // `words-de-player-….js`: the messages of an area in a language.
        chunkFileNames: ({ facadeModuleId, name }) => {
          const [, area] = /\/messages\/([a-z]+\/[\w-]+)\.ts$/.exec(facadeModuleId ?? '') ?? [];
          return `assets/${area === undefined ? shortName(name) : `words-${area.replace('/', '-')}`}-[hash].js`;
        },
        assetFileNames: ({ names: [name = ''] }) => `assets/${shortName(name.replace(/\.\w+$/, ''))}-[hash][extname]`,
      },
    },
  },
});
