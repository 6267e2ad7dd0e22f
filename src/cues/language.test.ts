/** Detection of languages from text, and its agreement with a claimed language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage, isAlike } from './language.ts';

const LONG = {
  en: 'I do not know what we should do now. We have to go home before the winter comes. ',
  fr: 'Je ne sais pas ce que nous devons faire maintenant. Il faut rentrer à la maison avant l’hiver. ',
  no: 'Jeg vet ikke hva vi skal gjøre nå, men vi må gå hjem før vinteren kommer. ',
  he: 'אני לא יודע מה לעשות עכשיו. אנחנו צריכים ללכת הביתה לפני החורף. ',
  zh: '我不知道我们现在应该做什么。我们必须在冬天来临之前回家。',
};

test('whole files', async () => {
  for (const [language, text] of Object.entries(LONG)) {
    const found = await detectLanguage(text.repeat(40), language);
    assert.equal(found.language, language);
    assert.deepEqual([found.by, found.reliable, found.agrees], ['cld3', true, true], language);
  }
});

test('a wrong claim is reported only for a text with a certain language', async () => {
  assert.equal((await detectLanguage(LONG.fr.repeat(5), 'en')).agrees, false);
  assert.equal((await detectLanguage(LONG.fr.repeat(5), 'fre')).agrees, true);
  assert.equal((await detectLanguage(LONG.fr.repeat(5), 'fr-CA')).agrees, true);
  assert.equal((await detectLanguage(LONG.no.repeat(5), 'nb')).agrees, true, 'Bokmål is Norwegian');
  assert.equal((await detectLanguage(LONG.fr.repeat(5))).agrees, undefined);
});

test('credits at the ends do not decide', async () => {
  const credits = 'Subtitles by the English translation team, visit our website and become a member today. '.repeat(20);
  assert.equal((await detectLanguage(credits + LONG.fr.repeat(500) + credits)).language, 'fr');
});

test('too little text has no language', async () => {
  for (const text of ['', '12 34', 'Ok', '♪ ♪', '\ud800\udc00\ud800'.repeat(3)])
    assert.deepEqual(await detectLanguage(text, 'en'), { confidence: 0, reliable: false, by: 'none' });
});

test('a short text gets a second vote, which never throws', async () => {
  for (const text of [
    'Hello my good friend',
    'Guten Abend, wie geht es Ihnen?',
    'asdf qwer zxcv hjkl',
    'ααα βββ γγγ δδδ',
  ]) {
    const found = await detectLanguage(text);
    assert.ok(['cld3', 'eld', 'none'].includes(found.by));
    assert.ok(found.confidence >= 0 && found.confidence <= 1);
  }
  assert.equal((await detectLanguage('Guten Abend, wie geht es Ihnen?')).language, 'de');
});

test('alike', () => {
  assert.ok(isAlike('hr', 'sr') && isAlike('en', 'en') && !isAlike('da', 'no'));
});
