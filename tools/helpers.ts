/**
 * Helper processes and threads that are built with the server, and the modules that start them. From its source each
 * takes up to 37 MiB more and a quarter of a second of CPU time to start.
 */
export const HELPERS = {
  align: { source: 'src/speech/align-helper.ts', startedBy: ['src/speech/aligner.ts'] },
  books: { source: 'src/lib/books/helper.ts', startedBy: ['src/lib/books/reader.ts'] },
  'dialogue-index': { source: 'src/dialogue/store/thread.ts', startedBy: ['src/dialogue/index-threads.ts'] },
  'directory-reader': {
    source: 'src/catalog/core/scan/directory-reader.ts',
    startedBy: ['src/catalog/core/library-helpers.ts'],
  },
  'photo-pictures': {
    source: 'src/catalog/core/photo-pictures/helper.ts',
    startedBy: ['src/catalog/core/photo-pictures/index.ts'],
  },
  probe: { source: 'src/catalog/probe/helper.ts', startedBy: ['src/catalog/probe/index.ts'] },
  listen: { source: 'src/speech/listen-helper.ts', startedBy: ['src/speech/audio-listener.ts'] },
  markers: {
    source: 'src/playback/markers/analysis/match-helper.ts',
    startedBy: ['src/playback/markers/analysis/group-analysis.ts'],
  },
  'media-index': {
    source: 'src/playback/media-index/index-helper.ts',
    startedBy: ['src/playback/media-index/indexes.ts', 'src/playback/media-index/walk/file-walker.ts'],
  },
  saml: { source: 'src/identity/outside/saml/verify-helper.ts', startedBy: ['src/identity/outside/saml/verifier.ts'] },
  subtitles: { source: 'src/subtitles/worker/worker-helper.ts', startedBy: ['src/subtitles/worker/worker.ts'] },
} as const;

/**
 * Returns the text of a module that starts a built one in place of its source, or undefined when it starts none.
 * `urlOf` returns an expression for the URL of a built helper.
 */
export function withBuiltHelper(code: string, module: string, urlOf: (helper: string) => string): string | undefined {
  const started = Object.entries(HELPERS).find(([, { startedBy }]) =>
    (startedBy as readonly string[]).includes(module),
  );
  if (!started) return undefined;
  const [name, { source }] = started;
  const built = code.replace(
    /new URL\((['"])(?:\.\.?\/)+([\w/-]+\.ts)\1, import\.meta\.url\)/,
    (whole, _quote, path: string) => (source.endsWith(`/${path}`) ? urlOf(name) : whole),
  );
  if (built === code) throw new Error(`${module} does not start ${source}`);
  return built;
}
