/** Registers the service worker, in production builds and secure contexts only. */
import { SERVICE_WORKER, scriptUrl } from '../lib/script-url.ts';

export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  addEventListener('load', () => {
    try {
      navigator.serviceWorker.register(scriptUrl(SERVICE_WORKER)).catch(() => undefined);
    } catch {
      // Without a service worker the dashboard works, but cannot be installed.
    }
  });
}
