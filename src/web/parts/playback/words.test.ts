/** The words for plans. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { speak } from '../../messages/catalogue.ts';
import { costOf, shiftedWhy, soundNote, subtitleNote, wayOf, whyOf } from './words.ts';

before(() => speak(['en']));

type Way = Parameters<typeof wayOf>[0];
const track = (change: Partial<Way['audio'][number]> = {}): Way['audio'][number] => ({
  index: 1,
  codec: 'aac',
  title: 'English',
  channels: 2,
  default: true,
  selected: true,
  action: 'copy',
  ...change,
});
const video: NonNullable<Way['video']> = { action: 'copy', codec: 'h264', toneMap: false };

test('how it plays', () => {
  const way = (change: Partial<Way>) => wayOf({ mode: 'remux', video, audio: [track()], ...change });
  assert.equal(way({ mode: 'direct' }), 'Direct play');
  assert.equal(way({}), 'Plays unchanged in another container');
  assert.equal(
    way({ audio: [track({ selected: false }), track({ index: 2, action: 'convert' })] }),
    'Sound is converted',
  );
  assert.equal(way({ mode: 'transcode', video: { ...video, action: 'convert' } }), 'Picture is converted');
  assert.equal(
    way({ mode: 'transcode', video: { ...video, action: 'convert' }, audio: [track({ action: 'convert' })] }),
    'Picture and sound are converted',
  );
});
test('what a quality costs', () => {
  assert.equal(
    costOf({ id: '1080p-8', label: '1080p', height: 1080, bitrate: 8_000_000 }, { video }),
    '8.0 Mb/s · converts the picture',
  );
  assert.equal(
    costOf({ id: '480p-1.5', label: '480p', height: 480, bitrate: 1_500_000 }, { video }),
    '1.5 Mb/s · converts the picture',
  );
  assert.equal(
    costOf({ id: 'original', label: 'Original', height: 1080, bitrate: 0 }, { video }),
    'the original picture',
  );
});
test('reasons are sentences, each said once', () => {
  assert.deepEqual(
    whyOf({
      reasons: [
        { code: 'audio-codec-not-supported', detail: 'this browser does not play AC-3' },
        { code: 'audio-track', detail: 'this browser does not play AC-3' },
        { code: 'no-index', detail: '' },
      ],
    }),
    ['This browser does not play AC-3.', 'No-index.'],
  );
});
test('a stream that the viewer asked for does not blame the container', () => {
  const reasons = [
    { code: 'container-not-supported', detail: 'This player does not open WebM files.' },
    { code: 'open-gop', detail: 'Converted.' },
  ] as const;
  assert.deepEqual(shiftedWhy({ reasons: [...reasons] }), [
    'Repacked, because audio can only be moved earlier in a stream.',
    'Converted.',
  ]);
});
test('a downmix and a burned subtitle are explained', () => {
  assert.equal(soundNote(track({ codec: 'ac3', channels: 6 })), 'Dolby Digital · 5.1');
  assert.equal(
    soundNote(track({ action: 'convert' }), { codec: 'dts', channels: 6 }),
    'DTS · 5.1 · converted to AAC · mixed down to stereo, with clearer voices',
  );
  assert.equal(subtitleNote({ role: 'forced', delivery: 'text', format: 'subrip' }), 'Foreign dialogue and signs only');
  assert.equal(
    subtitleNote({ role: 'normal', delivery: 'burn', format: 'dvb_subtitle' }),
    'Burned in by the server, which converts the picture',
  );
  assert.equal(subtitleNote({ role: 'normal', delivery: 'text', format: 'subrip' }), undefined);
});
