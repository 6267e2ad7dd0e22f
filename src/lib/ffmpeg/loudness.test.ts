/** Measured loudness: tones of a known level, and reports that say nothing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { loudnessArgs, parseLoudness } from './loudness.ts';

test('the last report counts, and silence has no loudness', () => {
  const report = (lufs: string, peak: string) => `frame:1\nlavfi.r128.I=${lufs}\nlavfi.r128.sample_peak=${peak}\n`;
  assert.deepEqual(parseLoudness(`${report('-30.000', '0.1')}${report('-18.250', '0.707')}`), {
    lufs: -18.25,
    peak: 0.707,
  });
  assert.deepEqual(parseLoudness('lavfi.r128.I=-20.1\n'), { lufs: -20.1 });
  for (const text of ['', report('-70.000', '0.0'), report('nan', '1'), 'x.lavfi.r128.I=-3\n'])
    assert.equal(parseLoudness(text), undefined, text);
});

test('a tone of 1 kHz on two channels is as loud as its peak', () => {
  const args = loudnessArgs({ stream: 0 });
  const filter = args[args.indexOf('-af') + 1] ?? '';
  const source = 'sine=f=1000:r=48000:d=5,volume=0.8dB,pan=stereo|c0=c0|c1=c0';
  const reports = execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    source,
    '-af',
    filter,
    '-f',
    'null',
    '-',
  ]);
  const found = parseLoudness(reports.toString());
  // A sine of ffmpeg has a peak of 1/8, and R 128 counts a tone on two channels by its peak.
  assert.ok(Math.abs((found?.lufs ?? 0) - 20 * Math.log10(0.125 * 10 ** (0.8 / 20))) < 0.3, String(found?.lufs));
  assert.ok(Math.abs((found?.peak ?? 0) - 0.125 * 10 ** (0.8 / 20)) < 0.002, String(found?.peak));
});
