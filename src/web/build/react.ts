/** How components are compiled: the same for the build and for their tests. Libraries for React get Preact. */

/** Modules that take the place of others. */
export const REACT: Readonly<Record<string, string>> = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  react: 'preact/compat',
  'react-dom': 'preact/compat',
};
export const JSX = { runtime: 'automatic', importSource: 'preact' } as const;
