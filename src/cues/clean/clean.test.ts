/** The clean-up rules: a table for each. What holds on any text is in `any-text.test.ts`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeCues, type Changes } from '../change/change.ts';
import { plainText, type Cue, type SubtitleDocument } from '../cue.ts';
import { cue, docOf } from './testing.ts';

const said = (texts: readonly string[]): SubtitleDocument =>
  docOf(texts.map((text, n) => cue(n * 3000, n * 3000 + 2000, text)));
const textsOf = (document: SubtitleDocument): string[] => document.cues.map(({ spans }) => plainText(spans));
const TALK = Array.from({ length: 20 }, (_, n) => `This is what they said, number ${n}.`);

/** Returns the rest of a line that is cleaned between speech: at the start, in the middle or at the end of a file. */
function amongTalk(line: string, place: 'start' | 'middle' | 'end', changes: Changes): string {
  const at = place === 'start' ? 0 : place === 'middle' ? 10 : 20;
  const { document, rows } = changeCues(said([...TALK.slice(0, at), line, ...TALK.slice(at)]), changes);
  const row = rows.find(({ current }) => current?.[0] === at);
  return row?.proposed ? (textsOf(document)[row.proposed[0] ?? -1] ?? '') : '';
}

const CREDITS = [
  'Subtitles by explosiveskull',
  'Sync and corrections by n17t01\nwww.addic7ed.com',
  '== sync, corrected by elderman ==\n@elder_man',
  'Subtitles by\nJohn Smith',
  'www.site.com',
  'Captioned by\nMedia Access Group at WGBH',
  'Transcript: Swsub',
  'Ripped by SomeOne',
  'Sous-titres par Jean Dupont',
  'Subtítulos por aRGENTeaM',
  'Legendas: John',
  'Tradução: Maria\nRevisão: Ana',
  'Untertitel von Max Mustermann',
  'Traduzione: Gino',
  'Traducerea: Ion Popescu',
  'Ondertiteling: Jan',
  'Översättning: Sven Svensson',
  'Tekstning: Ole',
  'Suomennos: Matti',
  'Tłumaczenie: Zenon',
  'Překlad: Honza\nČasování: Pepa',
  'Fordította: Béla',
  'Prijevod i obrada: X',
  'Çeviri: Ahmet Yılmaz',
  'Μετάφραση: Γιώργος',
  'Перевод: Иван Иванов',
  'Переклад: Олена',
  'תרגום: דוד',
  'ترجمة: أحمد',
  'زیرنویس: رضا',
  '翻译：小明',
  '字幕：人人影视',
  '字幕翻訳：田中',
  '자막 제작: 홍길동',
  'Penerjemah: Budi',
  'Dịch: Minh',
];
const ADVERTISEMENTS = [
  'Support us and become VIP member\nto remove all ads from www.OpenSubtitles.org',
  'Advertise your product or brand here\ncontact www.OpenSubtitles.org today',
  '-=[ ai.OpenSubtitles.com ]=-',
  'Downloaded from\nYTS.MX',
  'Subtitles downloaded from www.OpenSubtitles.org',
  'Watch any video online with Open-SUBTITLES\nFree Browser extension: osdb.link/ext',
  'Official YIFY movies site:\nYTS.MX',
  'Редактор субтитров А.Синецкая',
  'Sync by Tom www.addic7ed.com',
  'Please rate this subtitle at www.osdb.link/abc\nHelp other users to choose the best subtitles',
];
const NO_CREDITS = [
  'Subtitles?',
  'I read the subtitles.',
  '- Subtitles by Tom.\n- What?',
  'Translation: he is gone.',
  'Translation: You are fired.',
  'The subtitles were by my father.',
  'Captions by the thousand!',
  'Go to www.save-the-planet.org now.',
  'Timing: everything!',
  'Correction: I was wrong.',
  'Edited by hand, of course.',
  'He said: subtitles by night.',
  'Uploaded.',
  'Downloaded.',
  'Encoded: yes',
  'Timing is everything',
  'Correction.',
  'Controle: alles is goed.',
  'Legendas urbanas',
  'Une traduction de Proust',
  'Traduction de Proust.',
  'Synchro!',
  'by John',
  'Revisão: está tudo errado.',
  'I got it from OpenSubtitles, mom.',
  'We need subtitles by Friday.',
  'John Smith',
  'Translated? By whom?',
];

test('credits are removed at both ends of a file, advertisements anywhere; speech about subtitles stays', () => {
  const on = { removeCredits: true };
  for (const place of ['start', 'middle', 'end'] as const) {
    for (const line of CREDITS)
      if (place !== 'middle') assert.equal(amongTalk(line, place, on), '', `${place}: ${line}`);
    for (const line of ADVERTISEMENTS) assert.equal(amongTalk(line, place, on), '', `${place}: ${line}`);
    for (const line of NO_CREDITS) assert.equal(amongTalk(line, place, on), line, `${place}: ${line}`);
  }
  for (const line of ['Subtitles by explosiveskull', 'Traduzione: Gino', 'www.site.com'])
    assert.equal(amongTalk(line, 'middle', on), line);
  assert.equal(amongTalk('He is dead, Jim.\nSync by Tom www.addic7ed.com', 'end', on), 'He is dead, Jim.');
  assert.equal(
    amongTalk(
      'He is dead, Jim.\nSupport us and become VIP member\nto remove all ads from www.OpenSubtitles.org',
      'middle',
      on,
    ),
    'He is dead, Jim.',
  );
  assert.equal(amongTalk('He is dead, Jim.\nwww.site.com', 'end', on), 'He is dead, Jim.\nwww.site.com');
});

test('the edge of a file is found without its credits', () => {
  const many = Array.from({ length: 10 }, (_, n) => `Subtitles by Somebody${n}`);
  assert.deepEqual(textsOf(changeCues(said([...many, ...TALK, ...many]), { removeCredits: true }).document), TALK);
});

test('repeated cues are joined, and their rows say so', () => {
  const changed = changeCues(
    docOf([cue(0, 1000, 'a'), cue(1000, 2000, 'a'), cue(2200, 3000, 'a'), cue(3300, 4000, 'a'), cue(4000, 5000, 'b')]),
    { mergeRepeated: true },
  );
  assert.deepEqual(
    changed.document.cues.map(({ start, end }) => [start, end]),
    [
      [0, 3000],
      [3300, 4000],
      [4000, 5000],
    ],
  );
  assert.deepEqual(changed.rows, [
    { kind: 'merged', current: [0, 1, 2], proposed: [0] },
    { kind: 'matched', current: [3], proposed: [1] },
    { kind: 'matched', current: [4], proposed: [2] },
  ]);
  assert.deepEqual(changed.notes, ['Repeated text was merged in 2 cues.']);
  const top: Cue = { ...cue(1000, 2000, 'a'), placement: { anchor: 8 } };
  assert.equal(
    changeCues(docOf([cue(0, 1000, 'a'), top]), { mergeRepeated: true }).document.cues.length,
    2,
    'another place is another cue',
  );
});

test('the maximum number of repetitions becomes one cue in one pass', () => {
  const many = Array.from({ length: 100_000 }, (_, n) => cue(n * 1000, n * 1000 + 900, 'a'));
  const { document, rows } = changeCues(docOf(many), { mergeRepeated: true });
  assert.deepEqual(
    document.cues.map(({ start, end }) => [start, end]),
    [[0, 99_999_900]],
  );
  assert.equal(rows.length, 1);
  assert.deepEqual(
    rows[0]?.current,
    many.map((_, n) => n),
  );
});

test('roll-up captions show each line once; one line that comes twice is speech', () => {
  const rolling = [
    cue(0, 2000, 'one\ntwo'),
    cue(2000, 2010, 'two'),
    cue(2010, 4000, 'two\nthree'),
    cue(4000, 4010, 'three'),
    cue(4010, 6000, 'three\nfour'),
    cue(9000, 9500, 'four\nfive'),
  ];
  const changed = changeCues(docOf(rolling), { mergeRepeated: true });
  assert.deepEqual(textsOf(changed.document), ['one\ntwo', 'three', 'four', 'four\nfive']);
  assert.deepEqual(
    changed.document.cues.map(({ start, end }) => [start, end]),
    [
      [0, 2010],
      [2010, 4010],
      [4010, 6000],
      [9000, 9500],
    ],
  );
  assert.deepEqual(
    changed.rows.map(({ kind }) => kind),
    ['merged', 'merged', 'matched', 'matched'],
  );
  const speech = [cue(0, 1000, 'Come on.'), cue(1000, 2000, 'Come on.\nNow.'), cue(2000, 3000, 'What?')];
  assert.deepEqual(textsOf(changeCues(docOf(speech), { mergeRepeated: true }).document), [
    'Come on.',
    'Come on.\nNow.',
    'What?',
  ]);
});

test('overlaps end before the next begins, with a pause where there is room', () => {
  const ends = (...cues: Cue[]): number[] =>
    changeCues(docOf(cues), { fixOverlaps: true }).document.cues.map(({ end }) => end);
  assert.deepEqual(ends(cue(0, 3000, 'a'), cue(2000, 4000, 'b')), [1920, 4000]);
  assert.deepEqual(ends(cue(0, 3000, 'a'), cue(520, 4000, 'b')), [520, 4000], 'no room for a pause');
  assert.deepEqual(ends(cue(0, 3000, 'a'), cue(300, 4000, 'b')), [3000, 4000], 'too short to read');
  assert.deepEqual(ends(cue(0, 3000, 'a'), cue(0, 3000, 'b'), cue(2000, 4000, 'c')), [1920, 1920, 4000]);
  assert.deepEqual(ends(cue(0, 9000, 'a'), cue(1000, 2000, 'b'), cue(5000, 6000, 'c')), [920, 2000, 6000]);
  assert.deepEqual(ends(cue(0, 2000, 'a'), cue(2000, 4000, 'b')), [2000, 4000]);
  assert.deepEqual(
    ends(cue(0, 3000, 'a'), { ...cue(2000, 4000, 'b'), placement: { anchor: 8 } }),
    [3000, 4000],
    'another place',
  );
  assert.deepEqual(changeCues(docOf([cue(0, 3000, 'a'), cue(2000, 4000, 'b')]), { fixOverlaps: true }).notes, [
    'Overlaps were taken out of 1 cue.',
  ]);
});

const ENGLISH = 'The life that you have, and what it is to be.';
test('common errors', () => {
  const mended = (text: string, language = 'en'): string =>
    textsOf(changeCues(said([ENGLISH, text]), { fixCommonErrors: true, language }).document)[1] ?? '';
  for (const [before, after] of [
    ['l am here', 'I am here'],
    ["l'm here", "I'm here"],
    ["I'II go", "I'll go"],
    ['weII, heIlo', 'well, hello'],
    ['Iife is Iong', 'life is long'],
    ['lt is', 'It is'],
    ["|'m", "I'm"],
    ['he is my Iove', 'he is my love'],
    ['Iast night', 'last night'],
    ['Hello , my friend .', 'Hello, my friend.'],
    ['What ?', 'What?'],
    ['No.....', 'No...'],
    ['No . . . yes', 'No ... yes'],
    ['Hello.World is', 'Hello. World is'],
    ['What?No way', 'What? No way'],
    ['yes,no', 'yes, no'],
    ["''Hi''", '"Hi"'],
    ['a  b ', 'a b'],
    [' a\t b\n c ', 'a b\nc'],
    ['a\u200bb', 'ab'],
    ['< i >Hi</ i>', 'Hi'],
    ['{\\an8}Top', 'Top'],
    ['{i}Hi{/i}', 'Hi'],
    ['Say\\Nyes', 'Say\nyes'],
    ['&amp;quot;x&amp;quot;', '"x"'],
    ['Tom &amp; Anna', 'Tom & Anna'],
    ['1 &lt; 2', '1 < 2'],
    ['donâ€™t', 'don’t'],
    ['cafÃ©', 'café'],
    ['â™ª la â™ª', '♪ la ♪'],
    ['# la la #', '♪ la la ♪'],
    ['#', '♪'],
    ['# Oh, when\nthe saints #', '♪ Oh, when\nthe saints ♪'],
    ['¶ la ¶', '♪ la ♪'],
    ['-Hi\n- Yo', '- Hi\n- Yo'],
  ] as const)
    assert.equal(mended(before), after, before);
  for (const kept of [
    'McIntyre',
    'part II',
    'www.Site.Com',
    'U.S.Army',
    '1,000',
    'a,b',
    'Mr.Smith is',
    'Is it 5 .22?',
    'Hello ... you',
    '#1',
    '5 Ibs',
    'AI is',
    'Al is',
    'Il dit',
    'Louis XIII',
    'C# is',
    'lb',
    "rock 'n' roll",
    '-Hi',
    '-5 degrees',
    '10.5',
    'e.g.this',
    'Wait...what?',
    'node.js',
    'What?!',
    'a@b.com',
    '<3',
    '{smiles}',
    'AT&T',
    'R&D',
    'MANHÃ…',
    "dell'anno",
    'Iago is',
    'Ian and Ilsa',
    'I, Claudius',
  ])
    assert.equal(mended(kept), kept);
  assert.equal(mended("l'amour est l", 'fr'), "l'amour est l", 'French has l');
  assert.equal(mended('Quoi ?', 'fr'), 'Quoi ?');
  assert.equal(mended('lch weiß', 'de'), 'lch weiß');
  assert.equal(mended('lśnić', 'pl'), 'lśnić');
  assert.deepEqual(
    changeCues(said(['a', '  ', 'b']), { fixCommonErrors: true }).rows.map(({ kind }) => kind),
    ['matched', 'removed', 'matched'],
  );
});

test('all rules together, in order', () => {
  const changed = changeCues(said(['Subtitles by explosiveskull', '[DOOR] weII, yes', '# la la #', ...TALK]), {
    removeCredits: true,
    removeHearingImpaired: true,
    fixCommonErrors: true,
    mergeRepeated: true,
    fixOverlaps: true,
    timing: { offset: 500 },
  });
  assert.deepEqual(textsOf(changed.document).slice(0, 3), ['well, yes', 'la la', TALK[0]]);
  assert.equal(changed.notes.length, 4);
});
