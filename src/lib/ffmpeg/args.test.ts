/** Argument lists of ffmpeg and ffprobe, word by word, and the values that none of them takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audioArgs, frameArgs, inputArgs, picturesArgs, probeArgs, textArgs, waveArgs } from './args.ts';
import { DECODERS, DEMUXERS } from './index.ts';

const GUARDS =
  `-protocol_whitelist file,pipe -format_whitelist ${DEMUXERS.join(',')} -codec_whitelist ${DECODERS.join(',')}` +
  ' -max_streams 100 -probesize 10M -analyzeduration 10M';
const INPUT = '-i file:/dev/fd/0';
const START = `-nostdin -hide_banner -v error ${GUARDS}`;
const PROGRESS = '-progress pipe:3 -stats_period 1';
const is = (args: readonly string[], words: string): void => assert.deepEqual(args, words.split(' '));
const endsIn = (args: readonly string[], words: string): void => is(args.slice(-words.split(' ').length), words);

test('an input is read under allow-lists', () => {
  is(inputArgs(), `${START} ${INPUT}`);
  is(
    probeArgs(),
    `-hide_banner -v error ${GUARDS} -print_format json -show_format -show_streams -show_chapters ${INPUT}`,
  );
});

test('text tracks are copied or converted, each into its own pipe', () => {
  is(
    textArgs({
      tracks: [
        { stream: 2, format: 'srt', codec: 'subrip' },
        { stream: 5, format: 'webvtt', codec: 'ass' },
      ],
    }),
    `${START} -copyts ${INPUT} -progress pipe:4 -stats_period 1` +
      ' -map 0:2 -c:s copy -flush_packets 1 -f srt pipe:1 -map 0:5 -c:s webvtt -flush_packets 1 -f webvtt pipe:3',
  );
  endsIn(
    textArgs({ tracks: [{ stream: 2, format: 'srt' }], zero: 1.4291 }),
    `-copyts ${INPUT} ${PROGRESS} -map 0:2 -c:s srt -output_ts_offset -1.429 -flush_packets 1 -f srt pipe:1`,
  );
});

test('picture tracks are copied, and those of television become those of discs', () => {
  const start = `${START} -copyts ${INPUT} ${PROGRESS} -map 0:3 -map_chapters -1`;
  is(picturesArgs({ stream: 3, codec: 'hdmv_pgs_subtitle' }), `${start} -c:s copy -f sup pipe:1`);
  is(picturesArgs({ stream: 3, codec: 'dvd_subtitle' }), `${start} -c:s copy -f matroska pipe:1`);
  is(picturesArgs({ stream: 3, codec: 'dvb_subtitle' }), `${start} -c:s dvdsub -s 1920x1080 -f matroska pipe:1`);
});

test('a frame is scaled down and encoded', () => {
  is(
    frameArgs({ at: 61.5, width: 320 }),
    `${START} -threads 2 -ss 61.500 ${INPUT} -map 0:V:0 -an -sn -dn -frames:v 1` +
      " -vf scale=w='min(320,iw)':h=-2:flags=bicubic -c:v mjpeg -q:v 3 -pix_fmt yuvj420p -threads 1" +
      ' -f image2pipe pipe:1',
  );
});

test('sound becomes samples, in a pipe or a file', () => {
  is(
    audioArgs({ stream: 1, from: 5, length: 10 }),
    `${START} -ss 5.000 ${INPUT} -map 0:1 -t 10.000` +
      ' -af aformat=sample_rates=16000:channel_layouts=mono:sample_fmts=s16,aresample=async=1:first_pts=0' +
      ' -c:a pcm_s16le -ac 1 -ar 16000 -f s16le pipe:1',
  );
  endsIn(
    waveArgs({ stream: 1, zero: 1.5, to: '/cache/sound.wav' }),
    '-c:a pcm_s16le -ac 1 -ar 16000 -progress pipe:1 -stats_period 1 -f wav file:/cache/sound.wav',
  );
});

test('only absolute paths, whole numbers and times get in', () => {
  for (const to of ['a.wav', '-y', 'http://x/', '', '/a\0b']) assert.throws(() => waveArgs({ to }), TypeError);
  for (const stream of [-1, 1.5, NaN, Infinity]) {
    assert.throws(() => textArgs({ tracks: [{ stream, format: 'srt' }] }), TypeError);
    assert.throws(() => picturesArgs({ stream, codec: 'dvd_subtitle' }), TypeError);
    assert.throws(() => frameArgs({ at: 0, width: stream }), TypeError);
  }
  for (const at of [-1, NaN, Infinity]) assert.throws(() => frameArgs({ at, width: 100 }), TypeError);
});

test('nothing that opens other files is on the list', () => {
  const bad = [
    'hls',
    'dash',
    'concat',
    'image2',
    'sdp',
    'rtsp',
    'rtp',
    'lavfi',
    'vobsub',
    'imf',
    'ffmetadata',
    'applehttp',
    'avs',
    'data',
    'tty',
    'libopenmpt',
    'fbdev',
    'x11grab',
  ];
  assert.deepEqual(
    DEMUXERS.filter((name) => bad.includes(name)),
    [],
  );
});
