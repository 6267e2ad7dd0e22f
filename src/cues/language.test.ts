/** Detection of languages from text, and its agreement with a claimed language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINES } from './decode-table.ts';
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
    const by = language === 'zh' ? 'script' : 'cld3';
    assert.deepEqual([found.by, found.reliable, found.agrees], [by, true, true], language);
  }
});

const ENGLISH = [
  'I do not know what we should do now.',
  'We have to go home before the winter comes.',
  'Where were you yesterday evening?',
  'Everybody knew it, but nobody said a word.',
  'Excuse me, sir, I did not want to disturb you.',
  'Can you lend me some money, please?',
];
/** Dialogue of a film: the lines of a language over and over. */
const filmIn = (language: string, lines = 240): string[] => {
  const own = language === 'en' ? ENGLISH : (LINES[language] ?? []);
  return Array.from({ length: lines }, (_, n) => own[n % own.length] ?? '');
};
const OTHER_SCRIPTS = ['he', 'ko', 'ar', 'th', 'zh', 'ja', 'el', 'ru', 'uk', 'bg'];

test('one Latin credit line does not decide about a film in another script', async () => {
  for (const language of OTHER_SCRIPTS) {
    for (const text of [
      ['Subtitles by John Smith', ...filmIn(language)],
      [...filmIn(language), 'www.example.org'],
      [...filmIn(language).map((line, n) => (n % 9 === 0 ? `John: ${line}` : line))],
    ]) {
      const found = await detectLanguage(text.join('\n'), language);
      assert.deepEqual([found.language, found.agrees, found.others], [language, true, undefined], language);
    }
    const asEnglish = await detectLanguage(['Subtitles by John', ...filmIn(language)].join('\n'), 'en');
    assert.deepEqual([asEnglish.agrees, asEnglish.reliable], [false, true], `${language} is not English`);
    assert.ok(asEnglish.confidence >= 0.9, `${language} ${asEnglish.confidence}`);
  }
});

test('one foreign title line does not decide about a film in English', async () => {
  for (const language of [...OTHER_SCRIPTS, 'fr', 'de', 'cs']) {
    const text = [LINES[language]?.[0] ?? '', ...filmIn('en')].join('\n');
    const found = await detectLanguage(text, 'en');
    assert.deepEqual([found.language, found.agrees], ['en', true], language);
    assert.equal((await detectLanguage(text, language)).agrees, false, `a film in English is not in ${language}`);
  }
});

test('a bilingual file is in both of its languages and in no third', async () => {
  for (const [first, second, third] of [
    ['en', 'zh', 'fr'],
    ['en', 'he', 'ar'],
    ['ru', 'en', 'uk'],
    ['ja', 'zh', 'ko'],
    ['ko', 'en', 'ja'],
    ['en', 'fr', 'de'],
    ['de', 'es', 'pt'],
    ['sv', 'fi', 'no'],
  ] as const) {
    const other = filmIn(second);
    const text = filmIn(first)
      .flatMap((line, n) => [line, other[n] ?? ''])
      .join('\n');
    const agrees = async (claimed: string) => (await detectLanguage(text, claimed)).agrees;
    assert.deepEqual(
      [await agrees(first), await agrees(second), await agrees(third)],
      [true, true, false],
      `${first} and ${second}, not ${third}`,
    );
    const found = await detectLanguage(text, second);
    assert.ok(found.language === second || found.others?.includes(second), `${first} ${second}`);
  }
});

test('languages that look alike stay apart', async () => {
  for (const [language, claimed] of [
    ['cs', 'sk'],
    ['sk', 'cs'],
    ['ru', 'uk'],
    ['uk', 'ru'],
    ['bg', 'ru'],
    ['es', 'pt'],
    ['pt', 'es'],
    ['da', 'sv'],
    ['sv', 'da'],
    ['lt', 'lv'],
  ] as const)
    assert.equal((await detectLanguage(filmIn(language).join('\n'), claimed)).agrees, false, `${language} ${claimed}`);
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
    assert.ok(['script', 'cld3', 'eld', 'none'].includes(found.by));
    assert.ok(found.confidence >= 0 && found.confidence <= 1);
  }
  assert.equal((await detectLanguage('Guten Abend, wie geht es Ihnen?')).language, 'de');
});

test('a text of any characters is read in time proportional to its length', async () => {
  for (const text of [
    'aא'.repeat(40_000),
    'א\n'.repeat(40_000),
    '\u0301'.repeat(80_000),
    'ﷺ '.repeat(20_000),
    'かa漢'.repeat(20_000),
  ]) {
    const begun = process.threadCpuUsage();
    await detectLanguage(text, 'en');
    const { user } = process.threadCpuUsage(begun);
    assert.ok(user < 2_000_000, `${Math.round(user / 1000)} ms`);
  }
});

test('alike', () => {
  assert.ok(isAlike('hr', 'sr') && isAlike('en', 'en') && !isAlike('da', 'no'));
});
