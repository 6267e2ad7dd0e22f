/**
 * Addresses of scripts that are set from code: the service worker, and the workers that draw subtitles. The Trusted
 * Types policy `app` lets through those and nothing else.
 */
const SERVICE_WORKER = '/worker.js';
/** A built file of our own, by its exact form. */
const ASSET = /^\/assets\/[\w.-]+\.js$/;

interface Policy {
  createScriptURL(url: string): string;
}
interface Types {
  createPolicy(name: string, rules: Policy): Policy;
}
let policy: Policy | undefined;

/** An address as a worker takes it. Throws for any that is not ours. */
export function scriptUrl(url: string): string {
  policy ??= (globalThis as { trustedTypes?: Types }).trustedTypes?.createPolicy('app', { createScriptURL: checked });
  return policy ? policy.createScriptURL(url) : checked(url);
}
function checked(url: string): string {
  if (url !== SERVICE_WORKER && !ASSET.test(url) && import.meta.env.PROD)
    throw new TypeError('not a script of the dashboard');
  return url;
}

export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  addEventListener('load', () => {
    try {
      navigator.serviceWorker.register(scriptUrl(SERVICE_WORKER)).catch(() => undefined);
    } catch {
      // Without it the dashboard is only not installable.
    }
  });
}
