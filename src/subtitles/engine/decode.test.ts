/** Character sets: every table of the list read back, marks, broken bytes, and the choice by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encodingOf, ENCODINGS } from './decode.ts';
import { readSubtitle } from './read.ts';

const TEXTS: Readonly<Record<string, string>> = {
  cs: 'Nevím, co mám dělat. Musíme jít domů, než přijde zima. Žádný člověk to neřekl, ale všichni to věděli.',
  pl: 'Cześć, jak się masz? Nie wiem, co robić. Musimy iść do domu, zanim przyjdzie mróz. Źdźbło trawy leży na łące.',
  hu: 'Nem tudom, mit csináljak. Haza kell mennünk, mielőtt jön a tél. Örülök, hogy itt vagy, kedves barátom, őszintén.',
  ru: 'Привет, как дела? Я не знаю, что делать. Мы должны идти домой, пока не пришла зима.',
  fr: 'Où est-il ? Je ne sais pas. C’est déjà l’été, ça va très bien. Nous devons rentrer à la maison, mon frère.',
  de: 'Ich weiß nicht, was ich tun soll. Wir müssen nach Hause gehen, bevor es kälter wird. Schöne Grüße.',
  el: 'Γεια σου, τι κάνεις; Δεν ξέρω τι να κάνω. Πρέπει να πάμε σπίτι. Άλλο ένα ποτήρι.',
  tr: 'Merhaba, nasılsın? Ne yapacağımı bilmiyorum. Eve gitmemiz gerekiyor, şimdi güneş çıktı.',
  he: 'שלום, מה שלומך? אני לא יודע מה לעשות. אנחנו צריכים ללכת הביתה.',
  ar: 'مرحبا، كيف حالك؟ لا أعرف ماذا أفعل. يجب أن نذهب إلى البيت الآن.',
  ja: 'こんにちは、お元気ですか。何をすればいいかわかりません。家に帰らなければなりません。',
  ko: '안녕하세요, 어떻게 지내세요? 무엇을 해야 할지 모르겠어요. 집에 가야 해요.',
  zh: '你好，你好吗？我不知道该怎么办。我们必须回家，明天再说吧。',
  tw: '你好，你好嗎？我不知道該怎麼辦。我們必須回家，明天再說吧。',
};
const CASES: readonly [encoding: string, language: string][] = [
  ['windows-1250', 'cs'], ['windows-1250', 'pl'], ['windows-1250', 'hu'], ['iso-8859-2', 'pl'], ['windows-1251', 'ru'], ['koi8-r', 'ru'], ['iso-8859-5', 'ru'], ['windows-1252', 'fr'], ['windows-1252', 'de'],
  ['windows-1253', 'el'], ['iso-8859-7', 'el'], ['windows-1254', 'tr'], ['windows-1255', 'he'], ['windows-1256', 'ar'], ['shift_jis', 'ja'], ['euc-jp', 'ja'], ['euc-kr', 'ko'], ['gb18030', 'zh'], ['big5', 'tw'],
];

/** The platform only decodes, so its decoder is turned round: every one and two byte sequence by its character. */
function encoderOf(label: string): (text: string) => Uint8Array {
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(label, { fatal: true });
  const learn = (bytes: number[]): void => {
    try {
      const char = decoder.decode(Uint8Array.from(bytes));
      if ([...char].length === 1 && !table.has(char)) table.set(char, bytes);
    } catch {
      // Not a sequence of this set.
    }
  };
  for (let first = 0; first < 256; first++) learn([first]);
  if (/jis|euc|gb|big5/.test(label)) for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) learn([first, second]);
  return (text) => Uint8Array.from([...text].flatMap((char) => table.get(char) ?? assert.fail(`${label} has no ${char}`)));
}

const srt = (text: string, times = 12): string => Array.from({ length: times }, (_, n) => `${n + 1}\r\n00:00:${10 + n},000 --> 00:00:${10 + n},900\r\n${text}\r\n`).join('\r\n');

for (const [encoding, language] of CASES) {
  test(`${encoding} (${language}) is found and read`, async () => {
    const text = srt(TEXTS[language] ?? '').replaceAll('’', encoding.startsWith('iso') ? "'" : '’');
    const decoded = await decode(encoderOf(encoding)(text));
    assert.equal(decoded.text, text);
    assert.equal(decoded.by, 'detector');
    assert.ok(decoded.confidence > 0 && decoded.bad === 0);
    assert.equal((await decode(encoderOf(encoding)(text), encoding)).text, text, 'by hand');
  });
}

test('marks and UTF-16', async () => {
  const text = srt('Où est-il? 你好');
  const utf8 = new TextEncoder().encode(text);
  const le = new Uint8Array(Buffer.from(text, 'utf16le'));
  const be = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  const join = (...parts: (readonly number[] | Uint8Array)[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
  for (const [what, bytes, encoding, by, hasBom] of [
    ['utf-8', utf8, 'utf-8', 'utf-8', false], ['utf-8 with a mark', join([0xef, 0xbb, 0xbf], utf8), 'utf-8', 'bom', true], ['utf-16le with a mark', join([0xff, 0xfe], le), 'utf-16le', 'bom', true], ['utf-16be with a mark', join([0xfe, 0xff], be), 'utf-16be', 'bom', true],
    ['utf-16le', le, 'utf-16le', 'utf-16', false], ['utf-16be', be, 'utf-16be', 'utf-16', false],
  ] as const) {
    const decoded = await decode(bytes);
    assert.deepEqual([decoded.text, decoded.encoding, decoded.by, decoded.hasBom], [text, encoding, by, hasBom], what);
  }
});

test('UTF-8 with a few broken bytes stays UTF-8; with many it is something else', async () => {
  const utf8 = [...new TextEncoder().encode(srt(TEXTS['fr'] ?? ''))];
  const few = await decode(Uint8Array.from([...utf8, 0xe9, 0x20]));
  assert.deepEqual([few.encoding, few.bad], ['utf-8', 1]);
  assert.ok(few.confidence < 1);
  const many = await decode(encoderOf('windows-1252')(`${srt(TEXTS['fr'] ?? '')}`));
  assert.equal(many.encoding, 'windows-1252');
  const cut = await decode(Uint8Array.from([...new TextEncoder().encode('é'.repeat(50)), 0xc3]));
  assert.equal(cut.encoding, 'utf-8');
});

test('an XML declaration counts where the bytes are not UTF-8', async () => {
  const xml = (label: string): Uint8Array => Uint8Array.from([...Buffer.from(`<?xml version="1.0" encoding="${label}"?><tt>`), 0xd0, 0xc0, 0xb3]);
  assert.deepEqual([(await decode(xml('ISO-8859-5'))).encoding, (await decode(xml('ISO-8859-5'))).by], ['iso-8859-5', 'declared']);
  assert.notEqual((await decode(xml('UTF-8'))).by, 'declared');
  assert.notEqual((await decode(xml('klingon'))).by, 'declared');
});

test('plain ASCII is UTF-8, surely; nothing at all too', async () => {
  assert.deepEqual(await decode(new TextEncoder().encode('abc')), { text: 'abc', encoding: 'utf-8', confidence: 1, by: 'utf-8', hasBom: false, bad: 0 });
  assert.equal((await decode(new Uint8Array())).encoding, 'utf-8');
});

test('a choice by hand wins, by any of its WHATWG labels; an unknown one is refused', async () => {
  const bytes = Uint8Array.from([0xcf, 0xf0]);
  assert.equal((await decode(bytes, 'windows-1251')).text, 'Пр');
  assert.equal((await decode(bytes, 'CP1251')).encoding, 'windows-1251');
  assert.equal((await decode(bytes, 'latin1')).encoding, 'windows-1252');
  for (const label of ['klingon', '', 'x-user-defined', 'replacement', 'utf-7', '\u0000']) await assert.rejects(decode(bytes, label), { kind: 'invalid', message: 'unknown character set' }, label);
  for (const label of ENCODINGS) assert.equal(encodingOf(label), label);
});

test('bytes that are no subtitle are refused', async () => {
  await assert.rejects(readSubtitle(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), { extension: '.srt' }), { kind: 'invalid' });
  await assert.rejects(readSubtitle(new TextEncoder().encode('<html><body>Not found</body></html>')), { kind: 'invalid', message: /known format/ });
  await assert.rejects(readSubtitle(new Uint8Array(4 * 1024 * 1024 + 1)), { kind: 'invalid', message: /4 MiB/ });
  const read = await readSubtitle(encoderOf('windows-1251')(srt(TEXTS['ru'] ?? '')));
  assert.deepEqual([read.encoding, read.document.format, read.document.cues.length], ['windows-1251', 'srt', 12]);
});
