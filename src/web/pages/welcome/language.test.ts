/** The proposal follows what the browser asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../lib/language-list.ts';
import { proposedLanguage } from './language.ts';

test('the first language that is offered, as a variant or its base', () => {
  const rows: [string[], string][] = [
    [['de-AT', 'en'], 'de'],
    [['pt-BR'], 'pt-br'],
    [['tlh', 'fr-CA-x-y'], 'fr-ca'],
    [['zh-Hant-TW'], 'zh-hant'],
    [['tlh'], 'en'],
    [[], 'en'],
  ];
  for (const [preferred, language] of rows)
    assert.equal(proposedLanguage(preferred, LANGUAGES), language, preferred.join());
});
