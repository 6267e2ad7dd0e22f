/**
 * Builds the server, `npm run build:server`: its modules, and the packages that every start needs, joined into a few
 * files in `dist/server`. Node then opens six files and not eight hundred, and keeps a third less memory.
 *
 * The built program does the same as its sources: only what `inPlace` and `latin` describe changes in the code. Names and
 * lines stay readable. Comments are left out, because the engine keeps the text of every file in memory (0.5 MiB less).
 * A package that is loaded late (`import('sharp')`) stays where npm put it. Helpers run from their sources, so `src` has
 * to lie next to `dist`.
 */
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const WORKER = 'src/lib/db/upkeep/worker.ts';

/** Makes `main.js` in a folder two below the package's; gives its path. What was in the folder is removed. */
export async function buildServer(folder = join(TOP, 'dist/server')): Promise<string> {
  await build({
    root: TOP,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [latePackages, builtWorker, inPlace(folder), plainBuiltins, latin],
    // The same files of the packages that Node itself would take.
    ssr: { noExternal: true, target: 'node', resolve: { conditions: ['node', 'import', 'default'] } },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input: { main: 'src/main.ts', worker: WORKER }, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', comments: { legal: true, annotation: false, jsdoc: false } } },
    },
  });
  return join(folder, 'main.js');
}

/** What is loaded late is loaded by few servers, and may have native parts. */
const latePackages: Plugin = {
  name: 'late-packages',
  enforce: 'pre',
  resolveId: (source, _importer, options) => ((options as { kind?: string }).kind === 'dynamic-import' && !source.startsWith('.') ? { id: source, external: true } : null),
};

/** The database's thread is built, too: reading it from its source would take the process 20 MiB, for as long as it runs. */
const builtWorker: Plugin = {
  name: 'built-worker',
  transform: (code, id) => (id === `${TOP}src/lib/db/upkeep/thread.ts` ? code.replace(/new URL\((['"])\.\/worker\.ts\1, import\.meta\.url\)/, "new URL(import.meta.resolve('./worker.js'))") : null),
};

/** What looks for a file beside its module (a helper, the dashboard) finds it where the source is. */
const inPlace = (folder: string): Plugin => ({
  name: 'in-place',
  transform: (code, id) => (id.startsWith(`${TOP}src/`) ? code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`) : null),
});

/**
 * Takes Node's own modules as they are. An `import` of one reads every property of it at once, also those that Node makes
 * when they are first read: that of `node:http` has a client for web sockets, 33 ms and 16 MiB that nothing here uses.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = withPlainBuiltins(chunk.code);
  },
};

/** Turns each `import` of a module of Node into a `const`. Throws for a form that it does not know. */
function withPlainBuiltins(code: string): string {
  const plain = code.replaceAll(/^import (?:(\w[\w$]*)|\* as (\w[\w$]*)|\{([^}]*)\}) from (["']node:[\w/]+["']);$/gm, (_all, one?: string, whole?: string, some?: string, name = '') => {
    const names = one ?? whole ?? `{${(some ?? '').replaceAll(/\b([\w$]+) as ([\w$]+)/g, '$1: $2')}}`;
    return `const ${names} = process.getBuiltinModule(${name});`;
  });
  const other = /^import[^;]*["']node:[^;]*;$/m.exec(plain)?.[0];
  if (other !== undefined) throw new Error(`an import that is not understood: ${other}`);
  return plain;
}

/** One character beyond Latin-1 has the engine keep a whole file at twice its size, so these are escaped. */
const latin: Plugin = {
  name: 'latin',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/[^\0-\xff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  },
};

if (import.meta.main) await buildServer();
