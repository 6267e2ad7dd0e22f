/**
 * No file is slow because of its content: hostile ones are read and written in time proportional to their size, or
 * refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHostileFiles } from '../../test/subtitles/hostile.ts';
import { Failure } from '../lib/failure.ts';
import { convert, inOrder, measureQuality, readSubtitle, toSrt, toVtt } from './index.ts';

const KIB = 1024;
/**
 * Processor time of the slowest known one is 0.1 s at this size on a quiet machine, and what is not linear takes many
 * seconds.
 */
const MOST_MS = 2_000;

/** Returns the milliseconds of processor time for reading, judging and writing a file, also of a refused one. */
async function cost({ bytes, extension }: { bytes: Buffer; extension: string }): Promise<number> {
  const begun = process.threadCpuUsage();
  try {
    const { document } = await readSubtitle(bytes, { extension });
    measureQuality(inOrder(document.cues));
    for (const write of [toVtt, toSrt]) write(document);
    convert(document, document.format);
  } catch (error) {
    if (!(error instanceof Failure && error.kind === 'invalid')) throw error;
  }
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

test('each of them costs what its size costs', async () => {
  let count = 0;
  for (const file of makeHostileFiles(64 * KIB)) {
    const ms = await cost(file);
    assert.ok(ms < MOST_MS, `${file.name} takes ${Math.round(ms)} ms`);
    count++;
  }
  assert.ok(count > 350, `${count} files`);
});

test('millions of parts are refused before they are made, in one cue or in many', async () => {
  const times = (n: number): string => `00:00:${n + 10},000 --> 00:00:${n + 10},900`;
  const many = Array.from({ length: 16 }, (_, n) => `${n + 1}\n${times(n)}\n${'a\n'.repeat(110_000)}`);
  for (const [extension, text] of [
    ['srt', many.join('\n')],
    ['vtt', `WEBVTT\n\n${many.join('\n').replaceAll(',', '.')}`],
    ['ttml', `<tt><body><div>${`<p begin="1s" end="2s">${'a<br/>'.repeat(2_000)}</p>`.repeat(190)}</div></body></tt>`],
    ['srt', `1\n00:00:01,000 --> 00:00:02,000\n${'a\n'.repeat(1_900_000)}`],
    ['vtt', `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<i>a'.repeat(900_000)}`],
    ['sub', `{1}{1}25\n{1}{9}${'a|'.repeat(1_900_000)}`],
  ] as const) {
    await assert.rejects(
      readSubtitle(Buffer.from(text), { extension }),
      (error: unknown) => error instanceof Failure && error.kind === 'invalid' && /parts/.test(error.message),
    );
  }
});
