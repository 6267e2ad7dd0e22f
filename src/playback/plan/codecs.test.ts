/** Content types and codecs strings, compared with RFC 6381 and the bindings of each codec. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stream } from '../../catalog/index.ts';
import { codecString, mediaTypeOf, typeWithCodecs } from './codecs.ts';

const stream = (codec: string, more: Partial<Stream> = {}): Stream => ({
  index: 0,
  type: 'video',
  codec,
  default: false,
  forced: false,
  hearingImpaired: false,
  commentary: false,
  original: false,
  cover: false,
  ...more,
});

const ROWS: readonly [codec: string, more: Partial<Stream>, container: string, expected: string | undefined][] = [
  ['h264', { profile: 'High', level: 40 }, 'mp4', 'avc1.640028'],
  ['h264', { profile: 'High', level: 51 }, 'mp4', 'avc1.640033'],
  ['h264', { profile: 'Main', level: 31 }, 'mp4', 'avc1.4D401F'],
  ['h264', { profile: 'Baseline', level: 30 }, 'mp4', 'avc1.42001E'],
  ['h264', { profile: 'Constrained Baseline', level: 30 }, 'mp4', 'avc1.42E01E'],
  ['h264', { profile: 'Baseline', level: 9 }, 'mp4', 'avc1.42100B'],
  ['h264', { profile: 'High 10', level: 50 }, 'matroska', 'avc1.6E0032'],
  ['h264', { profile: 'High 4:2:2', level: 41 }, 'mp4', 'avc1.7A0029'],
  ['h264', { profile: 'High 4:4:4 Predictive', level: 41 }, 'mp4', 'avc1.F40029'],
  ['h264', {}, 'mp4', 'avc1.640028'],
  ['h264', { bitDepth: 10 }, 'mp4', undefined],
  ['h264', { profile: 'Something new' }, 'mp4', undefined],
  ['hevc', { profile: 'Main', level: 93 }, 'mp4', 'hvc1.1.6.L93.B0'],
  ['hevc', { profile: 'Main 10', level: 153 }, 'mp4', 'hvc1.2.4.L153.B0'],
  ['hevc', { bitDepth: 10, level: 120 }, 'mp4', 'hvc1.2.4.L120.B0'],
  ['hevc', {}, 'mp4', 'hvc1.1.6.L120.B0'],
  ['hevc', { profile: 'Scalable' }, 'mp4', undefined],
  ['vp9', { profile: 'Profile 0', width: 1920, height: 1080, frameRate: 24 }, 'webm', 'vp09.00.40.08'],
  ['vp9', { profile: 'Profile 0', width: 1920, height: 1080, frameRate: 60 }, 'webm', 'vp09.00.41.08'],
  ['vp9', { profile: 'Profile 2', width: 3840, height: 2160, frameRate: 30, bitDepth: 10 }, 'webm', 'vp09.02.50.10'],
  ['vp9', { profile: 'Profile 2', width: 192, height: 108, frameRate: 25 }, 'webm', 'vp09.02.10.10'],
  ['av1', { profile: 'Main', level: 8, bitDepth: 8 }, 'mp4', 'av01.0.08M.08'],
  ['av1', { profile: 'Main', level: 13, bitDepth: 10 }, 'mp4', 'av01.0.13M.10'],
  ['av1', { profile: 'High', level: 0, bitDepth: 8 }, 'mp4', 'av01.1.00M.08'],
  ['av1', { width: 1920, height: 1080, frameRate: 60 }, 'mp4', 'av01.0.09M.08'],
  ['vp8', {}, 'webm', 'vp8'],
  ['mpeg4', { profile: 'Advanced Simple Profile' }, 'mp4', 'mp4v.20.240'],
  ['mpeg4', { profile: 'Simple Profile' }, 'mp4', 'mp4v.20.9'],
  ['mpeg2video', {}, 'mpegts', 'mp4v.61'],
  ['vc1', {}, 'matroska', undefined],
  ['aac', { type: 'audio', profile: 'LC' }, 'mp4', 'mp4a.40.2'],
  ['aac', { type: 'audio', profile: 'HE-AAC' }, 'mp4', 'mp4a.40.5'],
  ['aac', { type: 'audio', profile: 'HE-AACv2' }, 'mp4', 'mp4a.40.29'],
  ['aac', { type: 'audio' }, 'matroska', 'mp4a.40.2'],
  ['mp3', { type: 'audio' }, 'mp4', 'mp4a.6B'],
  ['mp3', { type: 'audio' }, 'mp3', 'mp3'],
  ['opus', { type: 'audio' }, 'webm', 'opus'],
  ['flac', { type: 'audio' }, 'mp4', 'flac'],
  ['vorbis', { type: 'audio' }, 'webm', 'vorbis'],
  ['ac3', { type: 'audio' }, 'mp4', 'ac-3'],
  ['eac3', { type: 'audio' }, 'mp4', 'ec-3'],
  ['alac', { type: 'audio' }, 'mp4', 'alac'],
  ['dts', { type: 'audio', profile: 'DTS' }, 'matroska', 'dtsc'],
  ['dts', { type: 'audio', profile: 'DTS-HD HRA' }, 'matroska', 'dtsh'],
  ['dts', { type: 'audio', profile: 'DTS-HD MA' }, 'matroska', 'dtsl'],
  ['truehd', { type: 'audio' }, 'matroska', 'mlpa'],
  ['pcm_s16le', { type: 'audio' }, 'mov', undefined],
];
test('codecs have the names of their standards', () => {
  for (const [codec, more, container, expected] of ROWS)
    assert.equal(codecString(stream(codec, more), container), expected, `${codec} ${more.profile ?? ''}`);
});

test('a type names all codecs or none', () => {
  const h264 = stream('h264', { profile: 'High', level: 40 });
  const aac = stream('aac', { type: 'audio', profile: 'LC' });
  assert.equal(
    typeWithCodecs({ container: 'mp4', extension: 'mp4', streams: [h264, aac] }),
    'video/mp4; codecs="avc1.640028,mp4a.40.2"',
  );
  assert.equal(
    typeWithCodecs({
      container: 'matroska',
      extension: 'mkv',
      streams: [h264, stream('pcm_s16le', { type: 'audio' })],
    }),
    'video/x-matroska',
  );
  assert.equal(typeWithCodecs({ container: 'mp4', extension: 'm4a', streams: [aac] }), 'audio/mp4; codecs="mp4a.40.2"');
  assert.equal(typeWithCodecs({ container: 'mp4', extension: 'mp4', streams: [] }), 'audio/mp4');
});

test('a container has a type, and without a probe the extension has', () => {
  for (const [container, extension, expected] of [
    ['mp4', 'x', 'video/mp4'],
    ['matroska', 'mkv', 'video/x-matroska'],
    ['webm', 'webm', 'video/webm'],
    ['mpegts', 'ts', 'video/mp2t'],
    [undefined, 'MKV', 'video/x-matroska'],
    [undefined, 'm4v', 'video/mp4'],
    [undefined, 'txt', 'application/octet-stream'],
    [undefined, 'constructor', 'application/octet-stream'],
    ['nut', 'nut', 'application/octet-stream'],
  ] as const) {
    assert.equal(mediaTypeOf({ container, extension }), expected, `${container} ${extension}`);
  }
  assert.equal(mediaTypeOf({ container: 'flac', extension: 'flac' }), 'audio/flac');
});
