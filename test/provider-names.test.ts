/** Providers are called by their names wherever people read, and have what the first run proposes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDER_NAMES, SUBTITLE_PROVIDERS } from '../src/contract/subtitles/providers.ts';
import { SETTINGS } from '../src/settings.ts';
import { languagesOfA, languagesOfC } from '../src/subtitles/providers/languages.ts';
import { languagesOfB } from '../src/subtitles/providers/languages-b.ts';
import { LANGUAGES } from '../src/web/lib/language-list.ts';
import { settingGroupsGerman } from '../src/web/messages/de/server-setting-groups.ts';
import { settingTextsGerman } from '../src/web/messages/de/server-settings.ts';
import { proposedLanguage } from '../src/web/pages/welcome/language.ts';

const LETTERED =
  /subtitles_[abc]|(provider|anbieter) [abc]\b|(first|second|third) (subtitle )?provider|(erste|zweite|dritte)[nr]? (Untertitel)?anbieter/i;
const german: Readonly<Record<string, { title: string; summary: string }>> = settingTextsGerman;
const groupsGerman: Readonly<Record<string, string>> = settingGroupsGerman;

for (const name of PROVIDER_NAMES) {
  const { title, keyPage } = SUBTITLE_PROVIDERS[name];
  test(`${title} is found by its name in every setting, in English and in German`, () => {
    const group = `integrations.${name}`;
    const own = SETTINGS.all.filter(({ key }) => key.startsWith(`${group}.`));
    assert.ok(own.length >= 2);
    for (const { key, group: shown, doc } of own) {
      assert.deepEqual([shown.title, groupsGerman[group]], [title, title]);
      for (const text of [doc, german[key]?.summary ?? '']) {
        assert.ok(text.includes(title), `${key}: ${text}`);
        assert.doesNotMatch(text, LETTERED, key);
      }
    }
    assert.deepEqual(
      own.filter(({ page }) => page !== undefined).map(({ key, page }) => [key, page]),
      [[`${group}.api_key`, keyPage]],
      'the page where its key is had',
    );
  });
}

test('no setting, in English or in German, calls a provider by its letter', () => {
  for (const { key, title, doc, group } of SETTINGS.all)
    for (const text of [title, doc, group.title, german[key]?.title ?? '', german[key]?.summary ?? ''])
      assert.doesNotMatch(text, LETTERED, key);
});

test('every provider has the language that is proposed to browsers of these regions', () => {
  for (const tag of ['pt-BR', 'fr-CA', 'zh-CN', 'zh-TW', 'zh-HK', 'es-MX', 'en-GB', 'de-CH']) {
    const language = proposedLanguage([tag], LANGUAGES);
    for (const site of [languagesOfA, languagesOfB, languagesOfC])
      assert.ok(site.codesFor(language).length > 0, `${tag} is proposed ${language}, which a provider does not have`);
  }
});
