/**
 * Playlists: what they say, that another reader understands them as they are meant, and Apple's authoring rules row by
 * row.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { M3U8Parser, type MediaPlaylist as ParsedMedia } from 'hls.js';
import {
  findSegment,
  type Master,
  masterPlaylist,
  mediaPlaylist,
  type PlaylistPart,
  type VariantFacts,
  subtitleParts,
  targetDurationOf,
} from './playlists.ts';

const spans = (...starts: number[]): { start: number; duration: number }[] =>
  starts.map((start, n) => ({ start, duration: (starts[n + 1] ?? start + 2) - start }));
const part = (start: number, duration: number, ...starts: number[]): PlaylistPart => ({
  start,
  duration,
  segments: spans(...starts).map((span) => ({
    ...span,
    duration: span.start < duration ? Math.min(span.duration, duration - span.start) : span.duration,
  })),
});
const QUERY = '?session=0123456789abcdef&ticket=mat_tkt_x';
const VIDEO: VariantFacts = {
  codecs: 'avc1.640028',
  bandwidth: { peak: 9_000_000, average: 6_000_000 },
  width: 1920,
  height: 1080,
  frameRate: 24_000 / 1001,
  range: 'SDR',
};
const AUDIO: VariantFacts = { codecs: 'mp4a.40.2', bandwidth: { peak: 200_000, average: 190_000 }, channels: 2 };
const master: Master = {
  videos: [{ number: 0, facts: VIDEO }],
  audios: [
    { number: 1, facts: AUDIO, name: 'English · stereo', language: 'en', isDefault: true, isCommentary: false },
    {
      number: 2,
      facts: { ...AUDIO, codecs: 'ac-3', channels: 6, bandwidth: { peak: 640_000, average: 640_000 } },
      name: 'German "5.1"',
      language: 'de',
      isDefault: false,
      isCommentary: false,
    },
    { number: 3, facts: AUDIO, name: 'English · stereo', language: 'en', isDefault: false, isCommentary: true },
  ],
  subtitles: [
    { key: 's4', name: 'English', language: 'en', role: 'normal', isDefault: false },
    { key: 'f0', name: 'English SDH', language: 'en', role: 'sdh', isDefault: false },
    { key: 's5', name: 'French forced', language: 'fr', role: 'forced', isDefault: false },
  ],
  keyframes: VIDEO,
  query: QUERY,
};

test('the master playlist names every stream with what a player needs to choose', () => {
  assert.equal(
    masterPlaylist(master),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English · ' +
        `stereo",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a1.m3u8${QUERY}"`,
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="German ' +
        `'5.1'",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="6",URI="a2.m3u8${QUERY}"`,
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English · stereo ' +
        `(2)",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="2",URI="a3.m3u8${QUERY}"`,
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,' +
        `FORCED=NO,URI="ss4.m3u8${QUERY}"`,
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English ' +
        'SDH",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,' +
        'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,' +
        `public.accessibility.describes-music-and-sound",URI="sf0.m3u8${QUERY}"`,
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="French ' +
        `forced",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,URI="ss5.m3u8${QUERY}"`,
      '#EXT-X-STREAM-INF:BANDWIDTH=9640000,AVERAGE-BANDWIDTH=6640000,CODECS="avc1.640028,mp4a.40.2,ac-3",' +
        'RESOLUTION=1920x1080,FRAME-RATE=23.976,VIDEO-RANGE=SDR,AUDIO="audio",SUBTITLES="subtitles",' +
        'CLOSED-CAPTIONS=NONE',
      `v0.m3u8${QUERY}`,
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9000000,AVERAGE-BANDWIDTH=6000000,CODECS="avc1.640028",' +
        `RESOLUTION=1920x1080,VIDEO-RANGE=SDR,URI="i.m3u8${QUERY}"`,
      '',
    ].join('\n'),
  );
});

test('hls.js reads the master playlist as it is meant', () => {
  const text = masterPlaylist({
    ...master,
    videos: [
      { number: 0, facts: { ...VIDEO, codecs: 'hvc1.2.4.L153.B0', supplemental: 'dvh1.08.06/db1p', range: 'PQ' } },
    ],
  });
  const read = M3U8Parser.parseMasterPlaylist(text, 'https://house/hls/1/master.m3u8');
  const { levels, playlistParsingError, iframeVariants } = read;
  assert.equal(playlistParsingError, null);
  assert.deepEqual(
    levels.map(({ url, bitrate, width, height, videoCodec, audioCodec }) => [
      url,
      bitrate,
      width,
      height,
      videoCodec,
      audioCodec,
    ]),
    [[`https://house/hls/1/v0.m3u8${QUERY}`, 9_640_000, 1920, 1080, 'hvc1.2.4.L153.B0', 'mp4a.40.2,ac-3']],
  );
  assert.deepEqual(
    [levels[0]?.supplemental?.videoCodec, levels[0]?.attrs['VIDEO-RANGE'], levels[0]?.attrs['FRAME-RATE']],
    ['dvh1.08.06', 'PQ', '23.976'],
  );
  assert.deepEqual(
    iframeVariants.map(({ url }) => url),
    [`https://house/hls/1/i.m3u8${QUERY}`],
  );
  const parsed = M3U8Parser.parseMasterPlaylistMedia(text, 'https://house/hls/1/master.m3u8', read);
  const rows = (all: ParsedMedia[] | undefined) =>
    all?.map(({ name, lang, default: isDefault, autoselect, forced, url }) => [
      name,
      lang,
      isDefault,
      autoselect,
      forced,
      url,
    ]);
  assert.deepEqual(rows(parsed.AUDIO), [
    ['English · stereo', 'en', true, true, false, `https://house/hls/1/a1.m3u8${QUERY}`],
    ["German '5.1'", 'de', false, true, false, `https://house/hls/1/a2.m3u8${QUERY}`],
    ['English · stereo (2)', 'en', false, false, false, `https://house/hls/1/a3.m3u8${QUERY}`],
  ]);
  assert.deepEqual(
    parsed.SUBTITLES?.map(({ name, forced, characteristics }) => [
      name,
      forced,
      characteristics?.includes('transcribes'),
    ]),
    [
      ['English', false, undefined],
      ['English SDH', false, true],
      ['French forced', true, undefined],
    ],
  );
});

test('a name cannot end its line or its quotation', () => {
  const text = masterPlaylist({
    ...master,
    subtitles: [],
    audios: [
      {
        ...master.audios[0],
        name: 'a",URI="http://elsewhere/\r\n#EXT-X-ENDLIST\u2028',
        number: 1,
        facts: AUDIO,
        language: undefined,
        isDefault: true,
        isCommentary: false,
      },
    ],
  });
  assert.equal(text.split(/\r|\n|\u2028/).length, 8);
  assert.match(text, /NAME="a',URI='http:\/\/elsewhere\/ {2}#EXT-X-ENDLIST ",DEFAULT=YES/);
});

test('sound alone is a variant for each track, the chosen one first', () => {
  const text = masterPlaylist({
    ...master,
    videos: [],
    subtitles: [],
    keyframes: undefined,
    audios: master.audios.map((one) => ({ ...one, isDefault: one.number === 2 })),
    query: '',
  });
  assert.equal(
    text,
    '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=640000,AVERAGE-BANDWIDTH=640000,CODECS="ac-3",CLOSED-CAPTIONS=NONE\na2.m3u8\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=200000,AVERAGE-BANDWIDTH=190000,CODECS="mp4a.40.2",CLOSED-CAPTIONS=NONE\n' +
      'a1.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=200000,AVERAGE-BANDWIDTH=190000,CODECS="mp4a.40.2",' +
      'CLOSED-CAPTIONS=NONE\na3.m3u8\n',
  );
});

const FILM = [part(0, 10.01, 0, 4.004, 8.008), part(10.01, 6.5, 0.042, 4.2)];

test('a media playlist is complete at once, and the parts of a film follow each other', () => {
  const text = mediaPlaylist({
    stream: { kind: 'video', number: 0 },
    init: { kind: 'video', number: 0 },
    parts: FILM,
    target: targetDurationOf([FILM]),
    query: QUERY,
  });
  assert.equal(
    text,
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:5',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      `#EXT-X-MAP:URI="v0-init.mp4${QUERY}"`,
      '#EXTINF:4.004000,',
      `v0-0.m4s${QUERY}`,
      '#EXTINF:4.004000,',
      `v0-1.m4s${QUERY}`,
      '#EXTINF:2.002000,',
      `v0-2.m4s${QUERY}`,
      '#EXT-X-DISCONTINUITY',
      `#EXT-X-MAP:URI="v0-init2.mp4${QUERY}"`,
      '#EXTINF:4.200000,',
      `v0-3.m4s${QUERY}`,
      '#EXTINF:2.300000,',
      `v0-4.m4s${QUERY}`,
      '#EXT-X-ENDLIST',
      '',
    ].join('\n'),
  );
  const details = M3U8Parser.parseLevelPlaylist(
    text,
    'https://house/hls/1/v0.m3u8',
    0,
    'main' as Parameters<typeof M3U8Parser.parseLevelPlaylist>[3],
    0,
    null,
  );
  assert.deepEqual(
    [details.playlistParsingError, details.live, details.targetduration, Math.round(details.totalduration * 1e6)],
    [null, false, 5, 16_510_000],
  );
  assert.deepEqual(
    details.fragments.map(({ cc, start, initSegment }) => [cc, Math.round(start * 1e6), initSegment?.relurl]),
    [
      [0, 0, `v0-init.mp4${QUERY}`],
      [0, 4_004_000, `v0-init.mp4${QUERY}`],
      [0, 8_008_000, `v0-init.mp4${QUERY}`],
      [1, 10_010_000, `v0-init2.mp4${QUERY}`],
      [1, 14_210_000, `v0-init2.mp4${QUERY}`],
    ],
  );
});

test('rounding does not add up: after 50,000 segments of a third the end is where it was', () => {
  const long = part(0, 50_000 / 3, ...Array.from({ length: 50_000 }, (_, n) => n / 3));
  const text = mediaPlaylist({ stream: { kind: 'audio', number: 0 }, parts: [long], target: 1, query: '' });
  const sum = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce(
    (total, [, seconds]) => total + Math.round(Number(seconds) * 1e6),
    0,
  );
  assert.equal(sum, Math.round((50_000 / 3) * 1e6));
});

test('the last segment of a stream that is longer than its part is no short one', () => {
  const lengths = (duration: number, last: number): string[] =>
    [
      ...mediaPlaylist({
        stream: { kind: 'audio', number: 0 },
        parts: [{ start: 0, duration, segments: [...spans(0, 4), { start: 8, duration: last }] }],
        target: 8,
        query: '',
      }).matchAll(/#EXTINF:([\d.]+)/g),
    ].map(([, seconds]) => Number(seconds).toFixed(2));
  assert.deepEqual(lengths(8.04, 0.9), ['4.00', '4.00', '0.90']);
  assert.deepEqual(lengths(8.6, 0.9), ['4.00', '4.00', '0.60']);
});

test('the target duration is the true maximum over all streams', () => {
  for (const [streams, expected] of [
    [[[part(0, 4, 0)]], 4],
    [[[part(0, 4.001, 0)]], 5],
    [[[part(0, 3, 0)], [part(0, 9.5, 0)]], 10],
    [[[part(0, 0.2, 0)]], 1],
    [[], 1],
    [[[part(0, 4, 0, 5)]], 5],
  ] as const)
    assert.equal(targetDurationOf(streams), expected);
});

test('segments are numbered over the parts of a film', () => {
  assert.deepEqual(
    [0, 2, 3, 4, 5].map((n) => findSegment(FILM, n)),
    [{ part: 0, number: 0 }, { part: 0, number: 2 }, { part: 1, number: 0 }, { part: 1, number: 1 }, undefined],
  );
});

test('subtitle segments are long ones that begin where a media segment begins', () => {
  const long = part(0, 100.5, ...Array.from({ length: 25 }, (_, n) => n * 4.02));
  assert.deepEqual(
    subtitleParts([long, part(100.5, 3, 0)]).map(({ segments }) =>
      segments.map(({ start, duration }) => [start.toFixed(2), duration.toFixed(2)]),
    ),
    [
      [
        ['0.00', '32.16'],
        ['32.16', '32.16'],
        ['64.32', '32.16'],
        ['96.48', '4.02'],
      ],
      [['0.00', '3.00']],
    ],
  );
});

test('keyframes have a separate playlist', () => {
  const text = mediaPlaylist({
    stream: { kind: 'keyframes' },
    init: { kind: 'video', number: 2 },
    parts: [part(0, 4, 0, 2)],
    target: 2,
    query: '',
  });
  assert.equal(
    text,
    '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n' +
      '#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP:URI="v2-init.mp4"\n#EXTINF:2.000000,\ni-0.m4s\n#EXTINF:2.000000,\ni-1.m4s\n' +
      '#EXT-X-ENDLIST\n',
  );
  assert.equal(
    M3U8Parser.parseLevelPlaylist(
      text,
      'https://house/',
      0,
      'main' as Parameters<typeof M3U8Parser.parseLevelPlaylist>[3],
      0,
      null,
    ).playlistParsingError,
    null,
  );
});
