/**
 * Removes from the subtitle renderer what the dashboard does not use: addresses that it would fall back to (the page
 * sets others), a second build of its code for the newest engines, and threads, which need headers we do not send.
 * This saves two megabytes.
 */
import type { Plugin } from 'vite';

const CUTS: Readonly<Record<string, readonly (readonly [find: string, put: string])[]>> = {
  'jassub/dist/jassub.js': [
    [
      "new Worker(new URL('./worker/worker.js', import.meta.url), { name: 'jassub-worker', type: 'module' })",
      'undefined',
    ],
    ["new URL('./wasm/jassub-worker-modern.wasm', import.meta.url).href", "''"],
    ["new URL('./wasm/jassub-worker.wasm', import.meta.url).href", "''"],
    ["new URL('./default.woff2', import.meta.url).href", "''"],
  ],
  'jassub/dist/wasm/jassub-worker.js': [
    ['new Worker(new URL("jassub-worker.js", import.meta.url), { type: "module", name: "em-pthread" })', 'undefined'],
  ],
};

export const jassub = (): Plugin => ({
  name: 'matinee-jassub',
  enforce: 'pre',
  transform(code, id) {
    const [, cuts] = Object.entries(CUTS).find(([file]) => id.endsWith(file)) ?? [];
    if (!cuts) return null;
    for (const [find] of cuts)
      if (!code.includes(find)) throw new Error(`jassub has changed: ${find} is not in it any more`);
    return { code: cuts.reduce((text, [find, put]) => text.replaceAll(find, put), code), map: null };
  },
});
