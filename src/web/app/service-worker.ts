/** Registers the service worker, in production builds and secure contexts only. */
import { scriptUrl, serviceWorkerUrl } from '../lib/script-url.ts';
import { speaking } from '../messages/catalogue.ts';

/** Called when the first page has its words: the worker keeps the shell together with those of the spoken language. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  try {
    navigator.serviceWorker.register(scriptUrl(serviceWorkerUrl(speaking().language))).catch(() => undefined);
  } catch {
    // The dashboard works without a service worker, but cannot be installed.
  }
}
