/** The worker that draws styled subtitles. A file of its own, so that the server knows it by name and lets it compile WebAssembly. */
import 'jassub/dist/worker/worker.js';
