/** Files made to cost time or memory: each is refused by the helper process before it costs either. */
import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createProcesses, type Helper, type Processes } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { box, fullBox, uint16s, uint32s, uint64 } from '../cmaf/boxes.ts';
import { initSegment } from '../cmaf/init.ts';
import type { AskedFile, MediaAnswer } from './messages.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const MEMORY = 256 * 1024 ** 2;
/** The aim is one second; a loaded machine that only starts a process may take several. */
const DEADLINE_MS = 10_000;
const TIB = 2 ** 40;
let processes: Processes;
let helper: Helper;

before(async () => {
  processes = await createProcesses({ log: quietLog, temporary: join(folder, 'tmp'), helperModule: builtHelper });
  helper = processes.startHelper({
    name: 'hostile',
    module: new URL('./index-helper.ts', import.meta.url),
    deadlineMs: DEADLINE_MS,
    memoryLimit: MEMORY,
    isBinary: true,
  });
});
after(async () => {
  await helper.close();
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for the index of a file of these bytes; `size` makes it longer without taking room. */
async function refusalOf(bytes: Buffer, size = bytes.length): Promise<string> {
  const path = join(folder, 'file');
  const fd = openSync(path, 'w');
  writeSync(fd, bytes);
  ftruncateSync(fd, size);
  closeSync(fd);
  const { mtimeMs, ino } = statSync(path);
  const answer = await helper.ask<MediaAnswer>({ is: 'index', file: { path, size, mtimeMs, ino } satisfies AskedFile });
  return 'refused' in answer ? answer.refused : Object.keys(answer).join();
}

const FTYP = box('ftyp', Buffer.from('isom0000'));
const ENTRY = box('avc1', Buffer.alloc(78), box('avcC', Buffer.from([1, 100, 0, 10, 255, 0, 0])));
const chunk = fullBox('stsc', 0, 0, uint32s(1, 1, 1, 1));

/** A movie of one track with these tables. */
function movie(...tables: Buffer[]): Buffer {
  const header = initSegment({ kind: 'video', timescale: 1000, entry: ENTRY, width: 64, height: 48, shift: 0 });
  const start = header.indexOf('stbl') - 4;
  const stsd = fullBox('stsd', 0, 0, uint32s(1), ENTRY);
  const stbl = box('stbl', stsd, ...tables);
  const sized = (type: string, body: Buffer): Buffer => box(type, body);
  const minf = sized('minf', stbl);
  const mdhd = fullBox('mdhd', 0, 0, uint32s(0, 0, 1000, 0), uint16s(0, 0));
  const hdlr = fullBox('hdlr', 0, 0, uint32s(0), Buffer.from('vide'), uint32s(0, 0, 0), Buffer.from('\0'));
  assert.ok(start > 0);
  const mvhd = fullBox('mvhd', 0, 0, uint32s(0, 0, 1000, 0, 0x10000), Buffer.alloc(76));
  const tkhd = fullBox('tkhd', 0, 7, uint32s(0, 0, 1, 0, 0), Buffer.alloc(60));
  return Buffer.concat([FTYP, box('moov', mvhd, box('trak', tkhd, box('mdia', mdhd, hdlr, minf)))]);
}

function element(id: string, data: Buffer, size = data.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(0x0100000000000000n + BigInt(size));
  return Buffer.concat([Buffer.from(id, 'hex'), head, data]);
}
const UNKNOWN = Buffer.from('01ffffffffffffff', 'hex');
const EBML = element('1a45dfa3', element('4282', Buffer.from('matroska')));
const INFO = element('1549a966', element('4489', Buffer.from('42c80000', 'hex')));
const TRACK = element(
  'ae',
  Buffer.concat([
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([1])),
    element('86', Buffer.from('V_VP9')),
    element('e0', Buffer.concat([element('b0', Buffer.from([64])), element('ba', Buffer.from([48]))])),
  ]),
);
const TRACKS = element('1654ae6b', TRACK);
const matroska = (...parts: Buffer[]): Buffer =>
  Buffer.concat([EBML, Buffer.from('18538067', 'hex'), UNKNOWN, INFO, TRACKS, ...parts]);
const cluster = (...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('1f43b675', 'hex'), UNKNOWN, element('e7', Buffer.from([0])), ...parts]);
const cue = (time: number, at: number): Buffer =>
  element(
    'bb',
    Buffer.concat([
      element('b3', uint32s(time)),
      element('b7', Buffer.concat([element('f7', Buffer.from([1])), element('f1', uint64(at))])),
    ]),
  );
const repeated = (part: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => part));

test('movies whose tables claim more than there is are refused', async () => {
  const once = [fullBox('stts', 0, 0, uint32s(1, 0xffffffff, 1)), chunk, fullBox('stco', 0, 0, uint32s(1, 100))];
  const sized = (fixed: number, count: number): Buffer => fullBox('stsz', 0, 0, uint32s(fixed, count));
  assert.equal(await refusalOf(movie(sized(1000, 1_000_000_000), ...once)), 'too many samples');
  assert.equal(await refusalOf(movie(sized(0, 3_000_000), ...once)), 'a table is longer than its box');
  assert.equal(
    await refusalOf(
      movie(
        sized(1000, 3_000_000),
        fullBox('stts', 0, 0, uint32s(1, 3_000_000, 1)),
        fullBox('stsc', 0, 0, uint32s(1, 1, 0xffffffff, 1)),
        fullBox('stco', 0, 0, uint32s(1, 100)),
      ),
    ),
    'a sample lies outside of the file',
  );
  assert.equal(
    await refusalOf(
      movie(
        sized(10, 5),
        fullBox('stts', 0, 0, uint32s(1, 5, 1)),
        fullBox('stsc', 0, 0, uint32s(1, 1, 0, 1)),
        fullBox('stco', 0, 0, uint32s(1, 100)),
      ),
    ),
    'an empty chunk',
  );
  assert.equal(
    await refusalOf(
      movie(
        sized(10, 5),
        fullBox('stts', 0, 0, uint32s(1, 5, 1)),
        fullBox('stsc', 0, 0, uint32s(1, 1, 5, 1)),
        fullBox('co64', 0, 0, uint32s(1, 0x7fffffff, 0)),
      ),
    ),
    'a sample lies outside of the file',
  );
  assert.equal(
    await refusalOf(
      movie(sized(10, 5), fullBox('stts', 0, 0, uint32s(1, 4, 1)), chunk, fullBox('stco', 0, 0, uint32s(1, 100))),
    ),
    'fewer sample times than samples',
  );
  assert.equal(
    await refusalOf(
      movie(
        sized(10, 5),
        fullBox('stts', 0, 0, uint32s(1, 5, 1)),
        fullBox('stss', 0, 0, uint32s(1, 77)),
        chunk,
        fullBox('stco', 0, 0, uint32s(1, 100)),
      ),
    ),
    'a keyframe beyond the samples',
  );
});

test('boxes that are enormous, endless or empty are refused', async () => {
  const large = Buffer.concat([FTYP, uint32s(1), Buffer.from('moov'), uint64(TIB / 2)]);
  assert.equal(await refusalOf(large, TIB), 'the movie box is too large');
  assert.equal(await refusalOf(Buffer.concat([FTYP, repeated(box('free'), 900_000)])), 'too many boxes');
  assert.equal(await refusalOf(FTYP, TIB), 'no movie box');
  assert.equal(
    await refusalOf(Buffer.concat([FTYP, uint32s(4), Buffer.from('moov')])),
    'a box is shorter than its header',
  );
  assert.equal(await refusalOf(Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:4\n')), 'a container without an index');
});

test('fragments that claim a billion samples are refused', async () => {
  const init = initSegment({ kind: 'video', timescale: 1000, entry: ENTRY, width: 64, height: 48, shift: 0 });
  const moof = box(
    'moof',
    box('traf', fullBox('tfhd', 0, 0x020000, uint32s(1)), fullBox('trun', 0, 0, uint32s(1_000_000_000))),
  );
  assert.equal(await refusalOf(Buffer.concat([init, moof])), 'a run is longer than its box');
  const many = box(
    'moof',
    box('traf', fullBox('tfhd', 0, 0x020018, uint32s(1, 1, 0)), fullBox('trun', 0, 1, uint32s(20_000, 0))),
  );
  assert.equal(await refusalOf(Buffer.concat([init, repeated(many, 400)])), 'too many samples');
});

test('cues that lead in circles, back or nowhere are refused', async () => {
  const first = cluster(element('a3', Buffer.from('810000800000', 'hex')));
  const cuesOf = (cues: Buffer): Buffer => matroska(element('1c53bb6b', cues), first);
  const many = (at: number): Buffer => Buffer.concat(Array.from({ length: 20_000 }, (_, i) => cue(i, at)));
  const at = INFO.length + TRACKS.length + element('1c53bb6b', many(0)).length;
  assert.equal(
    await refusalOf(cuesOf(cue(0, INFO.length + TRACKS.length + element('1c53bb6b', cue(0, 0)).length))),
    'index',
    'the file itself is well formed',
  );
  assert.equal(await refusalOf(cuesOf(many(at))), 'Matroska cues that lead nowhere');
  assert.equal(await refusalOf(cuesOf(many(2 ** 45))), 'Matroska without cues');
  assert.equal(await refusalOf(cuesOf(many(0))), 'Matroska without cues');
  const loop = element(
    '114d9b74',
    element(
      '4dbb',
      Buffer.concat([element('53ab', Buffer.from('114d9b74', 'hex')), element('53ac', Buffer.from([0]))]),
    ),
  );
  assert.equal(
    await refusalOf(Buffer.concat([EBML, Buffer.from('18538067', 'hex'), UNKNOWN, loop, INFO, TRACKS, first])),
    'Matroska without cues',
  );
});

test('clusters of endless small elements and lying laces are refused', async () => {
  const cues = element('1c53bb6b', cue(0, 0));
  assert.equal(
    await refusalOf(matroska(cues, cluster(repeated(Buffer.from('ec80', 'hex'), 2_000_000)))),
    'too many Matroska elements',
  );
  // 256 frames of a block of 20 bytes: Xiph, EBML and fixed.
  for (const kind of ['02', '06', '04']) {
    const block = Buffer.concat([Buffer.from(`8100008${kind.slice(1)}ff`, 'hex'), Buffer.alloc(15, 0xfe)]);
    assert.match(await refusalOf(matroska(cues, cluster(element('a3', block)))), /Matroska (?:lacing|block)/);
  }
  assert.match(await refusalOf(matroska(element('1c53bb6b', Buffer.alloc(0), TIB), cluster()), 2 * TIB), /too large/);
});

test('attachments that lie are left out or refused, and never read', async () => {
  const first = cluster(element('a3', Buffer.from('810000800000', 'hex')));
  const attached = (data: Buffer, size = data.length): Buffer => element('61a7', element('465c', data, size));
  const font = Buffer.concat([Buffer.from('OTTO'), Buffer.alloc(60)]);
  const asked = async (list: Buffer, size?: number): Promise<MediaAnswer> => {
    const bytes = matroska(list, first);
    const path = join(folder, 'fonts');
    const fd = openSync(path, 'w');
    writeSync(fd, bytes);
    ftruncateSync(fd, size ?? bytes.length);
    closeSync(fd);
    const { mtimeMs, ino } = statSync(path);
    return helper.ask<MediaAnswer>({ is: 'fonts', file: { path, size: size ?? bytes.length, mtimeMs, ino } });
  };
  const count = (answer: MediaAnswer): number | string =>
    'fonts' in answer ? answer.fonts.length : Object.values(answer).join();
  assert.equal(
    count(
      await asked(
        element('1941a469', Buffer.concat([attached(font), attached(Buffer.from('#!/bin/sh')), attached(font)])),
      ),
    ),
    2,
  );
  assert.equal(count(await asked(element('1941a469', repeated(attached(font), 100)))), 64);
  assert.equal(count(await asked(element('1941a469', repeated(element('ec', Buffer.alloc(0)), 1_000_000)))), 0);
  assert.equal(
    count(await asked(element('1941a469', attached(font, TIB)), 2 * TIB)),
    'Matroska attachment',
    'longer than the file that it is in',
  );
  assert.equal(
    count(await asked(element('1941a469', repeated(element('ec', Buffer.alloc(0)), 10), TIB), 2 * TIB)),
    'EBML identifier',
    'the clusters that it swallows are not found',
  );
});

test('no file made the helper end', () => {
  assert.equal(helper.stats().replaced, 0);
});
