/** Language codes of the providers, both ways. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWanted, languagesOfA, languagesOfC } from './languages.ts';

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

test('every code asked for comes back as a language that satisfies what was asked', () => {
  for (const [tag] of asked) {
    for (const [sites, codes] of [[languagesOfA, languagesOfA.codesFor(tag)], [languagesOfC, languagesOfC.codesFor(tag)]] as const) {
      for (const code of codes) assert.ok(isWanted(sites.tagOf(code) ?? '', tag), `${code} for ${tag}`);
    }
  }
});
