/** Identifiers: 64 random bits as 16 lowercase hex characters, so that none can be guessed from another. */
import { randomBytes } from 'node:crypto';

export const newId = (): string => randomBytes(8).toString('hex');
export const isId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);
