/**
 * Addresses of scripts that are set from code: the service worker, and the workers that draw subtitles. The Trusted
 * Types policy `app` accepts only those.
 */

/** Returns the address of the service worker for a language. */
export const serviceWorkerUrl = (language: string): string => `/worker.js?language=${language}`;
const SERVICE_WORKER = /^\/worker\.js\?language=[a-z]+$/;
/** Form of the addresses of built scripts. */
const ASSET = /^\/assets\/[\w.-]+\.js$/;

interface Policy {
  createScriptURL(url: string): string;
}
interface Types {
  createPolicy(name: string, rules: Policy): Policy;
}
let policy: Policy | undefined;

/** Returns an address that can be given to a worker. Throws a TypeError if it is not one of the dashboard's scripts. */
export function scriptUrl(url: string): string {
  policy ??= (globalThis as { trustedTypes?: Types }).trustedTypes?.createPolicy('app', { createScriptURL: checked });
  return policy ? policy.createScriptURL(url) : checked(url);
}
function checked(url: string): string {
  if (!SERVICE_WORKER.test(url) && !ASSET.test(url) && import.meta.env.PROD)
    throw new TypeError('not a script of the dashboard');
  return url;
}
