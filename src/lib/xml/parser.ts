/**
 * The XML parser, loaded with the first file that needs it: most starts meet none, and it takes 28 ms and 11 MiB.
 *
 * It is given text that its caller has looked through first; this file decides nothing about what is allowed.
 */
import { createRequire } from 'node:module';
import type { X2jOptions, XMLParser } from 'fast-xml-parser';

const require = createRequire(import.meta.url);

/** Parses with these options. The parser is made at the first call and kept. */
export function xmlParser(options: X2jOptions): (text: string) => unknown {
  let parser: XMLParser | undefined;
  return (text) => {
    parser ??= new (require('fast-xml-parser') as typeof import('fast-xml-parser')).XMLParser(options);
    return parser.parse(text);
  };
}
