/** Language codes of the providers, both ways. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers, parseLanguage } from '../../lib/languages.ts';
import { languagesOfB } from './languages-b.ts';
import { languagesOfA, languagesOfC } from './languages.ts';

const asked: readonly [tag: string, a: string[], c: string[]][] = [
  ['en', ['EN'], ['en']],
  ['pt', ['BR_PT', 'PT'], ['pt-br', 'pt-pt']],
  ['pt-br', ['BR_PT'], ['pt-br']],
  ['pt-pt', [], ['pt-pt']],
  ['zh', ['ZH', 'ZH_BG'], ['zh-cn', 'zh-tw']],
  ['zh-hant', ['ZH_BG'], ['zh-tw']],
  ['zh-hans', ['ZH'], ['zh-cn']],
  ['es', ['ES'], ['ea', 'es']],
  ['es-419', [], ['ea']],
  ['en-gb', [], []],
  ['not a tag', [], []],
];
for (const [tag, a, c] of asked) {
  test(`the codes to ask for: ${tag}`, () => {
    assert.deepEqual(languagesOfA.codesFor(tag), a);
    assert.deepEqual(languagesOfC.codesFor(tag), c);
  });
}

test('the tag of a code', () => {
  assert.equal(languagesOfA.tagOf('EN'), 'en');
  assert.equal(languagesOfA.tagOf('BR_PT'), 'pt-br');
  assert.equal(languagesOfA.tagOf('BG_EN'), undefined);
  assert.equal(languagesOfC.tagOf('ea'), 'es-419');
  assert.equal(languagesOfC.tagOf('pt-PT'), 'pt-pt');
  assert.equal(languagesOfC.tagOf('ze'), undefined);
  assert.equal(languagesOfC.tagOf('../x'), undefined);
});

test('every code of a query is a language that satisfies the query', () => {
  for (const [tag] of asked) {
    for (const [sites, codes] of [
      [languagesOfA, languagesOfA.codesFor(tag)],
      [languagesOfC, languagesOfC.codesFor(tag)],
    ] as const) {
      for (const code of codes) assert.ok(covers(sites.tagOf(code) ?? '', tag), `${code} for ${tag}`);
    }
  }
});

test('subtitles_b: names with their spellings, and the same language under several of them', () => {
  assert.deepEqual(languagesOfB.codesFor('en'), ['english']);
  assert.deepEqual(languagesOfB.codesFor('pt-br'), ['brazillian_portuguese']);
  assert.deepEqual(languagesOfB.codesFor('pt'), ['brazillian_portuguese', 'portuguese']);
  assert.deepEqual(languagesOfB.codesFor('fa'), ['farsi_persian', 'dari']);
  assert.deepEqual(languagesOfB.codesFor('si'), ['sinhala', 'sinhalese']);
  assert.deepEqual(languagesOfB.codesFor('zh'), [
    'chinese_bg_code',
    'chinese_simplified',
    'big_5_code',
    'chinese_traditional',
  ]);
  assert.deepEqual(languagesOfB.codesFor('zh-hant'), ['big_5_code', 'chinese_traditional']);
  assert.deepEqual(languagesOfB.codesFor('en-gb'), []);
  assert.deepEqual(languagesOfB.codesFor('not a tag'), []);
  for (const [name, tag] of [
    ['Brazillian Portuguese', 'pt-br'],
    ['brazilian_portuguese', 'pt-br'],
    ['French (Canada)', 'fr-ca'],
    ['Northen Sami', 'se'],
    ['Espranto', 'eo'],
    ['Farsi/Persian', 'fa'],
    ['Chinese Bilingual', undefined],
    ['../x', undefined],
    ['', undefined],
  ] as const)
    assert.equal(languagesOfB.tagOf(name), tag);
});

test('subtitles_b: every name of a query is its language, and every tag is normalized', () => {
  for (const tag of [
    'en',
    'pt',
    'pt-br',
    'zh',
    'zh-cn',
    'zh-hans',
    'es',
    'es-419',
    'fr',
    'no',
    'ps',
    'se',
    'eo',
    'wen',
    'fil',
    'mni',
  ]) {
    const names = languagesOfB.codesFor(tag);
    assert.ok(names.length > 0, tag);
    for (const name of names) {
      const own = languagesOfB.tagOf(name) ?? '';
      assert.equal(parseLanguage(own), own, name);
      assert.ok(covers(own, tag), `${name} for ${tag}`);
    }
  }
});
