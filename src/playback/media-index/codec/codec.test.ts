/** Names and boxes computed from configuration bytes, against values worked out by hand from the specifications. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDolbyVision } from '../../../lib/media/codec/dolby-vision.ts';
import { Uncertain } from '../../../lib/media/source.ts';
import { ac3Sound, eac3Sound } from './dolby.ts';
import { keyframeKind } from './idr.ts';
import {
  av1Name,
  avcName,
  dolbyVisionName,
  hasParameterSets,
  hevcName,
  isDolbyVisionOnly,
  supplementalOf,
  vp9Name,
  vp9Configuration,
} from './video.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** Bytes of a text of binary digits. */
const bits = (text: string): Buffer =>
  Buffer.from((text.replaceAll(' ', '').match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));

test('H.264 and HEVC', () => {
  assert.equal(avcName('avc1', hex('01 64 00 28 ff e1 00')), 'avc1.640028');
  const main10 = hex('01 02 20000000 b00000000000 99 f000 fc fd fa fa 0000 0f 00');
  assert.equal(hevcName('hvc1', main10), 'hvc1.2.4.L153.B0');
  assert.equal(hevcName('hev1', hex('01 21 60000000 900000000000 5d f000 fc fd f8 f8 0000 0f 00')), 'hev1.1.6.H93.90');
  assert.equal(hasParameterSets(main10), false);
  const sets = ['20', '21', '22'].map((type) => `${type} 0001 0002 0102`).join('');
  assert.equal(hasParameterSets(Buffer.concat([main10.subarray(0, 22), hex(`03 ${sets}`)])), true);
  assert.equal(hasParameterSets(Buffer.concat([main10.subarray(0, 22), hex(`02 ${sets}`)])), false);
  assert.throws(() => hevcName('hvc1', hex('0102')), Uncertain);
});

test('AV1 and VP9', () => {
  assert.equal(av1Name(hex('81 08 0c 00'), undefined), 'av01.0.08M.08');
  assert.equal(
    av1Name(hex('81 0c 4c 00'), { primaries: 9, transfer: 16, matrix: 9, isFullRange: false }),
    'av01.0.12M.10.0.110.09.16.09.0',
  );
  assert.equal(
    av1Name(hex('81 0c cc 00'), { primaries: 1, transfer: 1, matrix: 1, isFullRange: false }),
    'av01.0.12H.10',
    'colours of ordinary range are left out',
  );
  assert.equal(vp9Name(hex('02 33 a2 09 10 09')), 'vp09.02.51.10.01.09.16.09.00');
  // Profile 0, keyframe, 1920 x 1080: marker, profile, no existing frame, keyframe, shown, sync code, colours, size.
  const frame = bits(
    `10 0 0 0 0 1 0 ${(0x498342).toString(2).padStart(24, '0')} 010 0 ${(1919).toString(2).padStart(16, '0')} ` +
      `${(1079).toString(2).padStart(16, '0')}`,
  );
  assert.deepEqual([...vp9Configuration(frame, { rate: 24, colour: undefined })], [0, 40, 0x82, 1, 2, 1, 0, 0]);
  assert.deepEqual([...vp9Configuration(frame, { rate: 60, colour: undefined })], [0, 41, 0x82, 1, 2, 1, 0, 0]);
  assert.throws(() => vp9Configuration(hex('a6 49 83 43'), { rate: 24, colour: undefined }), Uncertain);
});

test('Dolby Vision', () => {
  const [five, eight, hlg] = [hex('01 00 0a 35 00'), hex('01 00 10 35 10'), hex('01 00 10 35 40')].map(readDolbyVision);
  assert.ok(five && eight && hlg);
  assert.deepEqual([five, eight, hlg].map(isDolbyVisionOnly), [true, false, false]);
  assert.equal(dolbyVisionName(five, 'hvc1'), 'dvh1.05.06');
  assert.deepEqual([five, eight, hlg].map(supplementalOf), [undefined, 'dvh1.08.06/db1p', 'dvh1.08.06/db4h']);
});

/** A sync frame of E-AC-3 up to its channel map. */
const syncFrame = (type: number, map: string): Buffer =>
  Buffer.concat([
    hex('0b77'),
    bits(`${type.toString(2).padStart(2, '0')} 000 00000000111 00 11 111 1 10000 11111 0 ${map}`),
    Buffer.alloc(20),
  ]).subarray(0, 16);

test('Dolby boxes that Matroska does not have', () => {
  const ac3 = ac3Sound(
    bits(
      `${hex('0b770000')
        .toString('hex')
        .replaceAll(/./g, (digit) =>
          Number.parseInt(digit, 16).toString(2).padStart(4, '0'),
        )} 00 011110 01000 000 111 00 00 1 0000`,
    ),
  );
  assert.deepEqual(
    [ac3.channels, ac3.timescale, ac3.entry.subarray(-3).toString('hex')],
    [6, 48_000, bits('00 01000 000 111 1 01111 00000').toString('hex')],
  );
  const plain = eac3Sound(syncFrame(0, ''), 16);
  assert.deepEqual([plain.channels, plain.frameSize], [6, 1536]);
  // A dependent stream with Lrs and Rrs makes eight channels.
  const wide = eac3Sound(Buffer.concat([syncFrame(0, ''), syncFrame(1, '1 0000001000000000')]), 32);
  assert.equal(wide.channels, 8);
  assert.equal(
    wide.entry.subarray(-6).toString('hex'),
    bits('0000000001000 000 00 10000 0 0 000 111 1 000 0001 000000010').toString('hex'),
  );
  assert.throws(() => eac3Sound(syncFrame(1, '0'), 16), Uncertain);
});

test('where decoding may begin', () => {
  const frame = (codec: 'h264' | 'hevc', units: string) => {
    const bytes = hex(units);
    return keyframeKind({ codec, lengthSize: 4 }, bytes.length, (offset, length) =>
      bytes.subarray(offset, offset + length),
    );
  };
  const unit = (text: string): string =>
    `${(text.replaceAll(' ', '').length / 2).toString(16).padStart(8, '0')}${text}`;
  assert.equal(frame('h264', unit('09f0') + unit('67640028') + unit('68ee') + unit('0605ff') + unit('6588')), 'idr');
  assert.equal(frame('h264', unit('09f0') + unit('06 0105') + unit('4188')), 'recovery');
  assert.equal(frame('h264', unit('09f0') + unit('06 0105') + unit('419a')), 'other', 'a gradual refresh');
  assert.equal(frame('h264', unit('09f0')), 'other', 'no picture at all');
  assert.equal(frame('h264', '00000000'.repeat(100)), 'other', 'empty units without end');
  assert.equal(frame('hevc', unit('4601') + unit('2601af')), 'idr', 'IDR_W_RADL');
  assert.equal(frame('hevc', unit('4601') + unit('2a01af')), 'recovery', 'CRA');
});
