/** Cue sheets: commands, times in frames, sheets that say nothing useful, and hostile text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../test/linear.ts';
import { MAX_CUE_BYTES, parseCueSheet, windowsOf } from './cue-sheet.ts';

const SHEET = `\uFEFFREM GENRE "Dream Pop"
REM DATE 1990
REM DISCNUMBER 2
REM REPLAYGAIN_ALBUM_GAIN -6.25 dB
PERFORMER "The Band; Guest"
TITLE "Whole Album"
FILE "C:\\rips\\Whole Album.wav" WAVE
  TRACK 01 AUDIO
    TITLE "One"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE Two without quotes
    PERFORMER "Other"
    ISRC usabc1234567
    REM REPLAYGAIN_TRACK_GAIN +1.5 dB
    INDEX 00 00:01:70
    INDEX 01 00:02:37
  TRACK 03 AUDIO
    FLAGS DCP
    SONGWRITER "Writer"
    INDEX 01 61:00:74
`;

test('a sheet is read with its tracks, times and remarks', () => {
  const sheet = parseCueSheet(SHEET);
  assert.deepEqual(sheet, {
    performers: ['The Band', 'Guest'],
    title: 'Whole Album',
    genre: 'Dream Pop',
    date: '1990',
    disc: 2,
    albumGain: -6.25,
    files: [
      {
        name: 'Whole Album.wav',
        tracks: [
          { number: 1, title: 'One', performers: [], start: 0 },
          {
            number: 2,
            title: 'Two without quotes',
            performers: ['Other'],
            isrc: 'USABC1234567',
            gain: 1.5,
            start: 187,
          },
          { number: 3, performers: [], songwriter: 'Writer', start: 274_574 },
        ],
      },
    ],
  });
  assert.deepEqual(sheet && windowsOf(sheet, 4000).map(({ track, start, end }) => [track.number, start, end]), [
    [1, 0, 187 / 75],
    [2, 187 / 75, 274_574 / 75],
    [3, 274_574 / 75, 4000],
  ]);
});

test('sheets that do not fit their file make no windows', () => {
  const starts = (...times: string[]) =>
    times.map((time, i) => `TRACK ${String(i + 1).padStart(2, '0')} AUDIO\nINDEX 01 ${time}`).join('\n');
  const of = (text: string, duration = 100): number[] =>
    windowsOf(parseCueSheet(text) ?? { performers: [], files: [] }, duration).map(({ start }) => start);
  assert.deepEqual(of(starts('00:00:00', '00:10:00')), [0, 10], 'a sheet inside a file names no file');
  const useless: Record<string, string> = {
    'one track': starts('00:00:00'),
    'times that do not grow': starts('00:10:00', '00:10:00'),
    'beyond the end': starts('00:00:00', '02:00:00'),
    'no time': 'TRACK 01 AUDIO\nINDEX 00 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:01:00',
    'an impossible time': starts('00:00:00', '00:01:75'),
    'a number twice': 'TRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 01 AUDIO\nINDEX 01 00:01:00',
    'a file for each track':
      'FILE "1.wav" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE "2.wav" WAVE\nTRACK 02 AUDIO\nINDEX 01 00:00:00',
    'tracks of data': 'TRACK 01 MODE1/2352\nINDEX 01 00:00:00\nTRACK 02 MODE1/2352\nINDEX 01 00:02:00',
    'no sheet': 'Once upon a time\n\n',
  };
  for (const [name, text] of Object.entries(useless)) assert.deepEqual(of(text), [], name);
});

test('hostile text ends in a sheet within the limits', () => {
  let state = 20_261_123;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const words = ['TRACK', 'INDEX', 'FILE', 'REM', 'TITLE', '"', ' ', '\n', '01', 'AUDIO', '00:00:00', '\0', '\u2028'];
  for (let i = 0; i < 400; i++) {
    const bytes = Array.from({ length: 300 }, () =>
      next() < 0.8 ? words[Math.floor(next() * words.length)] : String.fromCharCode(Math.floor(next() * 65_536)),
    );
    const cut = SHEET.slice(0, Math.floor(next() * SHEET.length));
    const sheet = parseCueSheet(`${cut}${bytes.join(next() < 0.5 ? ' ' : '')}`);
    for (const { start, end } of sheet ? windowsOf(sheet, 5000) : [])
      assert.ok(start >= 0 && end > start && end <= 5000);
  }
  const many = parseCueSheet('TRACK 01 AUDIO\nINDEX 01 00:00:00\n'.repeat(100_000));
  assert.ok((many?.files[0]?.tracks.length ?? 0) <= 999);
  const long = parseCueSheet(`TITLE ${'"'.repeat(MAX_CUE_BYTES)}\nTRACK 01 AUDIO\n${' '.repeat(10_000_000)}`);
  assert.equal(long?.files, undefined);
});

test('the largest sheets are read in linear time', () => {
  const hostile = {
    tracks: 'TRACK 01 AUDIO\nINDEX 01 00:00:00\n',
    quotes: `TITLE ${'"'.repeat(2_000)}\n`,
    spaces: `REM${' '.repeat(2_000)}x\n`,
    'no line break': 'x ',
  };
  for (const [name, part] of Object.entries(hostile)) {
    const text = part.repeat(Math.ceil(MAX_CUE_BYTES / part.length)).slice(0, MAX_CUE_BYTES);
    assertLinear(name, text, parseCueSheet);
  }
});
