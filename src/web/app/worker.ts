/**
 * Registers the service worker. Its address is the only script address that the dashboard sets from code,
 * so the Trusted Types policy `app` allows exactly this one.
 */
const ADDRESS = '/worker.js';
interface Types {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  addEventListener('load', () => {
    try {
      const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
      const policy = types?.createPolicy('app', {
        createScriptURL: (url) => {
          if (url !== ADDRESS) throw new TypeError('not the service worker');
          return url;
        },
      });
      navigator.serviceWorker.register(policy ? policy.createScriptURL(ADDRESS) : ADDRESS).catch(() => undefined);
    } catch {
      // Without it the dashboard is only not installable.
    }
  });
}
