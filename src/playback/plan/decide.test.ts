/** The decision, row by row: what a file is, what a client can, and what follows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import { decide, type Mode, type ReasonCode, REASONS } from './decide.ts';
import { codecName, containerName, hdrName, readCapabilities } from './names.ts';

const plain = { default: false, forced: false, hearingImpaired: false, commentary: false, original: false, cover: false } as const;
const video = (codec: string, more: Partial<Stream> = {}): Stream => ({ ...plain, index: 0, type: 'video', codec, width: 1920, height: 1080, ...more });
const audio = (codec: string, more: Partial<Stream> = {}): Stream => ({ ...plain, index: 1, type: 'audio', codec, channels: 2, ...more });
const file = (container: string, streams: Stream[], more: Partial<MediaInfo> = {}): MediaInfo => ({ container, size: 1_000_000_000, duration: 1000, streams, chapters: [], tags: {}, ...more });

const HIGH = video('h264', { profile: 'High', level: 41 });
const HIGH_10 = video('h264', { profile: 'High 10' });
const MAIN_10 = video('hevc', { profile: 'Main 10' });
const HDR = video('hevc', { profile: 'Main 10', hdr: 'hdr10', width: 3840, height: 2160 });
const DOLBY = video('hevc', { profile: 'Main 10', hdr: 'dolby-vision' });
const HLG = video('hevc', { profile: 'Main 10', hdr: 'hlg' });
const AAC = audio('aac', { profile: 'LC' });
const AC3 = audio('ac3', { channels: 6 });
const DTS = audio('dts', { profile: 'DTS-HD MA', channels: 8 });
const MP4 = file('mp4', [HIGH, AAC]);
const MKV = file('matroska', [HIGH, AAC]);

type Asked = Parameters<typeof readCapabilities>[0];
const BROWSER: Asked = { videoCodecs: 'h264,vp9,av1', audioCodecs: 'aac,opus,flac,mp3,vorbis', containers: 'mp4,webm', hdrFormats: '' };
const TV: Asked = { videoCodecs: 'h264,hevc,vp9,av1,mpeg2video', audioCodecs: 'aac,ac3,eac3,dts,truehd,flac', containers: 'mp4,mkv,ts', hdrFormats: 'hdr10,hlg,dv', maxAudioChannels: 8, maxHeight: 2160 };

type Row = [why: string, info: MediaInfo, can: Asked, mode: Mode, reasons: ReasonCode[]];
const ROWS: readonly Row[] = [
  ['a client that says nothing takes all', file('avi', [video('mpeg4'), audio('mp3')]), {}, 'direct', []],
  ['the usual film in a browser', MP4, BROWSER, 'direct', []],
  ['the usual film on a television', MP4, TV, 'direct', []],
  ['only the container is strange', MKV, BROWSER, 'remux', ['container-not-supported']],
  ['a television opens Matroska', MKV, TV, 'direct', []],
  ['WebM opens where Matroska does', file('webm', [video('vp9', { profile: 'Profile 0' }), audio('opus')]), { containers: 'mkv' }, 'direct', []],
  ['but not the other way round', MKV, { containers: 'webm' }, 'remux', ['container-not-supported']],
  ['QuickTime is not MP4', file('mov', [HIGH, AAC]), BROWSER, 'remux', ['container-not-supported']],
  ['QuickTime by its own name', file('mov', [HIGH, AAC]), { containers: 'quicktime' }, 'direct', []],
  ['m4v is MP4', MP4, { containers: 'm4v' }, 'direct', []],
  ['m2ts is a transport stream', file('mpegts', [HIGH, AC3]), { containers: 'm2ts' }, 'direct', []],
  ['no containers at all', MP4, { containers: '' }, 'remux', ['container-not-supported']],
  ['no video codecs at all', MP4, { videoCodecs: '' }, 'transcode', ['video-codec-not-supported']],
  ['no audio codecs at all', MP4, { audioCodecs: '' }, 'transcode', ['audio-codec-not-supported']],
  ['HEVC in a browser without it', file('mp4', [MAIN_10, AAC]), BROWSER, 'transcode', ['video-codec-not-supported']],
  ['HEVC where it is known', file('mp4', [MAIN_10, AAC]), TV, 'direct', []],
  ['hvc1 is HEVC', file('mp4', [MAIN_10, AAC]), { videoCodecs: 'hvc1' }, 'direct', []],
  ['h265 is HEVC', file('mp4', [MAIN_10, AAC]), { videoCodecs: 'H265' }, 'direct', []],
  ['avc1 with its parameters is H.264', MP4, { videoCodecs: 'avc1.640028' }, 'direct', []],
  ['a codec in capitals', MP4, { videoCodecs: 'H264', audioCodecs: 'AAC', containers: 'MP4' }, 'direct', []],
  ['MPEG-4 in a browser', file('mp4', [video('mpeg4'), AAC]), BROWSER, 'transcode', ['video-codec-not-supported']],
  ['an old AVI in a browser', file('avi', [video('mpeg4'), audio('mp3')]), BROWSER, 'transcode', ['container-not-supported', 'video-codec-not-supported']],
  ['xvid is MPEG-4', file('avi', [video('mpeg4'), audio('mp3')]), { videoCodecs: 'xvid', containers: 'avi' }, 'direct', []],
  ['a DVD on a television', file('mpegts', [video('mpeg2video'), AC3]), TV, 'direct', []],
  ['VC-1 nowhere', file('matroska', [video('vc1'), AC3]), TV, 'transcode', ['video-codec-not-supported']],
  ['High 10 is not what H.264 means', file('mp4', [HIGH_10, AAC]), BROWSER, 'transcode', ['video-profile-not-supported']],
  ['High 10 where it is named', file('mp4', [HIGH_10, AAC]), { videoCodecs: 'h264,h264-high10' }, 'direct', []],
  ['High 10 where only it is named', file('mp4', [HIGH_10, AAC]), { videoCodecs: 'h264-high10' }, 'direct', []],
  ['High where only Main is named', MP4, { videoCodecs: 'h264-main' }, 'transcode', ['video-profile-not-supported']],
  ['High 4:2:2', file('mp4', [video('h264', { profile: 'High 4:2:2' }), AAC]), BROWSER, 'transcode', ['video-profile-not-supported']],
  ['High 4:2:2 where it is named', file('mp4', [video('h264', { profile: 'High 4:2:2' }), AAC]), { videoCodecs: 'avc-high422' }, 'direct', []],
  ['High 4:4:4 Predictive', file('mp4', [video('h264', { profile: 'High 4:4:4 Predictive' }), AAC]), BROWSER, 'transcode', ['video-profile-not-supported']],
  ['Constrained Baseline', file('mp4', [video('h264', { profile: 'Constrained Baseline' }), AAC]), BROWSER, 'direct', []],
  ['a profile that nobody knows', file('mp4', [video('h264'), AAC]), BROWSER, 'direct', []],
  ['HEVC Rext', file('mp4', [video('hevc', { profile: 'Rext' }), AAC]), TV, 'transcode', ['video-profile-not-supported']],
  ['Main 10 where only Main is named', file('mp4', [MAIN_10, AAC]), { videoCodecs: 'hevc-main' }, 'transcode', ['video-profile-not-supported']],
  ['VP9 of 10 bits', file('webm', [video('vp9', { profile: 'Profile 2' }), audio('opus')]), BROWSER, 'direct', []],
  ['VP9 of 4:4:4', file('webm', [video('vp9', { profile: 'Profile 1' }), audio('opus')]), BROWSER, 'transcode', ['video-profile-not-supported']],
  ['AV1', file('mp4', [video('av1', { profile: 'Main' }), audio('opus')]), BROWSER, 'direct', []],
  ['AV1 in its High profile', file('mp4', [video('av1', { profile: 'High' }), audio('opus')]), BROWSER, 'transcode', ['video-profile-not-supported']],
  ['HDR10 on a screen without', file('mp4', [HDR, AAC]), { ...TV, hdrFormats: '' }, 'transcode', ['hdr-not-supported']],
  ['HDR10 on a screen with', file('mp4', [HDR, AAC]), TV, 'direct', []],
  ['HDR10 where nobody said', file('mp4', [HDR, AAC]), { videoCodecs: 'hevc' }, 'direct', []],
  ['HDR10+ is HDR10', file('mp4', [HDR, AAC]), { hdrFormats: 'hdr10+' }, 'direct', []],
  ['Dolby Vision with HDR10 only', file('mp4', [DOLBY, AAC]), { hdrFormats: 'hdr10' }, 'transcode', ['hdr-not-supported']],
  ['Dolby Vision by its short name', file('mp4', [DOLBY, AAC]), { hdrFormats: 'dovi' }, 'direct', []],
  ['HLG with HDR10 only', file('mp4', [HLG, AAC]), { hdrFormats: 'hdr10' }, 'transcode', ['hdr-not-supported']],
  ['standard range needs no format', MP4, { hdrFormats: '' }, 'direct', []],
  ['4K on 1080 lines', file('mp4', [HDR, AAC]), { ...TV, maxHeight: 1080 }, 'transcode', ['resolution']],
  ['exactly as many lines', MP4, { maxHeight: 1080 }, 'direct', []],
  ['one line too many', MP4, { maxHeight: 1079 }, 'transcode', ['resolution']],
  ['a bitrate that fits', MP4, { maxBitrate: 8_000_000 }, 'direct', []],
  ['a bitrate that does not', MP4, { maxBitrate: 7_999_999 }, 'transcode', ['bitrate']],
  ['the bitrate that the file says', file('mp4', [HIGH, AAC], { bitrate: 20_000_000 }), { maxBitrate: 10_000_000 }, 'transcode', ['bitrate']],
  ['a bitrate that nobody can tell', { container: 'mp4', size: 1e9, streams: [HIGH, AAC], chapters: [], tags: {} }, { maxBitrate: 1 }, 'direct', []],
  ['Dolby Digital in a browser', file('mp4', [HIGH, AC3]), BROWSER, 'transcode', ['audio-codec-not-supported']],
  ['Dolby Digital by its other name', file('mp4', [HIGH, AC3]), { audioCodecs: 'ac-3' }, 'direct', []],
  ['Dolby Digital Plus by its other name', file('mp4', [HIGH, audio('eac3')]), { audioCodecs: 'ec-3' }, 'direct', []],
  ['mp4a with its parameters is AAC', MP4, { audioCodecs: 'mp4a.40.2' }, 'direct', []],
  ['DTS-HD where DTS is known', file('matroska', [HIGH, DTS]), TV, 'direct', []],
  ['dca is DTS', file('matroska', [HIGH, DTS]), { audioCodecs: 'dca' }, 'direct', []],
  ['PCM of any kind', file('mov', [HIGH, audio('pcm_s24le')]), { audioCodecs: 'pcm' }, 'direct', []],
  ['PCM in a browser', file('mov', [HIGH, audio('pcm_s16le')]), { ...BROWSER, containers: 'mov' }, 'transcode', ['audio-codec-not-supported']],
  ['too many channels', file('mp4', [HIGH, AC3]), { maxAudioChannels: 2 }, 'transcode', ['audio-channels']],
  ['as many channels as allowed', file('mp4', [HIGH, AC3]), { maxAudioChannels: 6 }, 'direct', []],
  ['codec and channels', file('mp4', [HIGH, DTS]), { ...BROWSER, maxAudioChannels: 2 }, 'transcode', ['audio-codec-not-supported', 'audio-channels']],
  ['no sound at all', file('mp4', [HIGH]), { ...BROWSER, audioCodecs: '' }, 'direct', []],
  ['sound alone', file('mp3', [audio('mp3', { index: 0 })]), { audioCodecs: 'mp3', videoCodecs: '' }, 'direct', []],
  ['a cover is no video', file('mp4', [video('mjpeg', { cover: true }), AAC]), { ...BROWSER }, 'direct', []],
  ['everything at once', file('avi', [video('hevc', { profile: 'Main 10', hdr: 'hdr10', height: 2160 }), DTS], { bitrate: 9e7 }), { ...BROWSER, maxHeight: 1080, maxBitrate: 1e7, maxAudioChannels: 2 }, 'transcode', ['container-not-supported', 'video-codec-not-supported', 'hdr-not-supported', 'resolution', 'bitrate', 'audio-codec-not-supported', 'audio-channels']],
];

test('what a client needs follows from what it says and what the file is', () => {
  for (const [why, info, asked, mode, reasons] of ROWS) {
    const decision = decide({ info, can: readCapabilities(asked), audio: info.streams.find(({ type }) => type === 'audio') });
    assert.deepEqual([decision.mode, decision.reasons.map(({ code }) => code)], [mode, reasons], why);
    for (const { detail } of decision.reasons) assert.match(detail, /^[A-Z][^!]{15,120}\.$/, why);
  }
  assert.ok(ROWS.length > 60);
});

test('tracks that were chosen count', () => {
  const english = audio('aac', { default: true });
  const french = audio('aac', { index: 2 });
  const info = file('mp4', [HIGH, english, french]);
  const codes = (more: Partial<Parameters<typeof decide>[0]>) => decide({ info, can: {}, audio: english, ...more }).reasons.map(({ code }) => code);
  assert.deepEqual(codes({}), []);
  assert.deepEqual(codes({ audio: french }), [], 'a preference is no demand');
  assert.deepEqual(codes({ audio: english, isAudioChosen: true }), []);
  assert.deepEqual(codes({ audio: french, isAudioChosen: true }), ['audio-track']);
  assert.equal(decide({ info, can: {}, audio: french, isAudioChosen: true }).mode, 'remux');
  assert.deepEqual(codes({ hasPictureSubtitle: true }), ['subtitle-burn-in']);
  assert.equal(decide({ info, can: {}, audio: english, hasPictureSubtitle: true }).mode, 'transcode');
});

test('a file that nobody could look into is not said to play', () => {
  assert.deepEqual(decide({ info: undefined, can: {} }).reasons.map(({ code }) => code), ['not-analysed']);
});

test('every reason is given somewhere, and none is made up', () => {
  const given = new Set<string>([...ROWS.flatMap(([, , , , reasons]) => reasons), 'audio-track', 'subtitle-burn-in', 'not-analysed']);
  assert.deepEqual([...given].sort(), [...REASONS].sort());
});

test('names are one word, whoever says them', () => {
  for (const [name, is] of [['avc1.4D401E', 'h264'], ['H.264', 'h264'], ['pcm_s16le', 'pcm'], ['constructor', 'constructor'], ['__proto__', '__proto__']] as const) assert.equal(codecName(name), is);
  for (const [name, is] of [['mkv', 'matroska'], ['TS', 'mpegts'], ['toString', 'tostring'], ['valueOf', 'valueof']] as const) assert.equal(containerName(name), is);
  assert.equal(hdrName('PQ'), 'hdr10');
});
