/** Character sets: every table of the list read back, marks, broken bytes, and the choice by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, encodingOf, ENCODINGS } from './decode.ts';
import { LINES, SETS } from './decode-table.ts';
import { readSubtitle } from './read.ts';

const TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LINES).map(([language, lines]) => [language, lines.join(' ')]),
);

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
  if (/jis|euc|gb|big5/.test(label))
    for (let first = 0x81; first < 0xff; first++)
      for (let second = 0x40; second < 0xff; second++) learn([first, second]);
  // Vietnamese puts its tones behind the letter.
  const parts = (char: string): string[] => {
    const [base = '', ...marks] = char.normalize('NFD');
    const tones = marks.filter((mark) => /[\u0300\u0301\u0303\u0309\u0323]/.test(mark));
    return [[base, ...marks.filter((mark) => !tones.includes(mark))].join('').normalize('NFC'), ...tones];
  };
  return (text) =>
    Uint8Array.from(
      [...text].flatMap(
        (char) =>
          table.get(char) ?? parts(char).flatMap((part) => table.get(part) ?? assert.fail(`${label} has no ${char}`)),
      ),
    );
}

const srt = (text: string, times = 12): string =>
  Array.from(
    { length: times },
    (_, n) => `${n + 1}\r\n00:00:${10 + n},000 --> 00:00:${10 + n},900\r\n${text}\r\n`,
  ).join('\r\n');
/** A short file: a few minutes of a film. */
const film = (lines: readonly string[]): string =>
  Array.from(
    { length: 24 },
    (_, n) => `${n + 1}\r\n00:00:${10 + n},000 --> 00:00:${10 + n},900\r\n${lines[n % lines.length] ?? ''}\r\n`,
  ).join('\r\n');
/** Replaces characters that a set lacks, as people did when it was in use. */
function writable(text: string, encoding: string): string {
  const plain = encoding.startsWith('windows') ? text : text.replaceAll('’', "'");
  // Romanian's commas below came with Unicode; before, cedillas were used instead.
  return /-1250|8859-2$/.test(encoding)
    ? plain.replaceAll('ș', 'ş').replaceAll('ț', 'ţ').replaceAll('Ș', 'Ş').replaceAll('Ț', 'Ţ')
    : plain;
}
/** Japanese by escape sequences: ASCII as it is, runs of the rest as two bytes of JIS a character. */
function iso2022(text: string): Uint8Array {
  const eucJp = encoderOf('euc-jp');
  return Uint8Array.from(
    (text.match(/\p{ASCII}+|\P{ASCII}+/gu) ?? []).flatMap((run) =>
      run < '\u0080'
        ? [...Buffer.from(run)]
        : [0x1b, 0x24, 0x42, ...[...eucJp(run)].map((byte) => byte & 0x7f), 0x1b, 0x28, 0x42],
    ),
  );
}
const encoded = (text: string, encoding: string): Uint8Array =>
  encoding === 'iso-2022-jp' ? iso2022(text) : encoderOf(encoding)(text);

for (const [encoding, languages] of SETS) {
  for (const language of languages) {
    test(`${encoding} (${language}) is found and read`, async () => {
      const text = writable(film(LINES[language] ?? []), encoding);
      const bytes = encoded(text, encoding);
      const decoded = await decodeText(bytes);
      assert.equal(decoded.text.normalize('NFC'), text.normalize('NFC'), decoded.encoding);
      assert.ok(['detector', 'utf-8'].includes(decoded.by) && decoded.bad === 0);
      assert.equal((await decodeText(bytes, encoding)).text.normalize('NFC'), text.normalize('NFC'), 'by hand');
      // Another choice by hand is followed, and the wrong characters that result are returned.
      if (encoding.startsWith('windows-125'))
        assert.notEqual(
          (await decodeText(bytes, encoding === 'windows-1251' ? 'windows-1252' : 'windows-1251')).text,
          text,
        );
    });
  }
}

test('every language in UTF-8 and UTF-16, with a mark and without', async () => {
  for (const [language, lines] of Object.entries(LINES)) {
    const text = film(lines);
    const utf8 = new TextEncoder().encode(text);
    const le = new Uint8Array(Buffer.from(text, 'utf16le'));
    const be = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
    for (const [encoding, mark, bytes] of [
      ['utf-8', [0xef, 0xbb, 0xbf], utf8],
      ['utf-16le', [0xff, 0xfe], le],
      ['utf-16be', [0xfe, 0xff], be],
    ] as const) {
      for (const given of [bytes, Uint8Array.from([...mark, ...bytes])]) {
        const decoded = await decodeText(given);
        assert.deepEqual([decoded.encoding, decoded.text === text], [encoding, true], `${language} ${encoding}`);
      }
      assert.equal((await decodeText(bytes, encoding)).text, text);
    }
  }
});

test('marks and UTF-16', async () => {
  const text = srt('Où est-il? 你好');
  const utf8 = new TextEncoder().encode(text);
  const le = new Uint8Array(Buffer.from(text, 'utf16le'));
  const be = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  const join = (...parts: (readonly number[] | Uint8Array)[]): Uint8Array =>
    Uint8Array.from(parts.flatMap((part) => [...part]));
  for (const [what, bytes, encoding, by, hasBom] of [
    ['utf-8', utf8, 'utf-8', 'utf-8', false],
    ['utf-8 with a mark', join([0xef, 0xbb, 0xbf], utf8), 'utf-8', 'bom', true],
    ['utf-16le with a mark', join([0xff, 0xfe], le), 'utf-16le', 'bom', true],
    ['utf-16be with a mark', join([0xfe, 0xff], be), 'utf-16be', 'bom', true],
    ['utf-16le', le, 'utf-16le', 'utf-16', false],
    ['utf-16be', be, 'utf-16be', 'utf-16', false],
  ] as const) {
    const decoded = await decodeText(bytes);
    assert.deepEqual([decoded.text, decoded.encoding, decoded.by, decoded.hasBom], [text, encoding, by, hasBom], what);
  }
});

test('UTF-8 with a few broken bytes stays UTF-8; with many it is something else', async () => {
  const utf8 = [...new TextEncoder().encode(srt(TEXTS['fr'] ?? ''))];
  const few = await decodeText(Uint8Array.from([...utf8, 0xe9, 0x20]));
  assert.deepEqual([few.encoding, few.bad], ['utf-8', 1]);
  assert.ok(few.confidence < 1);
  const many = await decodeText(encoderOf('windows-1252')(`${srt(TEXTS['fr'] ?? '')}`));
  assert.equal(many.encoding, 'windows-1252');
  const cut = await decodeText(Uint8Array.from([...new TextEncoder().encode('é'.repeat(50)), 0xc3]));
  assert.equal(cut.encoding, 'utf-8');
});

test('an XML declaration counts where the bytes are not UTF-8', async () => {
  const xml = (label: string): Uint8Array =>
    Uint8Array.from([...Buffer.from(`<?xml version="1.0" encoding="${label}"?><tt>`), 0xd0, 0xc0, 0xb3]);
  assert.deepEqual(
    [(await decodeText(xml('ISO-8859-5'))).encoding, (await decodeText(xml('ISO-8859-5'))).by],
    ['iso-8859-5', 'declared'],
  );
  assert.notEqual((await decodeText(xml('UTF-8'))).by, 'declared');
  assert.notEqual((await decodeText(xml('klingon'))).by, 'declared');
});

test('plain ASCII is UTF-8, surely; nothing at all too', async () => {
  assert.deepEqual(await decodeText(new TextEncoder().encode('abc')), {
    text: 'abc',
    encoding: 'utf-8',
    confidence: 1,
    by: 'utf-8',
    hasBom: false,
    bad: 0,
  });
  assert.equal((await decodeText(new Uint8Array())).encoding, 'utf-8');
});

test('a few letters are read as those of the language, many as those of their own set', async () => {
  const few: readonly [language: string, set: string, line: string][] = [
    ['fr', 'windows-1252', 'café déjà vu'],
    ['da', 'windows-1252', 'På gensyn, kære.'],
    ['it', 'windows-1252', 'Perché è così?'],
    ['en', 'windows-1252', 'Zoë'],
    ['en-gb', 'windows-1252', '£5 for the café?'],
    ['pl', 'windows-1250', 'Łódź'],
  ];
  for (const [language, set, line] of few) {
    const bytes = encoderOf(set)(line);
    assert.equal((await decodeText(bytes, 'auto', language)).text, line, `${language}: ${line}`);
  }
  const [line] = few.map(([, set, text]) => encoderOf(set)(text));
  assert.notEqual(
    (await decodeText(line ?? new Uint8Array())).text,
    'café déjà vu',
    'the detector alone takes it for another set',
  );
  for (const [language, set] of [
    ['ru', 'windows-1251'],
    ['cs', 'windows-1250'],
    ['tr', 'windows-1254'],
  ] as const) {
    const bytes = encoderOf(set)(TEXTS[language] ?? '');
    assert.equal((await decodeText(bytes, 'auto', 'en')).text, TEXTS[language], `${language} that says it is English`);
  }
});

test('a choice by hand wins, by any of its WHATWG labels; an unknown one is refused', async () => {
  const bytes = Uint8Array.from([0xcf, 0xf0]);
  assert.equal((await decodeText(bytes, 'windows-1251')).text, 'Пр');
  assert.equal((await decodeText(bytes, 'CP1251')).encoding, 'windows-1251');
  assert.equal((await decodeText(bytes, 'latin1')).encoding, 'windows-1252');
  for (const label of ['klingon', '', 'x-user-defined', 'replacement', 'utf-7', '\u0000'])
    await assert.rejects(decodeText(bytes, label), { kind: 'invalid', message: 'unknown character set' }, label);
  for (const label of ENCODINGS) assert.equal(encodingOf(label), label);
});

test('bytes of no subtitle are refused', async () => {
  await assert.rejects(readSubtitle(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), { extension: '.srt' }), {
    kind: 'invalid',
  });
  await assert.rejects(readSubtitle(new TextEncoder().encode('<html><body>Not found</body></html>')), {
    kind: 'invalid',
    message: /known format/,
  });
  await assert.rejects(readSubtitle(new Uint8Array(4 * 1024 * 1024 + 1)), { kind: 'invalid', message: /4 MiB/ });
  const read = await readSubtitle(encoderOf('windows-1251')(srt(TEXTS['ru'] ?? '')));
  assert.deepEqual([read.encoding, read.document.format, read.document.cues.length], ['windows-1251', 'srt', 12]);
});
