/** Which format a text is in. */
import type { Format } from './cue.ts';

/** The format by its content; the file name's extension (with or without the dot) decides only where the content does not. */
export function detectFormat(_text: string, _extension?: string): Format | undefined {
  return undefined;
}
