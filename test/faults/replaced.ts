/** One piece of a source text replaced by a fault, however the formatter has laid it out. */
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

export interface Fault {
  /** Below `src/`: `lib/files/write.ts`. */
  file: string;
  /** Occurs there exactly once. How lines are broken does not matter, nor do commas before a closing bracket. */
  from: string;
  to: string;
}

/** Returns the source with `to` in the place of `from`. */
export function replaced(source: string, { file, from, to }: Fault): string {
  const { text, places } = packed(source);
  const wanted = packed(from).text;
  assert.equal(text.split(wanted).length, 2, `${file} holds this text once: ${from}`);
  const first = text.indexOf(wanted);
  const end = places[first + wanted.length - 1] ?? 0;
  return source.slice(0, places[first]) + to + source.slice(end + 1);
}

/** Replaces text of modules as this process loads them from now on. */
export function replaceOnLoad(faults: readonly Fault[]): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      for (const fault of faults) {
        if (!url.endsWith(`/src/${fault.file}`)) continue;
        const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
        loaded.source = replaced(source, fault);
      }
      return loaded;
    },
  });
}

/** A text without what a formatter may change, and where each remaining character was in it. */
function packed(source: string): { text: string; places: number[] } {
  const places = [...source.matchAll(/[^\s,]|,(?!\s*[)\]}])/g)].map(({ index }) => index);
  return { text: places.map((at) => source[at]).join(''), places };
}
