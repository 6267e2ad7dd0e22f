/**
 * Finds the built files with the words of the shell, by language. They are loaded at the start, so they count as part
 * of it.
 */
import type { Rolldown } from 'vite';

const AREA = /\/messages\/([a-z]+)\/[\w-]+\.ts$/;

/**
 * Returns the files of the shell's words by language, with what those files import. `shell` are the files of the entry.
 */
export function shellWordFiles(bundle: Rolldown.OutputBundle, shell: ReadonlySet<string>): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  const chunkOf = (file: string): Rolldown.OutputChunk | undefined => {
    const chunk = bundle[file];
    return chunk?.type === 'chunk' ? chunk : undefined;
  };
  for (const file of shell)
    for (const area of chunkOf(file)?.dynamicImports ?? []) {
      const chunk = chunkOf(area);
      const language = AREA.exec(chunk?.facadeModuleId ?? '')?.[1];
      if (!chunk || language === undefined) continue;
      const files = words.get(language) ?? new Set();
      for (const one of [area, ...chunk.imports]) if (!shell.has(one)) files.add(one);
      words.set(language, files);
    }
  return words;
}
