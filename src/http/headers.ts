/** The security headers of every reply, by what the reply is. */
import type { Surface } from '../contract/endpoint.ts';

const PAGE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types app",
].join('; ');
/** What is not a page needs nothing, and opened by itself may do nothing. */
const DATA = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** The headers of a reply, before its own. HSTS only over TLS, where it means something. */
export function securityHeaders(surface: Surface, isSecure: boolean): Record<string, string> {
  return {
    'content-security-policy': surface === 'page' ? PAGE : DATA,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
