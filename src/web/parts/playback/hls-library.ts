/** Loads hls.js, on demand because it is larger than the rest of the dashboard. */
export const loadHls = () => import('hls.js');

/** Starts to load hls.js. Errors are ignored: opening a stream reports them. */
export const preloadHls = (): void => void loadHls().catch(() => undefined);
