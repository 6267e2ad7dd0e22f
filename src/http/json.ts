/**
 * Strict JSON: exactly one object, no key twice (not even in another case), no `__proto__`,
 * bounded depth and size. `JSON.parse` alone keeps the last of two keys without a word, so
 * that two readers of one body could see two different things (RFC 8259, section 4).
 */
import { Failure } from '../lib/failure.ts';

const DEPTH = 16;
const NODES = 10_000;

/** Reads a request body. Fails as invalid, with a sentence that repeats nothing of the text. */
export function readObject(bytes: Uint8Array): Record<string, unknown> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure('invalid', 'the body is not UTF-8', { reason: 'body-malformed' });
  }
  if (isTooDeep(text)) throw new Failure('invalid', 'the body is nested too deeply', { reason: 'body-malformed' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure('invalid', 'the body is not one JSON object', { reason: 'body-malformed' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure('invalid', 'the body is not one JSON object', { reason: 'body-malformed' });
  refuseTwins(text);
  return value as Record<string, unknown>;
}

/** Counts brackets outside strings, before the parser may recurse into them. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = endOfString(text, at);
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > DEPTH) return true;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return false;
}

/** The index of the closing quote of the string that opens at `at`; the text's end when there is none. */
function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5c) i++;
    else if (c === 0x22) return i;
  }
  return text.length;
}

/** Walks text that is known to be JSON, with one set of keys for each open object. */
function refuseTwins(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  let nodes = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (isKey && keys) {
        addKey(keys, JSON.parse(text.slice(at, end + 1)) as string);
        isKey = false;
      }
      at = end;
    } else if (c === 0x7b) {
      open.push(new Set());
      isKey = true;
    } else if (c === 0x5b) {
      open.push(undefined);
      isKey = false;
    } else if (c === 0x7d || c === 0x5d) open.pop();
    else if (c === 0x2c) {
      isKey = open.at(-1) !== undefined;
      if (++nodes > NODES) throw new Failure('invalid', 'the body has too many values', { reason: 'body-malformed' });
    }
  }
}

function addKey(keys: Set<string>, key: string): void {
  const folded = key.toLowerCase();
  if (folded === '__proto__')
    throw new Failure('invalid', 'the body has a field that is never allowed', { reason: 'field-unknown' });
  if (keys.has(folded)) throw new Failure('invalid', 'the body has a field twice', { reason: 'field-repeated' });
  keys.add(folded);
}
