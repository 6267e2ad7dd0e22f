/**
 * The worker that draws styled subtitles. A separate file, so that the server knows it by name and lets it compile
 * WebAssembly.
 */
import 'jassub/dist/worker/worker.js';
