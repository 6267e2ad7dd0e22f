/**
 * Tokens: 256 random bits behind a prefix that says their kind, so that logs and scanners can tell them.
 *
 * Only the SHA-256 is kept. A slow hash would add nothing: there is nothing to guess in 256 random bits, and looking
 * up by the hash leaks nothing of the token by its timing.
 */
import { hash, randomBytes } from 'node:crypto';

export const TOKEN_KINDS = ['ses', 'key', 'dev', 'qc', 'hhd', 'dir'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export const newToken = (kind: TokenKind): string => `mat_${kind}_${randomBytes(32).toString('base64url')}`;
export const isToken = (text: string, kind: TokenKind): boolean =>
  text.length === 48 + kind.length && text.startsWith(`mat_${kind}_`);
/** Returns the stored form of a token. */
export const hashOf = (token: string): string => hash('sha256', token, 'hex');
/** Returns a new token for the directory. */
export const newDirectoryToken = (): string => newToken('dir');
