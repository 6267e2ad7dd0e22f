/**
 * Loaded before tests of components, which the runner does for files that end with `.test.tsx`. Node then loads the
 * dashboard's components as they are: what the build does for a browser is done here while a module is loaded. They are
 * drawn into a document of happy-dom, which has no layout, no styles and no top layer: what needs one is tested in a
 * browser (test/flows).
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';
import { JSX, REACT } from '../../src/web/build/react.ts';
import { ROUTES, routesModule } from '../../src/web/build/routes.ts';
import { openDocument } from './document.ts';

const ofModule = (source: string) => ({ format: 'module' as const, source, shortCircuit: true });

/** The names of the classes of a style module, each as itself. */
function classesIn(css: string): string {
  const names = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/\.([a-z_][\w-]*)/gi);
  return `export default ${JSON.stringify(Object.fromEntries([...names].map(([, name]) => [name, name])))};`;
}

function compiled(path: string): string {
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), { jsx: JSX, sourcemap: true });
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  const source = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${source}`;
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === ROUTES
      ? { url: ROUTES, format: 'module', shortCircuit: true }
      : next(REACT[specifier] ?? specifier, context),
  load: (url, context, next) => {
    if (url === ROUTES) return ofModule(routesModule());
    if (url.endsWith('.module.css')) return ofModule(classesIn(readFileSync(fileURLToPath(url), 'utf8')));
    if (url.endsWith('.tsx')) return ofModule(compiled(fileURLToPath(url)));
    return next(url, context);
  },
});
process.setSourceMapsEnabled(true);
openDocument();
