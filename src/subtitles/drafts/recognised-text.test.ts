/** Tesseract's table as words and lines, its languages, and what is done when a picture ends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProcessFailure, type Processes } from '../../lib/process.ts';
import { clearestReading, parseTesseractTable, repairWord, joinLines } from './recognised-text.ts';
import { createTesseract, modelsOf } from './tesseract.ts';

const HEAD = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
const row = (page: number, line: number, confidence: number | string, text: string): string =>
  `5\t${page}\t1\t1\t${line}\t1\t0\t0\t9\t9\t${confidence}\t${text}`;

test('the table gives lines of words for each page', () => {
  const lines = parseTesseractTable(
    [
      HEAD,
      '1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t',
      row(1, 1, 96.5, 'Hello'),
      row(1, 1, 40, '|'),
      row(1, 2, 'x', 'there'),
      row(3, 1, 130, 'Three'),
      row(3, 1, 9, ' '),
      row(9, 1, 9, 'nowhere'),
      'nonsense',
    ].join('\n'),
    3,
  );
  assert.deepEqual(lines.map(joinLines), ['Hello I\nthere', '', 'Three']);
  assert.deepEqual(
    lines.map((page) => page.flat().map(({ confidence }) => confidence)),
    [[0.965, 0.4, 0], [], [1]],
  );
});

test('a vertical bar becomes an I or an l, and no other letter changes', () => {
  for (const [read, meant] of [
    ['|', 'I'],
    ["|'m", "I'm"],
    ['|f', 'If'],
    ['he||o', 'hello'],
    ['A|', 'AI'],
    ['"|', '"I'],
    ['Я|', 'Я|'],
    ['l0', 'l0'],
    ['1I', '1I'],
    ['', ''],
  ] as const)
    assert.equal(repairWord(read), meant);
});

test('an ellipsis has three dots, and two points elsewhere stay', () => {
  for (const [read, meant] of [
    ['..and', '...and'],
    ['"..and', '"...and'],
    ['wait..', 'wait...'],
    ['wait..."', 'wait..."'],
    ['..', '..'],
    ['...and', '...and'],
    ['a..b', 'a..b'],
    ['1..2', '1..2'],
    ['wait..?', 'wait...?'],
  ] as const)
    assert.equal(repairWord(read), meant, read);
});

test('of two readings of a picture, the one with more certain letters counts', () => {
  const word = (text: string, confidence: number) => [[{ text, confidence }]];
  const text = (...readings: ReturnType<typeof word>[]): string => joinLines(clearestReading(readings));
  assert.equal(text(word('a,;', 0.9), word('What is it?', 0.8)), 'What is it?');
  assert.equal(text(word('~-.:;_ .:~', 0.3), word('No!', 0.9)), 'No!');
  assert.equal(text(word('Same', 0.9), word('Sane', 0.9)), 'Same');
  assert.equal(text(), '');
});

test('words are separated if their script has spaces', () => {
  const line = (...words: string[]) => words.map((text) => ({ text, confidence: 1 }));
  assert.equal(joinLines([line('你', '好', '。'), line('DVD', '版')]), '你好。\nDVD 版');
});

test('languages by the names of the data', () => {
  for (const [language, name] of [
    ['en', 'eng'],
    ['en-gb', 'eng'],
    ['de', 'deu'],
    ['fr', 'fra'],
    ['zh', 'chi_sim'],
    ['zh-cn', 'chi_sim'],
    ['zh-hant-tw', 'chi_tra'],
    ['pt-br', 'por'],
    ['nb', 'nor'],
    ['sr', 'srp'],
    ['sr-latn', 'srp_latn'],
    ['fa', 'fas'],
    ['el', 'ell'],
  ] as const)
    assert.equal(modelsOf(language)[0], name, language);
});

type Run = Processes['run'];
const page = { width: 1, height: 1, pixels: new Uint8Array(1), isBlock: false };
const signal = new AbortController().signal;
/** A program that counts its starts and fails by the number of pictures it gets. */
function standIn(fails: (pages: number, start: number) => ProcessFailure | undefined): { run: Run; starts: number[] } {
  const starts: number[] = [];
  const run: Run = async ({ input, args }) => {
    if (args[0] === '--list-langs') {
      starts.push(0);
      return { stdout: Buffer.from('List of available languages in "/x/" (2):\neng\nosd\n'), stderr: '' };
    }
    const pages = ((input instanceof Uint8Array ? input.byteLength : 0) - 8) / (2 + 9 * 12 + 4 + 2);
    starts.push(pages);
    const failure = fails(pages, starts.length);
    if (failure) throw failure;
    return {
      stdout: Buffer.from(Array.from({ length: pages }, (_, n) => row(n + 1, 1, 90, 'word')).join('\n')),
      stderr: '',
    };
  };
  return { run, starts };
}

test('only the picture that crashes tesseract is left unread', async () => {
  const program = standIn((pages, start) =>
    pages > 1 || start === 3 ? new ProcessFailure('tesseract', 'signal') : undefined,
  );
  const tesseract = createTesseract({ processes: program, program: () => 'tesseract' });
  const read = await tesseract.recognise([page, page, page], 'eng', signal);
  assert.deepEqual(
    [read.map(joinLines), program.starts],
    [
      ['word', '', 'word'],
      [3, 1, 1, 1],
    ],
  );
});

test('lines and blocks are read in separate runs, and returned in order', async () => {
  const program = standIn((pages) => (pages === 2 ? new ProcessFailure('tesseract', 'missing') : undefined));
  const tesseract = createTesseract({ processes: program, program: () => 'tesseract' });
  const block = { ...page, isBlock: true };
  assert.equal((await tesseract.recognise([page, block, page, page], 'eng', signal)).length, 4);
  assert.deepEqual(program.starts, [3, 1]);
  await assert.rejects(tesseract.recognise([page, block, block], 'eng', signal), ProcessFailure);
});

test('a tesseract that always fails is not started for every picture, and a stopped one not again', async () => {
  const broken = standIn(() => new ProcessFailure('tesseract', 'exit', { code: 1 }));
  await assert.rejects(
    createTesseract({ processes: broken, program: () => 't' }).recognise(
      Array.from({ length: 9 }, () => page),
      'eng',
      signal,
    ),
    ProcessFailure,
  );
  assert.deepEqual(broken.starts, [9, 1, 1, 1]);
  const stopped = standIn(() => new ProcessFailure('tesseract', 'aborted'));
  await assert.rejects(
    createTesseract({ processes: stopped, program: () => 't' }).recognise([page, page], 'eng', signal),
    ProcessFailure,
  );
  assert.deepEqual(stopped.starts, [2]);
});

test('the languages are listed once, and again if one is missing', async () => {
  const program = standIn(() => undefined);
  const tesseract = createTesseract({ processes: program, program: () => 't' });
  assert.equal(await tesseract.model('en', signal), 'eng');
  assert.equal(await tesseract.model('en-us', signal), 'eng');
  assert.deepEqual(program.starts, [0]);
  await assert.rejects(tesseract.model('de', signal), {
    message: 'tesseract has no data for German: install the package tesseract-ocr-deu',
  });
  assert.deepEqual(program.starts, [0, 0]);
});

test('a line without text is read again, and counts if the confidence is high', async () => {
  const layouts: string[] = [];
  const run: Run = async ({ args }) => {
    if (args[0] === '--list-langs') return { stdout: Buffer.from('eng\n'), stderr: '' };
    const layout = args[args.indexOf('--psm') + 1] ?? '';
    layouts.push(layout);
    const rows = layout === '10' ? [row(1, 1, 80, 'Il..'), row(2, 1, 20, 'wee')] : [row(2, 1, 90, 'Yes.')];
    return { stdout: Buffer.from([HEAD, ...rows].join('\n')), stderr: '' };
  };
  const tesseract = createTesseract({ processes: { run }, program: () => 'tesseract' });
  const lines = await tesseract.recognise([page, page, page], 'eng', signal);
  assert.deepEqual(
    [lines.map(joinLines), layouts],
    [
      ['Il...', 'Yes.', ''],
      ['7', '10'],
    ],
  );
});
