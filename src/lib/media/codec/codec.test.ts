/**
 * Headers of codecs: those that encoders wrote, those worked out by hand from the specifications, and those that lie.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/fast-check.ts';
import { Uncertain } from '../source.ts';
import { readAacConfig, readDtsCore, readFlacInfo, readMpegAudioFrame, readOpusHead } from './audio.ts';
import { readAv1Sequence } from './av1.ts';
import { readAc3Frame, readEac3Frame } from './dolby.ts';
import { readDolbyVision } from './dolby-vision.ts';
import { readH264Sequence } from './h264.ts';
import { HEVC_SETS, readHevcSequence, readHevcSets, readHevcUsability } from './hevc.ts';
import { readVp9Config, readVp9Frame } from './vp9.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** Bytes of a text of binary digits. */
const bits = (text: string): Buffer =>
  Buffer.from((text.replaceAll(' ', '').match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));

/** Written by x264, x265, SVT-AV1, libvpx, ffmpeg, libopus, LAME and FLAC. */
const WRITTEN = {
  progressive: hex('6742c028da01e0089f97016a020202800000030080000018078c1950'),
  interlaced: hex('67640015acd941433f260220000003002000000643e28532c0'),
  hvcC: hex(
    `01022000000090000000000078f000fcfdfafa00000f04
    200001001840010c01ffff022000000300900000030000030078959409
    2100010030420101022000000300900000030000030078a003c0801107cad965654a4c2f016a12201208000003000800000300c040
    22000100064401c073c189`.replaceAll(/\s/g, ''),
  ),
  av1: hex('0a0e000000043cfecc02f85091009040'),
  vp9: hex('824983420013f00b360438241c'),
  ac3: hex('0b77c4b71e40ebf8403eff99c598b31662cc59fffbbe7cf9'),
  eac3: hex('0b7702ff3f87c00020a421084208421082f01fba0b2b22ca'),
  dts: hex('7ffe8001fc3c75b276c005380009ef7bdeffffff80000036'),
  flac: hex('120012000001600004ff0bb800f000005dc01964e7953bdf1b99cddc8a6487e0a0d0'),
  opus: hex('4f707573486561640101380180bb0000000000'),
  mp3: hex('fffb54c0'),
} as const;
const sequenceOf = (record: Buffer): Buffer =>
  readHevcSets(record).find(({ type }) => type === HEVC_SETS.sequence)?.nal ?? assert.fail('no sequence');

test('H.264', () => {
  const { cropping, ...progressive } = readH264Sequence(WRITTEN.progressive);
  assert.deepEqual(progressive, {
    profile: 66,
    constraints: 0xc0,
    level: 40,
    chroma: 1,
    depth: 8,
    chromaDepth: 8,
    codedWidth: 1920,
    codedHeight: 1088,
    width: 1920,
    height: 1080,
    hasFields: false,
    frameBits: 4,
    orderBits: 0,
    orderType: 2,
    reorder: 0,
    usability: { aspect: [1, 1], isFullRange: false, transfer: 1, matrix: 1 },
  });
  assert.deepEqual(cropping, { left: 0, right: 0, top: 0, bottom: 4 });
  const { width, height, codedHeight, hasFields, profile, level, orderType, orderBits, reorder } = readH264Sequence(
    WRITTEN.interlaced,
  );
  assert.deepEqual(
    [width, height, codedHeight, hasFields, profile, level, orderType, orderBits, reorder],
    [320, 180, 192, true, 100, 21, 0, 6, 2],
  );
  const cut = readH264Sequence(WRITTEN.progressive.subarray(0, 14));
  assert.deepEqual(
    [cut.width, cut.reorder, cut.usability],
    [1920, undefined, { aspect: [1, 1], isFullRange: false, transfer: 1, isCut: true }],
    'usability that is cut short',
  );
  assert.throws(() => readH264Sequence(WRITTEN.progressive.subarray(0, 8)), Uncertain);
  // Cropped to nothing: 16 x 16 less 8 steps of two from the left.
  assert.throws(
    () => readH264Sequence(Buffer.concat([hex('6742001e'), bits('1 1 1 1 010 0 1 1 1 0 1 0001001 1 1 1 0 1')])),
    Uncertain,
  );
});

test('HEVC', () => {
  assert.deepEqual(
    readHevcSets(WRITTEN.hvcC).map(({ type, nal }) => [type, nal.length]),
    [
      [32, 24],
      [33, 48],
      [34, 6],
    ],
  );
  assert.deepEqual(
    readHevcSets(WRITTEN.hvcC.subarray(0, -1)).map(({ type }) => type),
    [32, 33],
    'a set that is cut short is none',
  );
  assert.deepEqual(readHevcSequence(sequenceOf(WRITTEN.hvcC)), {
    profile: 2,
    level: 120,
    temporalLayers: 1,
    isNested: true,
    chroma: 1,
    hasSeparatePlanes: false,
    depth: 10,
    chromaDepth: 10,
    width: 1920,
    height: 1080,
    orderBits: 8,
    reorder: 2,
  });
  assert.deepEqual(readHevcUsability(sequenceOf(WRITTEN.hvcC)), {
    aspect: [1, 1],
    isFullRange: false,
    transfer: 16,
    matrix: 9,
  });
  assert.throws(() => readHevcSequence(sequenceOf(WRITTEN.hvcC).subarray(0, 20)), Uncertain);
});

test('AV1 and VP9', () => {
  const colours = { primaries: 9, transfer: 16, matrix: 9, isFullRange: false };
  assert.deepEqual(readAv1Sequence(WRITTEN.av1), {
    profile: 0,
    level: 0,
    width: 320,
    height: 180,
    depth: 10,
    isMonochrome: false,
    colours,
  });
  const plain = readAv1Sequence(
    Buffer.concat([
      hex('0a09'),
      bits(`000 0 0 0 0 00000 ${'0'.repeat(12)} 01101 1 0101 0101 111111 101111 0 0000000 0 1 1 000 0 1 0`),
    ]),
  );
  assert.deepEqual(
    plain,
    { profile: 0, level: 13, width: 64, height: 48, depth: 8, isMonochrome: true, colours: undefined },
    'a level with a tier, no order of pictures',
  );
  assert.equal(readAv1Sequence(Buffer.alloc(0)), undefined);
  assert.equal(readAv1Sequence(hex('120a')), undefined, 'another unit');
  assert.equal(readAv1Sequence(Buffer.concat([hex('0a0e'), bits('000 1 0 0')])), undefined, 'a still picture');
  assert.throws(() => readAv1Sequence(WRITTEN.av1.subarray(0, 8)), Uncertain);
  assert.deepEqual(readVp9Frame(WRITTEN.vp9), {
    profile: 0,
    depth: 8,
    chroma: 1,
    space: 0,
    isFullRange: false,
    width: 320,
    height: 180,
  });
  // Profile 1 as 4:4:0, and profile 3 in 12 bits as 4:2:2.
  const frame = (head: string, colour: string): Buffer =>
    bits(
      `10 ${head} 0 0 1 0 ${(0x498342).toString(2).padStart(24, '0')} ${colour} ` +
        `${(63).toString(2).padStart(16, '0')} ${(47).toString(2).padStart(16, '0')}`,
    );
  assert.deepEqual(readVp9Frame(frame('10', '010 0 01 0')), {
    profile: 1,
    depth: 8,
    chroma: undefined,
    space: 2,
    isFullRange: false,
    width: 64,
    height: 48,
  });
  assert.deepEqual(readVp9Frame(frame('11 0', '1 010 1 10 0')), {
    profile: 3,
    depth: 12,
    chroma: 2,
    space: 2,
    isFullRange: true,
    width: 64,
    height: 48,
  });
  assert.throws(() => readVp9Frame(hex('a649834300000000')), Uncertain, 'no keyframe');
  assert.deepEqual(readVp9Config(hex('02 33 a2 09 10 09')), {
    profile: 2,
    level: 51,
    depth: 10,
    sampling: 1,
    ...colours,
  });
  assert.throws(() => readVp9Config(hex('02 33')), Uncertain);
});

test('Dolby Vision', () => {
  assert.deepEqual(
    ['01 00 0a 35 00', '01 00 10 35 10', '01 00 10 35 40', '01 00 11 08 10'].map(hex).map(readDolbyVision),
    [
      { profile: 5, level: 6, compatibility: 0 },
      { profile: 8, level: 6, compatibility: 1 },
      { profile: 8, level: 6, compatibility: 4 },
      { profile: 8, level: 33, compatibility: 1 },
    ],
  );
  assert.throws(() => readDolbyVision(hex('01 00 0a 35')), Uncertain);
});

test('AAC with and without SBR, said in front or behind', () => {
  const rows: [
    config: Buffer,
    objectType: number,
    rate: number,
    channels: number,
    frameSize: number,
    hasSbr: boolean | undefined,
    isExtended: boolean,
  ][] = [
    [hex('1190'), 2, 48_000, 2, 1024, undefined, false],
    [hex('1190 56e500'), 2, 48_000, 2, 1024, false, false],
    [bits('00101 0110 0010 0011 00010 000'), 5, 24_000, 2, 1024, true, false],
    [bits('11101 0110 0001 0011 00010 000'), 29, 24_000, 1, 1024, true, false],
    [bits('00010 0110 0010 000 01010110111 00101 1 0011'), 5, 24_000, 2, 1024, true, false],
    [bits('00010 0110 0001 000 01010110111 00101 1 0011 10101001000 1'), 29, 24_000, 1, 1024, true, false],
    [bits('00010 0011 0010 100'), 2, 48_000, 2, 960, undefined, false],
    [bits('00010 0011 0111 001'), 2, 48_000, 8, 1024, undefined, true],
    [bits(`00010 1111 ${(12_345).toString(2).padStart(24, '0')} 0000 000`), 2, 12_345, 0, 1024, undefined, false],
  ];
  for (const [config, objectType, rate, channels, frameSize, hasSbr, isExtended] of rows)
    assert.deepEqual(
      readAacConfig(config),
      { objectType, rate, channels, frameSize, hasSbr, isExtended },
      config.toString('hex'),
    );
  assert.throws(() => readAacConfig(hex('11')), Uncertain);
  assert.throws(() => readAacConfig(bits('00010 1101 0010 000')), Uncertain, 'a rate that there is not');
});

test('AC-3 and E-AC-3', () => {
  assert.deepEqual(readAc3Frame(WRITTEN.ac3), {
    rateCode: 0,
    rate: 48_000,
    version: 8,
    layout: 7,
    lfe: 1,
    channels: 6,
    mode: 0,
    sizeCode: 30,
    bitrate: 448_000,
  });
  assert.deepEqual(readEac3Frame(WRITTEN.eac3), {
    isDependent: false,
    substream: 0,
    size: 1536,
    isReducedRate: false,
    rateCode: 0,
    rate: 48_000,
    blocks: 6,
    layout: 7,
    lfe: 1,
    version: 16,
    channels: 6,
    channelMap: 0,
  });
  const half = Buffer.from(WRITTEN.ac3);
  half[5] = 9 << 3;
  assert.equal(readAc3Frame(half).rate, 24_000);
  half[5] = 11 << 3;
  assert.throws(() => readAc3Frame(half), Uncertain);
  // A dependent stream at half a rate that adds Lrs and Rrs.
  const dependent = Buffer.concat([
    hex('0b77'),
    bits('01 000 00000000111 11 01 111 0 10000 11111 0 1 0000001000000000'),
    Buffer.alloc(8),
  ]);
  const { isDependent, size, rate, blocks, channelMap } = readEac3Frame(dependent);
  assert.deepEqual([isDependent, size, rate, blocks, channelMap], [true, 16, 22_050, 6, 0x0200]);
  for (const read of [readAc3Frame, readEac3Frame])
    for (const bad of [hex('0b77'), hex('770b0000000000000000')]) assert.throws(() => read(bad), Uncertain);
});

test('MPEG audio, DTS, Opus and FLAC', () => {
  assert.deepEqual(readMpegAudioFrame(WRITTEN.mp3), { layer: 3, version: 1, rate: 48_000, channels: 1 });
  assert.deepEqual(readMpegAudioFrame(hex('fff55000')), { layer: 2, version: 2, rate: 22_050, channels: 2 });
  assert.deepEqual(readMpegAudioFrame(hex('ffe35800')), { layer: 3, version: 2.5, rate: 8000, channels: 2 });
  for (const bad of ['fffb5c00', 'ffeb5000', 'fff95000', 'fffb', '00fb5400'])
    assert.throws(() => readMpegAudioFrame(hex(bad)), Uncertain, bad);
  assert.deepEqual(readDtsCore(WRITTEN.dts), {
    frameSize: 512,
    size: 1884,
    mode: 9,
    rate: 48_000,
    rateCode: 22,
    hasExtension: false,
    lowFrequency: 2,
  });
  assert.throws(() => readDtsCore(hex('fe7f0180fc3c75b276c00538')), Uncertain, 'the other order of bytes');
  assert.deepEqual(readOpusHead(WRITTEN.opus), { channels: 1, preSkip: 312, inputRate: 48_000, gain: 0, family: 0 });
  assert.throws(() => readOpusHead(WRITTEN.opus.subarray(0, 18)), Uncertain);
  assert.deepEqual(readFlacInfo(WRITTEN.flac), { rate: 48_000, channels: 1, bits: 16, blockSize: 4608 });
  assert.throws(() => readFlacInfo(Buffer.alloc(34)), Uncertain);
});

/** Every number in it, however deep. */
const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
      ? Object.values(value).flatMap(numbersIn)
      : [];

test('whatever is changed in a header, it is read as numbers within bounds or refused as uncertain', () => {
  const readers: [read: (bytes: Buffer) => unknown, bytes: Buffer][] = [
    [readH264Sequence, WRITTEN.progressive],
    [readH264Sequence, WRITTEN.interlaced],
    [readHevcSets, WRITTEN.hvcC],
    [readHevcSequence, sequenceOf(WRITTEN.hvcC)],
    [readHevcUsability, sequenceOf(WRITTEN.hvcC)],
    [readAv1Sequence, WRITTEN.av1],
    [readVp9Frame, WRITTEN.vp9],
    [readVp9Config, hex('0233a2091009')],
    [readDolbyVision, hex('01000a3500')],
    [readAacConfig, hex('119056e500')],
    [readAc3Frame, WRITTEN.ac3],
    [readEac3Frame, WRITTEN.eac3],
    [readMpegAudioFrame, WRITTEN.mp3],
    [readDtsCore, WRITTEN.dts],
    [readOpusHead, WRITTEN.opus],
    [readFlacInfo, WRITTEN.flac],
  ];
  let [understood, refused] = [0, 0];
  const change = fc.record({
    reader: fc.nat({ max: readers.length - 1 }),
    length: fc.nat({ max: 120 }),
    changes: fc.array(fc.tuple(fc.nat({ max: 120 }), fc.nat({ max: 255 })), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(change, ({ reader, length, changes }) => {
      const [read, whole] = readers[reader] ?? assert.fail();
      const bytes = Buffer.from(length < whole.length / 2 ? whole.subarray(0, length) : whole);
      for (const [at, to] of changes) if (bytes.length > 0) bytes[at % bytes.length] = to;
      try {
        const numbers = numbersIn(read(bytes));
        assert.ok(
          numbers.every((one) => Number.isFinite(one) && Math.abs(one) <= 2 ** 32),
          `${read.name} of ${bytes.toString('hex')}: ${numbers.join()}`,
        );
        understood += 1;
      } catch (error) {
        if (!(error instanceof Uncertain)) throw error;
        refused += 1;
      }
    }),
    { numRuns: 20_000, seed: 7 },
  );
  assert.ok(understood > 2000 && refused > 2000, `${understood} understood, ${refused} refused`);
});
