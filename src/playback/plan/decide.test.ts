/** The decision, row by row: what a file is, what a client can, what the server allows, and what follows exactly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from './decide.ts';
import { codecName, containerName, hdrName } from './names.ts';
import * as cases from './testing/cases.ts';
import { PLAYERS, type Row } from './testing/players.ts';
import { decided, type TestCase, LETTERS, letters, questionOf, recipeLine, rejections } from './testing/read.ts';
import { PLAY_REASONS } from '../../contract/playback/reasons.ts';

const ROWS: readonly Row[] = [...PLAYERS, ...Object.values(cases).flat()];

function check(rows: readonly Row[]): void {
  for (const [film, client, given, way, rejected, recipe] of rows) {
    const decision = decided(film, client, given);
    const what = `${film} on ${client} ${JSON.stringify(given)}`;
    assert.deepEqual(
      [
        decision.way ?? (decision.refusal === 'busy' ? 'busy' : 'refused'),
        rejections(decision),
        recipeLine(decision.recipe),
      ],
      [way, rejected, recipe],
      what,
    );
    // Every reason of a way that was rejected is in the reply, and each is a sentence.
    const own = letters(decision);
    for (const letter of rejected.replaceAll('|', ''))
      assert.ok(own.includes(letter), `${what}: ${letter} is not in ${own}`);
    for (const { detail } of [...decision.reasons, ...decision.rejected.flatMap(({ reasons }) => reasons)])
      assert.match(detail, /^[A-Z][^!]{15,140}\.$/, what);
  }
}

test('each player gets each file in the way that touches least', () => check(PLAYERS));
for (const [name, rows] of Object.entries(cases))
  test(`what follows from ${name.toLowerCase().replaceAll('_', ' ')}`, () => check(rows));

test('every reason occurs in a row, and no letter means two', () => {
  const found = new Set(
    ROWS.flatMap(([film, client, given]) => decided(film, client, given).reasons.map(({ code }) => code)),
  );
  found.add(decide({ ...questionOf('mp4', 'silent'), info: undefined }).reasons[0]?.code ?? 'mode');
  assert.deepEqual([...found].sort(), [...PLAY_REASONS].sort());
  assert.equal(new Set(Object.values(LETTERS)).size, PLAY_REASONS.length);
  assert.ok(ROWS.length > 400);
});

const SENTENCES: readonly [film: Row[0], client: Row[1], given: TestCase, sentences: readonly string[]][] = [
  [
    'mp4Eac3',
    'chromium',
    {},
    [
      'This player does not play Dolby Digital Plus sound, so the sound is converted to AAC. The picture is not ' +
        'touched.',
    ],
  ],
  [
    'mkvAc3',
    'cast',
    {},
    [
      'This player does not open Matroska files, so the file is repacked while it plays. The picture is not touched.',
      'This player does not play Dolby Digital sound, so the sound is converted to AAC stereo. The picture is ' +
        'not touched.',
      'The sound has 6 channels and this player takes at most 2, so the sound is converted to AAC stereo. The ' +
        'picture is not touched.',
    ],
  ],
  [
    'mkv',
    'chromium',
    {},
    [
      'This player does not open Matroska files, so the file is repacked while it plays. Picture and sound are ' +
        'not touched.',
    ],
  ],
  [
    'mkvDts',
    'mpv',
    { settings: { mode: 'direct' }, audio: 1, client: { containers: 'mp4' } },
    [
      'This player does not open Matroska files.',
      'DTS sound can only be played from the file itself.',
      'This server is set to play films without converting them.',
    ],
  ],
  [
    'mkv',
    'chromium',
    { client: { videoCodecs: 'vp9,h264-converted' } },
    [
      'This player does not open Matroska files.',
      'This player could not play the H.264 video of this file, so the video is converted to H.264 at 1080p.',
    ],
  ],
  [
    'mkvMixed',
    'safari',
    { tracks: { 2: { obstacles: ['empty'] } } },
    [
      'This player does not open Matroska files, so the file is repacked while it plays. The picture is not touched.',
      'This player does not play DTS sound, so the sound is converted to Dolby Digital Plus. The picture is not ' +
        'touched.',
      'The file lists a sound track without any sound, so it is left out.',
    ],
  ],
  [
    'mp4',
    'chromium',
    { quality: '720p-3', policy: { transcode: false } },
    ['The chosen quality needs a conversion, which is not allowed here.'],
  ],
  [
    'mp4',
    'chromium',
    { quality: '720p-3', client: { maxBitrate: 2_000_000 } },
    [
      'A lower quality was chosen, so the video is converted to H.264 at 480p.',
      'This takes 6.2 Mbit/s and at most 2 are allowed, so the video is converted to H.264 at 480p.',
      'The chosen quality is more than this server or the connection manages, so a lower one is played.',
    ],
  ],
  ['hevc', 'chromium', {}, ['This player does not play HEVC video, so the video is converted to H.264 at 1080p.']],
  [
    'high10',
    'safari',
    {},
    [
      'This player does not open Matroska files.',
      'This player does not play the High 10 profile of H.264 video, so the video is converted to H.264 at 1080p.',
    ],
  ],
  [
    'uhdMp4Hdr10',
    'chromium',
    { machine: 'two' },
    [
      'This player does not play HEVC video, so the video is converted to H.264 at 480p.',
      'This player does not show HDR10 pictures, so its colours are converted for an ordinary screen.',
    ],
  ],
  ['dolby5', 'newTv', {}, ['The video is in Dolby Vision profile 5, which this player does not show.']],
  [
    'mp4',
    'chromium',
    { quality: '720p-3' },
    ['A lower quality was chosen, so the video is converted to H.264 at 720p.'],
  ],
  [
    'mp4',
    'chromium',
    { policy: { isRemote: true }, settings: { remoteBitrate: 4_000_000 } },
    ['This takes 6.2 Mbit/s and at most 4 are allowed away from home, so the video is converted to H.264 at 720p.'],
  ],
  [
    'mp4',
    'chromium',
    { client: { maxBitrate: 4_000_000 } },
    ['This takes 6.2 Mbit/s and at most 4 are allowed, so the video is converted to H.264 at 720p.'],
  ],
  [
    'mp4',
    'chromium',
    { client: { maxHeight: 720 } },
    ['The picture has 1080 lines and this player takes at most 720, so the video is converted to H.264 at 720p.'],
  ],
  [
    'subtitles',
    'newTv',
    { subtitle: 's4' },
    ['The chosen subtitles are pictures that this player cannot draw, so they are drawn into the video.'],
  ],
  [
    'mp4Languages',
    'safari',
    { audio: 2 },
    [
      'The chosen sound is not the one that the file starts with, so the file is repacked while it plays. ' +
        'Picture and sound are not touched.',
    ],
  ],
  [
    'mkv',
    'chromium',
    { obstacles: ['open-gop'] },
    [
      'This player does not open Matroska files.',
      'The video has too few points at which this player can start, so the video is converted to H.264 at 1080p.',
    ],
  ],
  [
    'interlacedMp4',
    'chromium',
    {},
    ['The video is interlaced, and this player would show comb lines, so the video is converted to H.264 at 1080p.'],
  ],
  [
    'phone',
    'newTv',
    {},
    [
      'This player does not open QuickTime files.',
      'The picture is stored turned by 90 degrees, so the video is converted to H.264 at 1080p.',
    ],
  ],
  [
    'hevc',
    'chromium',
    { policy: { transcode: false } },
    ['This player does not play HEVC video.', 'This Profile may not have media converted.'],
  ],
  [
    'hevc',
    'chromium',
    { machine: 'busy' },
    ['This player does not play HEVC video.', 'This server is converting as many films as it can.'],
  ],
  [
    'hevc',
    'chromium',
    { machine: 'vaapi', trouble: { hardwareFailed: ['vaapi'] } },
    [
      'This player does not play HEVC video, so the video is converted to H.264 at 1080p.',
      'The graphics hardware failed on this film, so the processor converts it.',
    ],
  ],
  [
    'vp9',
    'oldTv',
    { settings: { mode: 'compatible' } },
    [
      'This server is set to send the most compatible form of everything.',
      'This player does not open WebM files.',
      'This player does not play VP9 video, so the video is converted to H.264 at 1080p.',
      'This player does not play Opus sound, so the sound is converted to AAC.',
      'This server is set to send H.264 video only.',
      'This server is set to send AAC sound only.',
    ],
  ],
];
test('reasons are sentences that a viewer understands', () => {
  for (const [film, client, given, sentences] of SENTENCES)
    assert.deepEqual(
      decided(film, client, given).reasons.map(({ detail }) => detail),
      sentences,
      `${film} on ${client} ${JSON.stringify(given)}`,
    );
});

test('a reason names its stream', () => {
  const { reasons } = decided('mkvMixed', 'cast');
  assert.deepEqual(
    reasons.map(({ code, stream }) => [code, stream]),
    [
      ['container-not-supported', undefined],
      ['audio-codec-not-supported', 1],
      ['audio-channels', 1],
    ],
  );
  assert.deepEqual(
    decided('phone', 'newTv').reasons.map(({ code, stream }) => [code, stream]),
    [
      ['container-not-supported', undefined],
      ['rotated', 0],
    ],
  );
});

test('qualities are those that can be held, the original first while nothing has to be converted', () => {
  const ids = (...[film, client, given]: Parameters<typeof decided>) =>
    decided(film, client, given)
      .qualities.map(({ id }) => id)
      .join(' ');
  assert.equal(ids('mp4', 'chromium'), 'original 1080p-5 720p-3 480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('mp4', 'chromium', { quality: '480p-1.5' }), 'original 1080p-5 720p-3 480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('hevc', 'chromium'), '1080p-5 720p-3 480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('hevc', 'safari'), 'original 480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('uhdHdr10', 'chromium', { machine: 'two' }), '480p-1.5');
  assert.equal(ids('hevc', 'chromium', { machine: 'one' }), '480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('mp4', 'chromium', { client: { maxBitrate: 2_000_000 } }), '480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('mp4', 'chromium', { client: { maxHeight: 480 } }), '480p-1.5 360p-0.8 240p-0.4');
  assert.equal(ids('mp4', 'chromium', { policy: { transcode: false } }), 'original');
  assert.equal(ids('mp4', 'chromium', { machine: 'busy' }), 'original');
  assert.equal(ids('hevc', 'chromium', { machine: 'busy' }), '');
  assert.equal(ids('music', 'chromium'), '');
  assert.deepEqual(decided('fast', 'chromium').qualities.slice(0, 3), [
    { id: 'original', label: 'Original', height: 1080, bitrate: 12_192_000 },
    { id: '1080p-5', label: '1080p · 7 Mbit/s', height: 1080, bitrate: 7_192_000 },
    { id: '720p-3', label: '720p · 4.2 Mbit/s', height: 720, bitrate: 4_392_000 },
  ]);
  assert.deepEqual(decided('dvd', 'chromium').qualities[0], {
    id: '720p-3',
    label: '576p · 3 Mbit/s',
    height: 576,
    bitrate: 3_192_000,
  });
});

test('a file that could not be examined is sent unchanged', () => {
  const { way, reasons, recipe } = decide({
    ...questionOf('mp4', 'chromium', { settings: { mode: 'compatible' } }),
    info: undefined,
  });
  assert.deepEqual(
    [way, reasons.map(({ code }) => code), recipe],
    ['direct', ['not-analysed'], { way: 'direct', audio: [], subtitles: [] }],
  );
});

test('names are one word, whoever says them', () => {
  for (const [name, is] of [
    ['avc1.4D401E', 'h264'],
    ['H.264', 'h264'],
    ['pcm_s16le', 'pcm'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ] as const)
    assert.equal(codecName(name), is);
  for (const [name, is] of [
    ['mkv', 'matroska'],
    ['TS', 'mpegts'],
    ['toString', 'tostring'],
    ['valueOf', 'valueof'],
  ] as const)
    assert.equal(containerName(name), is);
  for (const [name, is] of [
    ['PQ', 'hdr10'],
    ['dv', 'dolby-vision'],
    ['DV-5', 'dolby-vision-5'],
    ['dovi.8.1', 'dolby-vision-8.1'],
    ['dolby-vision-8', 'dolby-vision-8'],
    ['dvd', 'dvd'],
  ] as const)
    assert.equal(hdrName(name), is);
});
