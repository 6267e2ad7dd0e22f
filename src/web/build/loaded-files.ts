/** Finds the built files that a browser loads together. */
import type { Rolldown } from 'vite';

/** Returns a file, and the scripts and styles that it imports statically, directly or not. */
export function loadedWith(bundle: Rolldown.OutputBundle, file: string): Set<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const one = bundle[name];
    if (files.has(name) || one === undefined) return;
    files.add(name);
    if (one.type === 'chunk')
      for (const next of [...one.imports, ...(one.viteMetadata?.importedCss ?? [])]) visit(next);
  };
  visit(file);
  return files;
}

/** Returns the files of the shell: the entry and all that it imports. */
export function shellFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry && one.name === 'index');
  if (!entry) throw new Error('the build made no entry');
  return loadedWith(bundle, entry.fileName);
}
