/** Namespaces and names of SAML 2.0, and how its times are written. */

export const SAML = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  success: 'urn:oasis:names:tc:SAML:2.0:status:Success',
  bearer: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const;
export const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Returns a time in milliseconds since the epoch; undefined for a text that is none in UTC. */
export function samlTime(text: string | undefined): number | undefined {
  if (text === undefined || !TIME.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** Writes a time without parts of a second, which some providers cannot read. */
export const writeSamlTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes a text for XML, also for an attribute. */
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => ESCAPES[one] ?? one);
