/** Rows for the language rules: what is accepted, its normal form, names, and who satisfies whom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/fast-check.ts';
import {
  allLanguages,
  alpha3,
  covers,
  isLanguage,
  languageFromSuffix,
  languageFromText,
  languageSuffix,
  languageName,
  nativeName,
  parseLanguage,
} from './languages.ts';

const TAGS: readonly [written: string, normal: string | undefined][] = [
  ['en', 'en'],
  ['EN', 'en'],
  ['eng', 'en'],
  ['ENG', 'en'],
  ['fre', 'fr'],
  ['fra', 'fr'],
  ['ger', 'de'],
  ['deu', 'de'],
  ['chi', 'zh'],
  ['zho', 'zh'],
  ['dut', 'nl'],
  ['nld', 'nl'],
  ['cze', 'cs'],
  ['rum', 'ro'],
  ['per', 'fa'],
  ['gre', 'el'],
  ['ice', 'is'],
  ['mao', 'mi'],
  ['pt-BR', 'pt-br'],
  ['POR-br', 'pt-br'],
  ['zh-Hans-CN', 'zh-hans-cn'],
  ['zh-yue', 'zh-yue'],
  ['es-419', 'es-419'],
  ['sr-Latn', 'sr-latn'],
  ['fil', 'fil'],
  ['haw', 'haw'],
  ['tgl', 'tl'],
  ['und', 'und'],
  ['mul', 'mul'],
  ['qaa', 'qaa'],
  ['iw', 'he'],
  ['mo', 'ro'],
  ['scr', 'hr'],
  ['de-1996', 'de-1996'],
  ['ca-valencia', 'ca-valencia'],
  ['sl-rozaj-biske', 'sl-rozaj-biske'],
  ['en-x-house', 'en-x-house'],
  ['en-u-ca-gregory', 'en-u-ca-gregory'],
  ['de-CH-1901', 'de-ch-1901'],
  ['', undefined],
  ['e', undefined],
  ['xx', undefined],
  ['english', undefined],
  ['pt_BR', undefined],
  ['pt-', undefined],
  ['-pt', undefined],
  ['pt--br', undefined],
  ['en-u', undefined],
  ['en-x', undefined],
  ['x-house', undefined],
  ['en us', undefined],
  ['en-abcdefghi', undefined],
  ['de-1996-1996', undefined],
  ['cmn', undefined],
  ['123', undefined],
  ['en-\u0130', undefined],
  ['ＥＮ', undefined],
  [`en-x-${'a-'.repeat(40)}a`, undefined],
];

const NAMES: readonly [written: string, tag: string | undefined][] = [
  ['english', 'en'],
  ['English', 'en'],
  ['Français', 'fr'],
  ['francais', 'fr'],
  ['french', 'fr'],
  ['brazilian portuguese', 'pt-br'],
  ['Portuguese (Brazil)', 'pt-br'],
  ['Português (Brasil)', 'pt-br'],
  ['Brazillian Portuguese', 'pt-br'],
  ['pt_BR', 'pt-br'],
  ['pob', 'pt-br'],
  ['Spanish (Latin America)', 'es-419'],
  ['Latin American Spanish', 'es-419'],
  ['Castellano', 'es-es'],
  ['Deutsch', 'de'],
  ['Englisch', 'en'],
  ['anglais', 'en'],
  ['Inglés', 'en'],
  ['Svenska', 'sv'],
  ['Norsk', 'no'],
  ['Norsk Bokmål', 'nb'],
  ['Русский', 'ru'],
  ['русский', 'ru'],
  ['日本語', 'ja'],
  ['한국어', 'ko'],
  ['中文', 'zh'],
  ['简体中文', 'zh-hans'],
  ['Simplified Chinese', 'zh-hans'],
  ['Chinese (Traditional)', 'zh-hant'],
  ['chs', 'zh-hans'],
  ['Cantonese', 'zh-yue'],
  ['yue', 'zh-yue'],
  ['cmn', 'zh'],
  ['ελληνικά', 'el'],
  ['हिन्दी', 'hi'],
  ['العربية', 'ar'],
  ['עברית', 'he'],
  ['Farsi', 'fa'],
  ['Bengali', 'bn'],
  ['Espranto', 'eo'],
  ['Northen Sami', 'se'],
  ['Flemish', 'nl-be'],
  ['Canadian French', 'fr-ca'],
  ['jp', 'ja'],
  ['lat', 'la'],
  ['eng', 'en'],
  ['Commentary', undefined],
  ['forced', undefined],
  ['Director', undefined],
  ['', undefined],
  ['x'.repeat(500), undefined],
];

const COVERS: readonly [installed: string, wanted: string, does: boolean][] = [
  ['en', 'en', true],
  ['pt-br', 'pt', true],
  ['pt', 'pt-br', false],
  ['pt-pt', 'pt-br', false],
  ['eng', 'en', true],
  ['en-GB', 'EN', true],
  ['zh-hans-cn', 'zh-hans', true],
  ['zh-hans', 'zh-hans-cn', true],
  ['zh-cn', 'zh-hans', true],
  ['zh-Hans', 'zh-CN', true],
  ['zh-tw', 'zh-hant', true],
  ['zh-hant-hk', 'zh-tw', true],
  ['zh-cn', 'zh', true],
  ['zh', 'zh-cn', false],
  ['zh-tw', 'zh-hans', false],
  ['zh-yue', 'zh-hant', false],
  ['enm', 'en', false],
  ['en', 'enm', false],
  ['nonsense', 'nonsense', false],
  ['fil', 'fi', false],
];

test('tags are read into one normal form', () => {
  for (const [written, normal] of TAGS) assert.equal(parseLanguage(written), normal, written);
});

test('names and shorthands are understood', () => {
  for (const [written, tag] of NAMES) assert.equal(languageFromText(written), tag, written);
});

test('a base language is satisfied by a variant and never the reverse', () => {
  for (const [installed, wanted, does] of COVERS)
    assert.equal(covers(installed, wanted), does, `${installed} for ${wanted}`);
});

test('names are given in English and in the language itself', () => {
  assert.equal(languageName('pt-br'), 'Brazilian Portuguese');
  assert.equal(languageName('zh-yue'), 'Cantonese');
  assert.equal(languageName('tl'), 'Tagalog');
  assert.equal(languageName('ber'), 'Berber languages');
  assert.equal(nativeName('fr'), 'français');
  assert.equal(nativeName('ja'), '日本語');
  assert.equal(nativeName('tlh'), 'Klingon');
  assert.equal(allLanguages().length, 183);
  for (const { code, name } of allLanguages()) assert.notEqual(name, code, code);
});

test('three-letter codes have both forms', () => {
  assert.equal(alpha3('pt-br'), 'por');
  assert.equal(alpha3('fr'), 'fra');
  assert.equal(alpha3('fr', 'bibliographic'), 'fre');
  assert.equal(alpha3('fil'), 'fil');
  assert.equal(alpha3('nonsense'), 'und');
});

test('every accepted tag is its own normal form', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abcdeghinprstuxz-0149BR_ é'), maxLength: 20 }), (text) => {
      const tag = parseLanguage(text);
      if (tag !== undefined)
        assert.ok(isLanguage(tag) && covers(tag, tag) && languageName(tag).length > 0 && nativeName(tag).length > 0);
      languageFromText(text);
    }),
  );
});

test('a suffix of a file name that is a country is read as its language, and other languages are written apart', () => {
  assert.deepEqual(['cn', 'kr', 'tw', 'se', 'br', 'en'].map(languageFromSuffix), [
    'zh-cn',
    'ko',
    'zh-tw',
    'sv',
    'pt-br',
    'en',
  ]);
  for (const tag of ['se', 'br', 'kr', 'tw', 'sv', 'pt-br', 'zh-cn'])
    assert.equal(languageFromSuffix(languageSuffix(tag)), tag);
});
