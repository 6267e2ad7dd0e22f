/** The security headers of every reply, by what the reply is. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Surface } from '../contract/kernel/surface.ts';

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
  'trusted-types app',
].join('; ');
/**
 * For the worker that draws styled subtitles: it compiles WebAssembly, which no page may, and reaches nothing but this
 * server, so that no font is fetched from elsewhere. A worker has the policy of its own file.
 */
export const DRAWING_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";
/** Policy of replies that are not pages: they need nothing, and opened by themselves may do nothing. */
const DATA = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * For a page with a sandboxed part of ours in a frame, such as a chapter of a book. Nothing else of ours can be in it:
 * every reply but such a part forbids to be framed, also by our own pages.
 */
const FRAMING_PAGE = `${PAGE}; frame-src 'self'`;

/**
 * Headers of a part of a book, which our page shows in a frame. Nothing in it runs, and it reaches only pictures,
 * styles and fonts of this server. Its page may read it, to turn pages and to set the type.
 */
export const FRAMED_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'; " +
    "font-src 'self'; media-src 'self'; form-action 'none'; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

const make = ({ content, headers }: Surface, isSecure: boolean, hasFrames: boolean): Readonly<Record<string, string>> =>
  Object.freeze({
    'content-security-policy': content !== 'page' ? DATA : hasFrames ? FRAMING_PAGE : PAGE,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
    ...headers,
  });
const made = new WeakMap<Surface, Map<string, Readonly<Record<string, string>>>>();

/** Returns the headers of a reply on a surface, before its own. HSTS only over TLS, where it means something. */
export function securityHeaders(
  surface: Surface,
  isSecure: boolean,
  hasFrames = false,
): Readonly<Record<string, string>> {
  const ofSurface = made.get(surface) ?? new Map<string, Readonly<Record<string, string>>>();
  made.set(surface, ofSurface);
  const key = `${isSecure} ${hasFrames}`;
  const known = ofSurface.get(key) ?? make(surface, isSecure, hasFrames);
  ofSurface.set(key, known);
  return known;
}

/** Writes the head of a reply in one step: setting its headers one by one took 0.02 ms of each seek. */
export const writeHead = (response: ServerResponse, status: number, head: OutgoingHttpHeaders): ServerResponse =>
  response.writeHead(
    status,
    Object.entries(head).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
  );
