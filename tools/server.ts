/**
 * Builds the server, `npm run build:server`: its modules, and the packages that every start needs, joined into a few
 * files in `dist/server`. Node then opens few files and not eight hundred, and keeps a third less memory.
 *
 * The built program does the same as its sources: only what `inPlace` and `ascii` describe changes in the code. Names
 * and lines stay readable. Comments are left out, because the engine keeps the text of every file in memory (0.5 MiB
 * less). A package that is loaded late (`import('sharp')`) stays where npm put it. Nothing runs from its source: each
 * helper process and thread is a built file, and a module that starts a source does not build.
 */
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { HELPERS, withBuiltHelper } from './helpers.ts';

const TOP = fileURLToPath(new URL('../', import.meta.url));
const WORKER = 'src/lib/db/upkeep/worker.ts';

/**
 * Makes `main.js` in a folder from which the packages are found, and returns its path. What was in the folder is
 * removed. Tests build other programs that contain the server: `programs` are their modules by the names they get, and
 * `plugins` change modules first.
 */
export async function buildServer(
  folder = join(TOP, 'dist/server'),
  programs: Readonly<Record<string, string>> = { main: 'src/main.ts' },
  plugins: readonly Plugin[] = [],
): Promise<string> {
  await joinModules(folder, { emptyOutDir: true, input: { ...programs, worker: WORKER }, plugins });
  // Apart from the server, so that a helper reads no file that holds parts of the server.
  await buildHelpers(folder, { emptyOutDir: false });
  return join(folder, 'main.js');
}

/** Makes `NAME-helper.js` of each helper. */
export async function buildHelpers(folder: string, { emptyOutDir = true } = {}): Promise<void> {
  await joinModules(folder, {
    emptyOutDir,
    input: Object.fromEntries(Object.entries(HELPERS).map(([name, { source }]) => [`${name}-helper`, source])),
    chunkPrefix: 'helpers-',
  });
}

async function joinModules(
  folder: string,
  {
    emptyOutDir,
    input,
    chunkPrefix = '',
    plugins = [],
  }: { emptyOutDir: boolean; input: Record<string, string>; chunkPrefix?: string; plugins?: readonly Plugin[] },
): Promise<void> {
  await build({
    root: TOP,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [...plugins, latePackages, builtWorker, builtHelpers, inPlace(folder), plainBuiltins, ascii],
    // The same files of the packages that Node itself would take.
    ssr: { noExternal: true, target: 'node', resolve: { conditions: ['node', 'import', 'default'] } },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir,
      target: 'node24',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: `${chunkPrefix}[name].js`,
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  });
}

/** Packages that few servers load late, and that may have native parts. */
const latePackages: Plugin = {
  name: 'late-packages',
  enforce: 'pre',
  resolveId: (source, _importer, options) =>
    (options as { kind?: string }).kind === 'dynamic-import' && !source.startsWith('.')
      ? { id: source, external: true }
      : null,
};

/**
 * The database's thread is built, too: reading it from its source would take the process 20 MiB, for as long as it
 * runs.
 */
const builtWorker: Plugin = {
  name: 'built-worker',
  transform: (code, id) =>
    id === `${TOP}src/lib/db/upkeep/thread.ts`
      ? code.replace(
          /new URL\((['"])\.\/worker\.ts\1, import\.meta\.url\)/,
          "new URL(import.meta.resolve('./worker.js'))",
        )
      : null,
};

/** The module that starts a helper finds the built one next to itself. */
const builtHelpers: Plugin = {
  name: 'built-helpers',
  transform: (code, id) =>
    withBuiltHelper(code, relative(TOP, id), (name) => `new URL(import.meta.resolve('./${name}-helper.js'))`) ?? null,
};

/** Code that looks for a file by the place of its module (the dashboard, a package) finds it as from the source. */
const inPlace = (folder: string): Plugin => ({
  name: 'in-place',
  transform: (code, id) => {
    const isOfServer = id.startsWith(`${TOP}src/`);
    if (!isOfServer && !id.startsWith(`${TOP}test/`)) return null;
    const [started] = /new URL\(\s*['"][^'"]+\.ts['"],\s*import\.meta\.url,?\s*\)/.exec(code) ?? [];
    if (isOfServer && started)
      throw new Error(`${relative(TOP, id)} starts a source, which tools/helpers.ts lacks: ${started}`);
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`);
  },
});

/**
 * Takes Node's own modules as they are. An `import` of one reads every property of it at once, also those that Node
 * makes when they are first read: that of `node:http` has a client for web sockets, 33 ms and 16 MiB that nothing here
 * uses.
 */
const plainBuiltins: Plugin = {
  name: 'plain-builtins',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = withPlainBuiltins(chunk.code);
  },
};

/** Turns each `import` of a module of Node into a `const`. Throws for a form that it does not know. */
function withPlainBuiltins(code: string): string {
  const plain = code
    .replaceAll(
      /^import (?:(\w[\w$]*)|\* as (\w[\w$]*)|\{([^}]*)\}) from (["']node:[\w/]+["']);$/gm,
      (_all, one?: string, whole?: string, some?: string, name = '') => {
        const names = one ?? whole ?? `{${(some ?? '').replaceAll(/\b([\w$]+) as ([\w$]+)/g, '$1: $2')}}`;
        return `const ${names} = process.getBuiltinModule(${name});`;
        // One that is left without names had only what was not needed.
      },
    )
    .replaceAll(/^import ["']node:[\w/]+["'];$/gm, '');
  const other = /^import[^;]*["']node:[^;]*;$/m.exec(plain)?.[0];
  if (other !== undefined) throw new Error(`an import that is not understood: ${other}`);
  return plain;
}

/**
 * One character beyond ASCII has the engine keep a whole file at twice its size (2.5 MiB more in all), so these are
 * escaped.
 */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(
          /[^\0-\x7f]/g,
          (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

if (import.meta.main) await buildServer();
