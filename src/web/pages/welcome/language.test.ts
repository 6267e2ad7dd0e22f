/** The proposal follows what the browser asks for, and everything that is offered is accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLanguage } from '../../../contract/kernel/language-tags.ts';
import { LANGUAGES } from '../../lib/language-list.ts';
import { proposedLanguage } from './language.ts';

test('the first language that is offered, with the region where that is another text', () => {
  const rows: [string[], string][] = [
    [['de-AT', 'en'], 'de'],
    [['pt-BR', 'pt', 'en-US'], 'pt-br'],
    [['pt-PT'], 'pt'],
    [['fr-CA', 'fr', 'en-CA'], 'fr'],
    [['tlh', 'fr-CA-x-y'], 'fr'],
    [['es-MX'], 'es'],
    [['zh-CN', 'zh'], 'zh-hans'],
    [['zh-SG'], 'zh-hans'],
    [['zh-TW'], 'zh-hant'],
    [['zh-HK', 'en'], 'zh-hant'],
    [['zh-Hant-TW'], 'zh-hant'],
    [['zh-Hans-HK'], 'zh-hans'],
    [['zh'], 'zh'],
    [['no'], 'nb'],
    [['iw-IL'], 'he'],
    [['tlh'], 'en'],
    [[], 'en'],
  ];
  for (const [preferred, language] of rows)
    assert.equal(proposedLanguage(preferred, LANGUAGES), language, preferred.join());
});

test('every language that is offered is one that the server accepts, in the form that it keeps', () => {
  assert.deepEqual(
    LANGUAGES.filter((tag) => parseLanguage(tag) !== tag),
    [],
  );
});
