/** The stream: the first cue before the last line, the same cues as the whole, and the same limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toVtt } from '../formats/vtt.ts';
import { LIMITS } from '../limits.ts';
import { readText } from '../read.ts';
import { createVttStream } from './stream.ts';

test('cues are sent as soon as they are complete', () => {
  const vtt = createVttStream({ from: 'vtt' });
  assert.match(vtt.push('WEBVTT\n\n00:01.000 --> '), /^WEBVTT\n\nSTYLE\n/);
  assert.equal(vtt.push('00:02.000\n<script>x'), '');
  assert.equal(vtt.push(' & y\n\n'), '\n00:00:01.000 --> 00:00:02.000\nx &amp; y\n');
  assert.equal(vtt.push('00:03.000 --> 00:04.000 line:0 region:r\nz'), '');
  assert.equal(vtt.end(), '\n00:00:03.000 --> 00:00:04.000 line:0\nz\n');
  const srt = createVttStream({ from: 'srt' });
  srt.push('1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}<i>a</i>\r');
  assert.equal(
    srt.push('\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n'),
    '\n1\n00:00:01.000 --> 00:00:02.000 line:0\n<i>a</i>\n',
  );
  assert.equal(srt.push('b'), '');
  assert.equal(srt.end(), '\n2\n00:00:03.000 --> 00:00:04.000\nb\n');
});

test('the same cues as the whole document, however it is cut', () => {
  const text = Array.from(
    { length: 200 },
    (_, n) =>
      `${n + 1}\r\n00:00:${String(n % 60).padStart(2, '0')},000 --> 00:01:00,000\r\n` +
      `<b>cue ${n}</b> é 漢 <font color="#ff0000">x</font>\r\n\r\n`,
  ).join('');
  const whole = readText(toVtt({ ...readText(text, 'srt') }), 'vtt').cues.length;
  for (const size of [1, 2, 3, 7, 64, 1000, text.length]) {
    const stream = createVttStream({ from: 'srt' });
    let out = '';
    for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
    out += stream.end();
    const cues = readText(out, 'vtt').cues;
    assert.equal(cues.length, whole);
    assert.deepEqual(
      cues[7]?.spans,
      readText(toVtt(readText(text, 'srt')), 'vtt').cues.find((cue) => cue.id === '8')?.spans,
    );
  }
});

test('limits hold for streams', () => {
  const stream = createVttStream({ from: 'srt' });
  stream.push('a'.repeat(LIMITS.bytes));
  assert.throws(() => stream.push('a'), { name: 'Failure', kind: 'invalid', message: /4 MiB/ });
  const late = createVttStream({ from: 'vtt' });
  const written =
    late.push('WEBVTT\n\n40:00:00.000 --> 41:00:00.000\na\n\n00:01.000 --> 40:00:00.000\nb\n\n') + late.end();
  assert.deepEqual(
    readText(written, 'vtt').cues.map(({ start, end }) => [start, end]),
    [[1000, LIMITS.time]],
  );
});

test('an empty input is an empty document, and NUL is harmless', () => {
  const stream = createVttStream({ from: 'srt' });
  assert.equal(readText(stream.push('') + stream.end(), 'vtt').cues.length, 0);
  const nul = createVttStream({ from: 'srt' });
  assert.match(nul.push('00:00:01,000 --> 00:00:02,000\na\0b\n') + nul.end(), /^ab$/m);
  const standard = createVttStream({ from: 'vtt' });
  assert.match(standard.push('WEBVTT\n\n00:01.000 --> 00:02.000\na\0b\n') + standard.end(), /^a\ufffdb$/m);
});
