/** File names below /hls: each valid one is parsed, and all others are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAD_NAMES } from './testing.ts';
import { type HlsFile, initName, playlistName, readHlsName, segmentName } from './names.ts';

const FILES: readonly (readonly [name: string, file: HlsFile])[] = [
  ['master.m3u8', { is: 'master' }],
  ['v0.m3u8', { is: 'playlist', stream: { kind: 'video', number: 0 } }],
  ['a12.m3u8', { is: 'playlist', stream: { kind: 'audio', number: 12 } }],
  ['ss2.m3u8', { is: 'playlist', stream: { kind: 'subtitle', key: 's2' } }],
  ['sf0.m3u8', { is: 'playlist', stream: { kind: 'subtitle', key: 'f0' } }],
  ['i.m3u8', { is: 'playlist', stream: { kind: 'keyframes' } }],
  ['v0-init.mp4', { is: 'init', stream: { kind: 'video', number: 0 }, part: 1 }],
  ['a3-init2.mp4', { is: 'init', stream: { kind: 'audio', number: 3 }, part: 2 }],
  ['v1-0.m4s', { is: 'segment', stream: { kind: 'video', number: 1 }, number: 0 }],
  ['a1-123456.m4s', { is: 'segment', stream: { kind: 'audio', number: 1 }, number: 123_456 }],
  ['i-7.m4s', { is: 'segment', stream: { kind: 'keyframes' }, number: 7 }],
  ['ss2-3.vtt', { is: 'segment', stream: { kind: 'subtitle', key: 's2' }, number: 3 }],
];
test('every file has a name, and the name leads back to it', () => {
  for (const [name, file] of FILES) {
    assert.deepEqual(readHlsName(name), file, name);
    if (file.is === 'playlist') assert.equal(playlistName(file.stream), name);
    if (file.is === 'segment') assert.equal(segmentName(file.stream, file.number), name);
    if (file.is === 'init') assert.equal(initName(file.stream, file.part), name);
  }
});

test('no other name is a file', () => {
  for (const name of BAD_NAMES) assert.equal(readHlsName(name), undefined, JSON.stringify(name));
});
