/**
 * Fallbacks for engines without `inset-inline-start` and the shorthand `padding-inline` (before Chromium 87 and Safari
 * 14.1): they get the physical properties, as for text that runs from left to right. The other logical properties that
 * the styles use are older than the oldest engine.
 */
import type { Plugin } from 'vite';

const LOGICAL = /(?:^|[;\s])(inset|margin|padding)-inline-(start|end)\s*:\s*([^;}]+)/g;
const SIDES: Readonly<Record<string, string>> = { start: 'left', end: 'right' };

function fallbackOf(body: string): string {
  const all = [...body.matchAll(LOGICAL)].map(([, property = '', side = '', value = '']) => ({
    property,
    side,
    value,
  }));
  // The minifier joins the two sides of a margin or padding into the shorthand.
  const isJoined = (of: string) =>
    new Set(all.filter(({ property }) => property === of).map(({ side }) => side)).size > 1;
  return all
    .filter(({ property }) => property === 'inset' || isJoined(property))
    .map(({ property, side, value }) => `${property === 'inset' ? '' : `${property}-`}${SIDES[side]}: ${value.trim()};`)
    .join(' ');
}

/** Adds a rule in `@supports not` after each rule that needs one. */
export const withFallbacks = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/([^{};]+)\{([^{}]*)\}/g, (rule, selector: string, body: string) => {
      const fallback = fallbackOf(body);
      return fallback === ''
        ? rule
        : `${rule}\n@supports not (inset-inline-start: 0) { ${selector.trim()} { ${fallback} } }`;
    });

export const logicalFallbacks = (): Plugin => ({
  name: 'matinee-logical-fallbacks',
  enforce: 'pre',
  transform: {
    filter: { id: /\.css$/ },
    handler: (code) => (code.includes('-inline-') ? { code: withFallbacks(code), map: null } : null),
  },
});
