/** The fMP4 writer and reader: what one writes, the other and ffmpeg read back. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { box, fullBox, uint16s, uint32s } from './boxes.ts';
import { fragmentHeader, type FragmentSamples } from './fragment.ts';
import { initSegment } from './init.ts';
import { createFragmentReader, type FragmentEvent } from './reader.ts';
import { BadFragment } from './runs.ts';

const ENTRY = box('sowt', Buffer.alloc(6), uint16s(1), uint32s(0, 0), uint16s(1, 16, 0, 0), uint32s(8000 * 65536));

/** A segment of samples whose bytes are their number. */
function segment(sequence: number, samples: FragmentSamples): Buffer {
  return Buffer.concat([
    fragmentHeader(sequence, samples),
    ...Array.from(samples.sizes, (size, i) => Buffer.alloc(size, i)),
  ]);
}

function readAll(bytes: Buffer, step: number): FragmentEvent[] {
  const reader = createFragmentReader();
  const events: FragmentEvent[] = [];
  for (let at = 0; at < bytes.length; at += step) events.push(...reader.push(bytes.subarray(at, at + step)));
  reader.end();
  return events;
}

test('segments are read back as they were written, in pieces of any size', () => {
  const number = fc.nat({ max: 90_000 });
  const sample = fc.record({
    duration: number,
    size: fc.nat({ max: 300 }),
    offset: fc.integer({ min: -5000, max: 5000 }),
    isKey: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(sample, { minLength: 1, maxLength: 40 }),
      fc.nat({ max: 2 ** 40 }),
      fc.integer({ min: 1, max: 900 }),
      (samples, start, step) => {
        const written: FragmentSamples = {
          start,
          durations: Uint32Array.from(samples, (s) => s.duration),
          sizes: Uint32Array.from(samples, (s) => s.size),
          offsets: Int32Array.from(samples, (s) => s.offset),
          isKey: Uint8Array.from(samples, (s) => Number(s.isKey)),
        };
        const init = initSegment({
          kind: 'video',
          timescale: 90_000,
          entry: ENTRY,
          width: 320,
          height: 180,
          shift: 3000,
        });
        const [first, second] = readAll(Buffer.concat([init, segment(1, written)]), step);
        assert.ok(first?.type === 'init' && second?.type === 'fragment');
        assert.deepEqual(first.tracks, [{ id: 1, kind: 'video', timescale: 90_000, entry: ENTRY, shift: 3000 }]);
        assert.deepEqual(first.bytes, init);
        let dts = start;
        for (const [i, { duration, size, offset, isKey }] of samples.entries()) {
          assert.deepEqual(second.samples[i], { dts, cts: offset, duration, isKey, data: Buffer.alloc(size, i) });
          dts += duration;
        }
        assert.equal(second.samples.length, samples.length);
      },
    ),
    { numRuns: 200 },
  );
});

test('ffmpeg reads what the writer wrote, and its edit list', () => {
  const init = initSegment({ kind: 'audio', timescale: 8000, entry: ENTRY, shift: 4 });
  const of = (start: number): FragmentSamples => ({
    start,
    durations: new Uint32Array([4, 4]),
    sizes: new Uint32Array([8, 8]),
  });
  const input = Buffer.concat([init, segment(1, of(0)), segment(2, of(8))]);
  const pcm = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'mp4', '-i', 'pipe:0', '-f', 's16le', '-c', 'copy', 'pipe:1'],
    { input },
  );
  assert.deepEqual(
    [...pcm.subarray(-24)],
    [
      ...Array.from({ length: 8 }, () => 1),
      ...Array.from({ length: 8 }, () => 0),
      ...Array.from({ length: 8 }, () => 1),
    ],
  );
});

test('the reader follows what ffmpeg writes to a pipe', () => {
  const made = execFileSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x48:r=25:d=2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-bf',
      '2',
      '-g',
      '10',
      '-threads',
      '1',
      '-f',
      'mp4',
      '-movflags',
      'frag_keyframe+empty_moov+default_base_moof',
      'pipe:1',
    ],
    { maxBuffer: 1 << 24 },
  );
  const [init, ...fragments] = readAll(made, 1000);
  assert.ok(init?.type === 'init');
  assert.equal(init.tracks[0]?.entry.toString('latin1', 4, 8), 'avc1');
  const samples = fragments.flatMap((event) => (event.type === 'fragment' ? event.samples : []));
  assert.equal(samples.length, 50);
  assert.deepEqual(
    samples.flatMap(({ isKey }, i) => (isKey ? [i] : [])),
    [0, 10, 20, 30, 40],
  );
  const timescale = init.tracks[0]?.timescale ?? 0;
  const shown = samples.map(({ dts, cts }) => ((dts + cts) * 25) / timescale).sort((a, b) => a - b);
  // A pipe has no edit list: the first picture comes at the delay of the B-frames.
  assert.deepEqual(
    shown,
    Array.from({ length: 50 }, (_, i) => i + 2),
  );
});

test('streams that lie about their sizes are refused', () => {
  const init = initSegment({ kind: 'audio', timescale: 8000, entry: ENTRY, shift: 0 });
  const traf = (...boxes: Buffer[]) => box('moof', box('traf', fullBox('tfhd', 0, 0, uint32s(1)), ...boxes));
  const huge = fullBox('trun', 0, 0x201, uint32s(0xffffffff, 100));
  const outside = fullBox('trun', 0, 0x201, uint32s(1, 100, 900));
  for (const rest of [
    uint32s(4, 0x6d6f6f66),
    uint32s(0xffffffff, 0x6d6f6f66),
    box('mdat'),
    traf(huge),
    Buffer.concat([traf(outside), box('mdat', Buffer.alloc(20))]),
    box('moof', box('traf', fullBox('tfhd', 0, 0, uint32s(9)))),
  ]) {
    assert.throws(() => createFragmentReader().push(Buffer.concat([init, rest])), BadFragment, rest.toString('hex'));
  }
  const cut = createFragmentReader();
  cut.push(init.subarray(0, 100));
  assert.throws(() => cut.end(), BadFragment);
});

test('changed bytes are read or refused as a bad fragment', () => {
  const whole = Buffer.concat([
    initSegment({ kind: 'audio', timescale: 8000, entry: ENTRY, shift: 4 }),
    segment(1, { start: 0, durations: new Uint32Array(5).fill(4), sizes: new Uint32Array(5).fill(8) }),
  ]);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)), {
        minLength: 1,
        maxLength: 6,
      }),
      (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, to] of changes) bytes[at] = to;
        try {
          createFragmentReader().push(bytes);
        } catch (error) {
          assert.ok(error instanceof BadFragment, String(error));
        }
      },
    ),
    { numRuns: 3000 },
  );
});
