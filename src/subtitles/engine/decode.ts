/** Bytes to text: which character set a subtitle is in, how sure that is, and the text. */
import { Failure } from '../../lib/failure.ts';

/** WHATWG labels that people may choose by hand, besides `auto`. */
export const ENCODINGS: readonly string[] = ['utf-8'];

export interface Decoded {
  text: string;
  /** The WHATWG label. */
  encoding: string;
  /** 0 to 1; 1 where the file says so itself or a person chose. */
  confidence: number;
  /** How it was found. */
  by: 'chosen' | 'bom' | 'utf-16' | 'utf-8' | 'detector' | 'fallback';
  hasBom: boolean;
  /** Characters that could not be decoded (shown as U+FFFD). */
  bad: number;
}

/** Decodes a whole file. `encoding` is a WHATWG label or `auto`. Fails as invalid on an unknown label or over 4 MiB. */
export function decode(_bytes: Uint8Array, _encoding = 'auto'): Promise<Decoded> {
  return Promise.reject(new Failure('unavailable', 'not ready'));
}
