/** Loads hls.js, on demand because it is larger than the rest of the dashboard. */
import { pendingUntil } from '../../lib/pending-work.ts';
export const loadHls = () => pendingUntil('import', import('hls.js'));

/** Starts to load hls.js. Errors are ignored: opening a stream reports them. */
export const preloadHls = (): void => void loadHls().catch(() => undefined);
