/**
 * One parser for every language that a caller names: codes of ISO 639 in any case and form; any other text is refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { api } from '../api.ts';
import { Language } from './common.ts';

/** Every member of a query or body that holds languages, by its place. */
function places(): [name: string, shape: z.ZodType][] {
  const found: [string, z.ZodType][] = [];
  for (const [group, endpoints] of Object.entries(api)) {
    for (const [name, { query, body }] of Object.entries(endpoints)) {
      for (const shape of [query, body]) {
        if (!(shape instanceof z.ZodObject)) continue;
        for (const [key, value] of Object.entries(shape.shape)) {
          if (/^languages?$/.test(key) || (name === 'preferences' && /^(audio|subtitles)$/.test(key)))
            found.push([`${group}.${name} ${key}`, value as z.ZodType]);
        }
      }
    }
  }
  return found;
}

test('a tag is folded to its normal form, and what is no code of ISO 639 is refused', () => {
  const folded: readonly (readonly [given: string, normal: string])[] = [
    ['en', 'en'],
    ['EN', 'en'],
    ['eng', 'en'],
    ['ENG', 'en'],
    ['ger', 'de'],
    ['deu', 'de'],
    ['pt-BR', 'pt-br'],
    ['por-br', 'pt-br'],
    ['fil', 'fil'],
  ];
  for (const [given, normal] of folded) assert.equal(Language.parse(given), normal, given);
  for (const given of ['zz', 'ZZ', 'zzz', 'xx', 'e', '', 'english', 'pt_br', 'en-', 'zz-us', ' en', 'en\n'])
    assert.equal(Language.safeParse(given).success, false, given);
});

test('every request that names a language reads it so', () => {
  const all = places();
  assert.ok(all.length >= 16, all.map(([name]) => name).join(', '));
  for (const [name, shape] of all) {
    const isList = shape.safeParse(['en']).success;
    const one = (tag: string) => shape.safeParse(isList ? [tag] : tag);
    for (const given of ['EN', 'eng', 'en']) assert.deepEqual([one(given).data].flat(), ['en'], name);
    assert.equal(one('zz').success, false, name);
    const { type, anyOf } = z.toJSONSchema(shape, { io: 'output', unrepresentable: 'any' });
    assert.ok(type ?? anyOf?.every((one) => one.type), `${name} has a type in the document`);
  }
});
