/**
 * For tests of the plan: what settings, Profile, limits, choices, index, machine and dynamic range change. Rows as in
 * `players.ts`.
 */
import type { Row } from './players.ts';

/** The server converts nothing, or everything. */
export const MODES: readonly Row[] = [
  ['mp4', 'chromium', { settings: { mode: 'compatible' } }, 'remux', 'M', 'copy, 1 copy'],
  ['mkv', 'newTv', { settings: { mode: 'compatible' } }, 'remux', 'M', 'copy, 1 copy'],
  ['hevc', 'safari', { settings: { mode: 'compatible' } }, 'transcode', 'M|M|M', 'h264 1920x1080 2700 fast, 1 copy'],
  ['mp4Eac3', 'safari', { settings: { mode: 'compatible' } }, 'remux-audio', 'M|M', 'copy, 1 aac6 384'],
  ['mkvDts', 'mpv', { settings: { mode: 'compatible' } }, 'remux-audio', 'M|AM', 'copy, 1 aac6 384 mixed'],
  ['vp9', 'chromium', { settings: { mode: 'compatible' } }, 'transcode', 'M|MM|M', 'h264 1920x1080 2700 fast, 1 aac2 192'],
  ['uhdHdr10', 'mpv', { settings: { mode: 'compatible' } }, 'transcode', 'M|MAM|M', 'h264 3840x2160 20000 veryfast hdr10, 1 aac6 384 mixed, 2 aac6 384'],
  ['avi', 'silent', { settings: { mode: 'compatible' } }, 'transcode', 'M|VMM|VM', 'h264 640x480 900 fast, 1 aac2 192'],
  ['music', 'mpv', { settings: { mode: 'compatible' } }, 'remux-audio', 'M|M', '0 aac2 192'],
  ['mp4', 'silent', { settings: { mode: 'compatible' }, policy: { transcode: false } }, 'remux', 'M', 'copy, 1 copy'],
  ['hevc', 'safari', { settings: { mode: 'compatible' }, policy: { transcode: false } }, 'refused', 'M|M|YM|Y', 'refused'],
  ['mp4', 'chromium', { settings: { mode: 'direct' } }, 'direct', '', 'copy, 1 copy'],
  ['mkv', 'chromium', { settings: { mode: 'direct' } }, 'remux', 'C', 'copy, 1 copy'],
  ['mkvAc3', 'chromium', { settings: { mode: 'direct' } }, 'refused', 'CA|A|M|M', 'refused'],
  ['mkvAc3', 'safari', { settings: { mode: 'direct' } }, 'remux', 'C', 'copy, 1 copy'],
  ['mkvMixed', 'newTv', { settings: { mode: 'direct' } }, 'direct', '', 'copy, 1 copy, 2 copy, 3 copy'],
  ['hevc', 'chromium', { settings: { mode: 'direct' } }, 'refused', 'V|V|MV|M', 'refused'],
  ['interlacedMp4', 'chromium', { settings: { mode: 'direct' } }, 'direct', '', 'copy, 1 copy'],
  ['phone', 'chromium', { settings: { mode: 'direct' } }, 'refused', 'C|T|MT|M', 'refused'],
  ['mp4', 'chromium', { settings: { mode: 'direct' }, quality: '720p-3' }, 'direct', '', 'copy, 1 copy'],
];

/** Sound that is not there as a whole, or not at all. */
export const MISSING_SOUND: readonly Row[] = [
  ['mkv', 'chromium', { tracks: { 1: { obstacles: [], hasGaps: true } } }, 'remux-audio', 'C|X', 'copy, 1 aac2 192'],
  ['mkv', 'chromium', { tracks: { 1: { obstacles: [], hasGaps: true } }, policy: { transcode: false } }, 'remux', 'C', 'copy, 1 copy'],
  ['mkvMixed', 'chromium', { tracks: { 2: { obstacles: ['empty'] } } }, 'remux-audio', 'CA|A', 'copy, 1 aac6 384, 3 aac2 192'],
];

/** Files that only the app of a shop can decrypt. */
export const PROTECTED: readonly Row[] = [
  ['mp4', 'chromium', { tracks: { 0: { obstacles: ['protected'] }, 1: { obstacles: ['protected'] } } }, 'refused', '##|#X|##|##', 'refused'],
  ['mp4', 'chromium', { tracks: { 1: { obstacles: ['protected'] } } }, 'refused', '#|X|#|#', 'refused'],
];

/** Profiles that may not have anything converted. */
export const POLICIES: readonly Row[] = [
  ['mkvAc3', 'chromium', { policy: { transcode: false } }, 'refused', 'CA|A|Y|Y', 'refused'],
  ['mkvMixed', 'safari', { policy: { transcode: false } }, 'refused', 'CA|A|Y|Y', 'refused'],
  ['mkv', 'chromium', { policy: { transcode: false } }, 'remux', 'C', 'copy, 1 copy'],
  ['hevc', 'chromium', { policy: { transcode: false } }, 'refused', 'V|V|YV|Y', 'refused'],
  ['interlacedMp4', 'chromium', { policy: { transcode: false } }, 'direct', '', 'copy, 1 copy'],
  ['broadcast', 'chromium', { policy: { transcode: false } }, 'refused', 'CA|A|Y|Y', 'refused'],
  ['mp4Languages', 'chromium', { policy: { transcode: false }, audio: 3 }, 'refused', 'AK|A|Y|Y', 'refused'],
  ['mp4Languages', 'chromium', { policy: { transcode: false }, audio: 2 }, 'remux', 'K', 'copy, 1 copy, 2 copy'],
  ['mp4', 'chromium', { policy: { transcode: false }, quality: '480p-1.5' }, 'direct', '', 'copy, 1 copy'],
  ['hevc', 'chromium', { settings: { mode: 'direct' }, policy: { transcode: false } }, 'refused', 'V|V|MYV|MY', 'refused'],
];

/** Bits per second, lines and channels. */
export const LIMITS: readonly Row[] = [
  ['mp4', 'chromium', { policy: { isRemote: true }, settings: { remoteBitrate: 8_000_000 } }, 'direct', '', 'copy, 1 copy'],
  ['mp4', 'chromium', { policy: { isRemote: true }, settings: { remoteBitrate: 4_000_000 } }, 'transcode', 'B|B|B', 'h264 1280x720 3000 fast, 1 copy'],
  ['mp4', 'chromium', { policy: { isRemote: false }, settings: { remoteBitrate: 4_000_000 } }, 'direct', '', 'copy, 1 copy'],
  ['mp4', 'chromium', { policy: { isRemote: true }, settings: { remoteBitrate: 4_000_000 }, client: { maxBitrate: 2_000_000 } }, 'transcode', 'B|B|B', 'h264 854x480 1500 fast, 1 copy'],
  ['mp4', 'chromium', { policy: { isRemote: true }, settings: { remoteBitrate: 2_000_000 }, client: { maxBitrate: 4_000_000 } }, 'transcode', 'B|B|B', 'h264 854x480 1500 fast, 1 copy'],
  ['mp4', 'chromium', { client: { maxBitrate: 6_192_000 } }, 'direct', '', 'copy, 1 copy'],
  ['mp4', 'chromium', { client: { maxBitrate: 6_191_999 } }, 'transcode', 'B|B|B', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mp4', 'chromium', { client: { maxBitrate: 500_000 } }, 'transcode', 'B|B|B', 'h264 426x240 308 fast, 1 copy'],
  ['mp4', 'chromium', { client: { maxBitrate: 100_000 } }, 'transcode', 'B|B|B', 'h264 426x240 200 fast, 1 copy'],
  ['mkvMixed', 'mpv', { client: { maxBitrate: 7_600_000 } }, 'remux-audio', 'B|A', 'copy, 1 aac6 384, 2 copy, 3 copy'],
  ['mkvMixed', 'mpv', { client: { maxBitrate: 7_000_000 } }, 'remux-audio', 'B|AB', 'copy, 1 aac6 384, 2 copy, 3 copy'],
  ['mkvDts', 'mpv', { client: { maxBitrate: 10_500_000 } }, 'remux-audio', 'B|AB', 'copy, 1 aac6 384 mixed'],
  ['uhdHdr10', 'mpv', { client: { maxBitrate: 50_700_000 } }, 'remux-audio', 'B|AB', 'copy, 1 aac6 384 mixed, 2 copy'],
  ['uhdHdr10', 'mpv', { client: { maxBitrate: 20_000_000 } }, 'transcode', 'B|AB|B', 'h264 2560x1440 12000 fast hdr10, 1 aac6 384 mixed, 2 copy'],
  ['unknownRate', 'mpv', { client: { maxBitrate: 7_000_000 } }, 'transcode', 'B|VB|VB', 'h264 1920x1080 5000 fast, 1 copy'],
  ['unknownRate', 'mpv', { client: { maxBitrate: 8_000_000 } }, 'direct', '', 'copy, 1 copy'],
  ['music', 'chromium', { client: { maxBitrate: 500_000 } }, 'remux-audio', 'B|B', '0 aac2 192'],
  ['mp4', 'chromium', { client: { maxHeight: 1079 } }, 'transcode', 'R|R|R', 'h264 1280x720 3000 fast, 1 copy'],
  ['mp4', 'chromium', { client: { maxHeight: 720 } }, 'transcode', 'R|R|R', 'h264 1280x720 3000 fast, 1 copy'],
  ['mp4', 'chromium', { client: { maxHeight: 200 } }, 'transcode', 'R|R|R', 'h264 356x200 400 fast, 1 copy'],
  ['phone', 'safari', { client: { maxHeight: 720 } }, 'transcode', 'R|R|R', 'h264 720x1280 3000 fast turn 90, 1 copy'],
  ['wide', 'safari', { client: { maxHeight: 1600 } }, 'direct', '', 'copy, 1 copy'],
  ['wide', 'safari', { client: { maxHeight: 1599 } }, 'transcode', 'R|R|R', 'h264 2560x1066 12000 fast, 1 copy'],
  ['mp4', 'chromium', { client: { maxAudioChannels: 1 } }, 'remux-audio', 'N|N', 'copy, 1 aac1 96 mixed'],
  ['mkvAc3', 'newTv', { client: { maxAudioChannels: 2 } }, 'remux-audio', 'N|N', 'copy, 1 aac2 192 mixed'],
  ['mkvDts', 'safari', { client: { maxAudioChannels: 5 } }, 'remux-audio', 'CAN|AN', 'copy, 1 aac2 192 mixed'],
  ['mkvDts', 'safari', { machine: 'noEac3' }, 'remux-audio', 'CA|A', 'copy, 1 aac6 384 mixed'],
  ['mkvDts', 'newTv', { client: { audioCodecs: 'eac3' } }, 'remux-audio', 'A|A', 'copy, 1 eac36 640 mixed'],
  ['mp4', 'newTv', { client: { audioCodecs: 'eac3,ac3' } }, 'remux-audio', 'A|A', 'copy, 1 eac32 192'],
  ['mp4', 'newTv', { client: { audioCodecs: 'vorbis' } }, 'refused', 'A|A|A|A', 'refused'],
  ['mp4', 'newTv', { client: { audioCodecs: '' } }, 'refused', 'A|A|A|A', 'refused'],
];

/** A quality was chosen. */
export const QUALITIES: readonly Row[] = [
  ['mp4', 'chromium', { quality: 'original' }, 'direct', '', 'copy, 1 copy'],
  ['mp4', 'chromium', { quality: '1080p-8' }, 'direct', '', 'copy, 1 copy'],
  ['mp4', 'chromium', { quality: '1080p-5' }, 'transcode', 'Q|Q|Q', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mp4', 'chromium', { quality: '720p-3' }, 'transcode', 'Q|Q|Q', 'h264 1280x720 3000 fast, 1 copy'],
  ['mp4', 'chromium', { quality: '480p-1.5' }, 'transcode', 'Q|Q|Q', 'h264 854x480 1500 fast, 1 copy'],
  ['mp4', 'chromium', { quality: '360p-0.8' }, 'transcode', 'Q|Q|Q', 'h264 640x360 800 fast, 1 copy'],
  ['mp4', 'chromium', { quality: '240p-0.4' }, 'transcode', 'Q|Q|Q', 'h264 426x240 400 fast, 1 copy'],
  ['mp4', 'chromium', { quality: '2160p-20' }, 'direct', '', 'copy, 1 copy'],
  ['hevc', 'chromium', { quality: '720p-3' }, 'transcode', 'VQ|VQ|VQ', 'h264 1280x720 2700 fast, 1 copy'],
  ['hevc', 'chromium', { quality: '1080p-8' }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 fast, 1 copy'],
  ['hevc', 'chromium', { quality: 'original' }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 fast, 1 copy'],
  ['thin', 'chromium', { quality: '720p-3' }, 'transcode', 'CVQ|VQ|VQ', 'h264 1280x720 1800 fast, 1 copy'],
  ['fast', 'chromium', { quality: '720p-3' }, 'transcode', 'Q|Q|Q', 'h264 1280x720 4200 fast, 1 copy'],
  ['small', 'chromium', { quality: '480p-1.5' }, 'transcode', 'CV|V|V', 'h264 320x240 270 fast, 1 copy'],
  ['uhdHdr10', 'chromium', { quality: '1440p-12' }, 'transcode', 'CVHQA|VHQA|VHQ', 'h264 2560x1440 12000 fast hdr10, 1 aac6 384 mixed, 2 aac6 384'],
  ['mkvAc3', 'chromium', { quality: '720p-3', machine: 'busy' }, 'busy', 'CQA|QA|Q|Z', 'refused'],
  ['mp4', 'chromium', { quality: '720p-3', client: { maxBitrate: 2_000_000 } }, 'transcode', 'QB|QB|QB', 'h264 854x480 1500 fast, 1 copy'],
];

/** An audio track was chosen. */
export const TRACKS: readonly Row[] = [
  ['mp4Languages', 'chromium', { audio: 1 }, 'direct', '', 'copy, 1 copy, 2 copy, 3 aac6 384'],
  ['mp4Languages', 'chromium', { audio: 2 }, 'remux', 'K', 'copy, 1 copy, 2 copy, 3 aac6 384'],
  ['mp4Languages', 'chromium', { audio: 3 }, 'remux-audio', 'AK|A', 'copy, 1 copy, 2 copy, 3 aac6 384'],
  ['mp4Languages', 'silent', { audio: 2 }, 'remux', 'K', 'copy, 1 copy, 2 copy, 3 copy'],
  ['mp4Languages', 'safari', { audio: 3 }, 'remux', 'K', 'copy, 1 copy, 2 copy, 3 copy'],
  ['mkvMixed', 'chromium', { audio: 2 }, 'remux', 'CK', 'copy, 1 aac6 384, 2 copy, 3 aac2 192'],
  ['mkvMixed', 'mpv', { audio: 3 }, 'remux', 'K', 'copy, 1 eac36 640, 2 copy, 3 copy'],
  ['uhdHdr10', 'safari', { audio: 2 }, 'remux', 'CK', 'copy, 1 eac36 640 mixed, 2 copy'],
];

/** A subtitle was chosen. */
export const SUBTITLES: readonly Row[] = [
  ['subtitles', 'chromium', { subtitle: 's2' }, 'remux', 'C', 'copy, 1 copy'],
  ['subtitles', 'chromium', { subtitle: 's3' }, 'remux', 'C', 'copy, 1 copy'],
  ['subtitles', 'chromium', { subtitle: 's4' }, 'remux', 'C', 'copy, 1 copy'],
  ['subtitles', 'chromium', { subtitle: 's5' }, 'remux', 'C', 'copy, 1 copy'],
  ['subtitles', 'chromium', { subtitle: 's6' }, 'remux', 'C', 'copy, 1 copy'],
  ['subtitles', 'chromium', { subtitle: 'f1' }, 'remux', 'C', 'copy, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's2' }, 'direct', '', 'copy, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's3' }, 'direct', '', 'copy, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 'f0' }, 'direct', '', 'copy, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's4' }, 'transcode', 'S|S|S', 'h264 1920x1080 5000 fast burn 4, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's5' }, 'transcode', 'S|S|S', 'h264 1920x1080 5000 fast burn 5, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's6' }, 'transcode', 'S|S|S', 'h264 1920x1080 5000 fast burn 6, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 'f1' }, 'transcode', 'S|S|S', 'h264 1920x1080 5000 fast burn f1.sup, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 'f2' }, 'refused', 'S|S|S|S', 'refused'],
  ['subtitles', 'newTv', { subtitle: 's4', policy: { transcode: false } }, 'refused', 'S|S|YS|Y', 'refused'],
  ['subtitles', 'newTv', { subtitle: 's4', settings: { mode: 'direct' } }, 'refused', 'S|S|MS|M', 'refused'],
  ['subtitles', 'newTv', { subtitle: 's5', client: { subtitleFormats: 'vtt,vobsub' } }, 'direct', '', 'copy, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's4', client: { subtitleFormats: 'vtt,vobsub' } }, 'transcode', 'S|S|S', 'h264 1920x1080 5000 fast burn 4, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 'f2', client: { subtitleFormats: 'vobsub' } }, 'direct', '', 'copy, 1 copy'],
  ['subtitles', 'newTv', { subtitle: 's2', client: { subtitleFormats: '' } }, 'direct', '', 'copy, 1 copy'],
  ['subtitles', 'silent', { subtitle: 's4' }, 'transcode', 'S|S|S', 'h264 1920x1080 5000 fast burn 4, 1 copy'],
  ['subtitles', 'oldTv', { subtitle: 's4', quality: '720p-3' }, 'transcode', 'CQS|QS|QS', 'h264 1280x720 3000 fast burn 4, 1 copy'],
];

/** The index reports obstacles. */
export const INDEXES: readonly Row[] = [
  ['mkv', 'chromium', { obstacles: ['open-gop'] }, 'transcode', 'C|O|O', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mkv', 'firefox', { obstacles: ['open-gop'] }, 'remux', 'C', 'copy, 1 copy'],
  ['mkv', 'silent', { obstacles: ['open-gop', 'sparse-keyframes'] }, 'direct', '', 'copy, 1 copy'],
  ['mkv', 'chromium', { obstacles: ['sparse-keyframes'] }, 'transcode', 'C|GG|G', 'h264 1920x1080 5000 fast, 1 aac2 192'],
  ['mkv', 'firefox', { obstacles: ['sparse-keyframes', 'open-gop'] }, 'transcode', 'C|GG|G', 'h264 1920x1080 5000 fast, 1 aac2 192'],
  ['mkv', 'chromium', { obstacles: ['edit-list'] }, 'transcode', 'C|E|E', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mkv', 'chromium', { obstacles: ['no-index'] }, 'transcode', 'C|XX|X', 'h264 1920x1080 5000 fast, 1 aac2 192'],
  ['mkv', 'chromium', { obstacles: ['codec'] }, 'transcode', 'C|X|X', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mkv', 'chromium', { obstacles: ['encoded'] }, 'transcode', 'C|X|X', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mkv', 'chromium', { obstacles: ['empty'] }, 'transcode', 'C|X|X', 'h264 1920x1080 5000 fast, 1 copy'],
  ['mp4', 'chromium', { obstacles: ['open-gop', 'edit-list'] }, 'direct', '', 'copy, 1 copy'],
  ['mkvAc3', 'chromium', { obstacles: ['open-gop'] }, 'transcode', 'CA|OA|O', 'h264 1920x1080 5000 fast, 1 aac6 384'],
  ['mkv', 'chromium', { obstacles: ['no-index'], policy: { transcode: false } }, 'refused', 'C|XX|YX|Y', 'refused'],
  ['mkv', 'chromium', { obstacles: ['no-index'], settings: { mode: 'direct' } }, 'refused', 'C|XX|MX|M', 'refused'],
  ['mkvAc3', 'newTv', { obstacles: ['no-index'], audio: 1 }, 'direct', '', 'copy, 1 copy'],
];

/** Full, slow and failing machines, hardware and codecs. */
export const MACHINES_AND_TROUBLE: readonly Row[] = [
  ['hevc', 'chromium', { machine: 'busy' }, 'busy', 'V|V|V|Z', 'refused'],
  ['mkvAc3', 'chromium', { machine: 'busy' }, 'remux-audio', 'CA|A', 'copy, 1 aac6 384'],
  ['interlacedMp4', 'chromium', { machine: 'busy' }, 'direct', '', 'copy, 1 copy'],
  ['hevc', 'chromium', { machine: 'busyVaapi' }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 vaapi, 1 copy'],
  ['hevc', 'chromium', { machine: 'busy', policy: { transcode: false } }, 'refused', 'V|V|YV|YZ', 'refused'],
  ['hevc', 'chromium', { machine: 'busy', trouble: { cannotDecode: true } }, 'refused', 'V|V|V|UZ', 'refused'],
  ['hevc', 'chromium', { trouble: { cannotDecode: true } }, 'refused', 'V|V|V|U', 'refused'],
  ['interlacedMp4', 'chromium', { trouble: { cannotDecode: true } }, 'direct', '', 'copy, 1 copy'],
  ['hevc', 'chromium', { machine: 'vaapi' }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 vaapi, 1 copy'],
  ['hevc', 'chromium', { machine: 'vaapi', settings: { accelerator: 'none' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 fast, 1 copy'],
  ['hevc', 'chromium', { machine: 'vaapi', settings: { accelerator: 'vaapi' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 vaapi, 1 copy'],
  ['hevc', 'chromium', { machine: 'vaapi', settings: { accelerator: 'qsv' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 fast, 1 copy'],
  ['hevc', 'chromium', { machine: 'vaapi', trouble: { hardwareFailed: ['vaapi'] } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 fast, 1 copy'],
  ['hevc', 'chromium', { machine: 'busyVaapi', trouble: { hardwareFailed: ['vaapi'] } }, 'busy', 'V|V|V|Z', 'refused'],
  ['hevc', 'chromium', { machine: 'both' }, 'transcode', 'V|V|V', 'av1 1920x1080 2500 cuda, 1 copy'],
  ['hevc', 'chromium', { machine: 'both', trouble: { hardwareFailed: ['cuda'] } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 vaapi, 1 copy'],
  ['hevc', 'chromium', { machine: 'both', settings: { accelerator: 'vaapi' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 vaapi, 1 copy'],
  ['avi', 'safari', { machine: 'vaapi' }, 'transcode', 'CV|V|V', 'hevc 640x480 900 vaapi, 1 copy'],
  ['avi', 'safari', { machine: 'both' }, 'transcode', 'CV|V|V', 'hevc 640x480 900 cuda, 1 copy'],
  ['avi', 'chromium', { machine: 'both' }, 'transcode', 'CV|V|V', 'av1 640x480 750 cuda, 1 copy'],
  ['avi', 'newTv', { machine: 'both', quality: '240p-0.4' }, 'transcode', 'Q|QV|QV', 'av1 320x240 200 cuda, 1 copy'],
  ['avi', 'safari', { machine: 'vaapi', settings: { codec: 'h264' } }, 'transcode', 'CV|V|V', 'h264 640x480 900 vaapi, 1 copy'],
  ['avi', 'chromium', { machine: 'vaapi', settings: { codec: 'hevc' } }, 'transcode', 'CV|V|V', 'h264 640x480 900 vaapi, 1 copy'],
  ['avi', 'safari', { machine: 'strong', settings: { codec: 'hevc' } }, 'transcode', 'CV|V|V', 'h264 640x480 900 fast, 1 copy'],
  ['avi', 'safari', { machine: 'manyCodecs', settings: { codec: 'hevc' } }, 'transcode', 'CV|V|V', 'hevc 640x480 900 fast, 1 copy'],
  ['avi', 'safari', { machine: 'manyCodecs', settings: { codec: 'vp9' } }, 'transcode', 'CV|V|V', 'vp9 640x480 900 fast, 1 copy'],
  ['avi', 'safari', { machine: 'manyCodecs', settings: { codec: 'av1' } }, 'transcode', 'CV|V|V', 'h264 640x480 900 fast, 1 copy'],
  ['avi', 'chromium', { machine: 'manyCodecs', settings: { codec: 'vp9', mode: 'compatible' } }, 'transcode', 'MCV|VMM|VM', 'h264 640x480 900 fast, 1 aac2 192'],
  ['avi', 'safari', { machine: 'vaapi', settings: { mode: 'compatible' } }, 'transcode', 'MCV|VMM|VM', 'h264 640x480 900 vaapi, 1 aac2 192'],
  ['hevc', 'chromium', { client: { videoCodecs: 'vp9' } }, 'refused', 'V|V|V|V', 'refused'],
  ['hevc', 'chromium', { client: { videoCodecs: 'vp9' }, machine: 'manyCodecs' }, 'transcode', 'V|V|V', 'vp9 1920x1080 2700 veryfast, 1 copy'],
  ['hevc', 'chromium', { client: { videoCodecs: '' } }, 'refused', 'V|V|V|V', 'refused'],
  ['high10', 'chromium', { client: { videoCodecs: 'h264,h264-high10' } }, 'remux', 'C', 'copy, 1 copy'],
  ['mp4', 'chromium', { client: { videoCodecs: 'h264-main' } }, 'refused', 'P|P|P|V', 'refused'],
  ['hevc', 'chromium', { settings: { quality: 'speed' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 ultrafast, 1 copy'],
  ['hevc', 'chromium', { settings: { quality: 'quality' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 fast, 1 copy'],
  ['wide', 'chromium', { settings: { quality: 'quality' }, machine: 'two' }, 'transcode', 'V|V|V', 'h264 1920x800 8000 ultrafast, 1 copy'],
  ['hevc', 'chromium', { machine: 'two' }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 ultrafast, 1 copy'],
  ['hevc', 'chromium', { machine: 'one' }, 'transcode', 'V|V|V', 'h264 854x480 1500 ultrafast, 1 copy'],
  ['hevc', 'chromium', { machine: 'two', settings: { quality: 'quality' } }, 'transcode', 'V|V|V', 'h264 854x480 1500 fast, 1 copy'],
  ['hevc', 'chromium', { machine: 'two', settings: { quality: 'speed' } }, 'transcode', 'V|V|V', 'h264 1920x1080 2700 ultrafast, 1 copy'],
  ['uhdHdr10', 'chromium', { machine: 'two' }, 'transcode', 'CVHA|VHA|VH', 'h264 854x480 1500 ultrafast hdr10, 1 aac6 384 mixed, 2 aac6 384'],
  ['uhdHdr10', 'chromium', { machine: 'one' }, 'transcode', 'CVHA|VHA|VH', 'h264 426x240 400 ultrafast hdr10, 1 aac6 384 mixed, 2 aac6 384'],
  ['fast', 'chromium', { machine: 'two', quality: '720p-3' }, 'transcode', 'Q|Q|Q', 'h264 1280x720 4200 ultrafast, 1 copy'],
  ['dvd', 'chromium', { machine: 'one' }, 'transcode', 'CVA|VA|V', 'h264 1024x576 3000 veryfast deinterlace, 1 aac2 192'],
  ['avi', 'chromium', { machine: 'one' }, 'transcode', 'CV|V|V', 'h264 640x480 900 fast, 1 copy'],
];

/** High dynamic range. */
export const RANGES: readonly Row[] = [
  ['uhdMp4Hdr10', 'safari', { settings: { toneMap: false } }, 'direct', '', 'copy, 1 copy'],
  ['uhdMp4Hdr10', 'chromium', { settings: { toneMap: false } }, 'refused', 'VH|VH|VH|H', 'refused'],
  ['uhdMp4Hdr10', 'safari', { settings: { toneMap: false }, client: { maxBitrate: 8_000_000 } }, 'refused', 'B|B|B|H', 'refused'],
  ['uhdMp4Hdr10', 'safari', { client: { maxBitrate: 8_000_000 } }, 'transcode', 'B|B|B', 'h264 1920x1080 5000 fast hdr10, 1 copy'],
  ['uhdMp4Hdr10', 'chromium', { machine: 'noMap' }, 'refused', 'VH|VH|VH|H', 'refused'],
  ['hlg50', 'newTv', { client: { hdrFormats: 'hdr10' } }, 'transcode', 'H|H|H', 'h264 1920x1080 7000 fast hlg, 1 copy'],
  ['hlg50', 'newTv', { client: { hdrFormats: 'hlg' } }, 'direct', '', 'copy, 1 copy'],
  ['dolby5', 'chromium', { machine: 'placebo' }, 'transcode', 'VDA|VDA|VD', 'h264 3840x2160 13500 veryfast dolby-vision, 1 aac6 384'],
  ['dolby5', 'newTv', { machine: 'placebo' }, 'transcode', 'D|D|D', 'h264 3840x2160 13500 veryfast dolby-vision, 1 copy'],
  ['dolby5', 'newTv', { machine: 'placeboVaapi' }, 'transcode', 'D|D|D', 'h264 3840x2160 13500 veryfast dolby-vision, 1 copy'],
  ['dolby5', 'newTv', { client: { hdrFormats: 'dolby-vision-5' } }, 'direct', '', 'copy, 1 copy'],
  ['dolby5', 'newTv', { client: { hdrFormats: 'dolby-vision-8.1' } }, 'refused', 'D|D|D|D', 'refused'],
  ['dolby5', 'newTv', { client: { hdrFormats: 'dv' } }, 'direct', '', 'copy, 1 copy'],
  ['dolby7', 'newTv', { client: { hdrFormats: 'dolby-vision' } }, 'transcode', 'HA|HA|H', 'h264 3840x2160 20000 veryfast hdr10, 1 eac36 640 mixed'],
  ['dolby7', 'newTv', { client: { hdrFormats: 'dolby-vision-7' } }, 'remux-audio', 'A|A', 'copy, 1 eac36 640 mixed'],
  ['dolby7', 'newTv', { client: { hdrFormats: 'hdr10' } }, 'remux-audio', 'A|A', 'copy, 1 eac36 640 mixed'],
  ['dolby81', 'newTv', { client: { hdrFormats: 'hdr10' } }, 'direct', '', 'copy, 1 copy'],
  ['dolby81', 'newTv', { client: { hdrFormats: 'hlg' } }, 'transcode', 'H|H|H', 'h264 3840x2160 16200 veryfast hdr10, 1 copy'],
  ['dolby81', 'newTv', { client: { hdrFormats: 'dolby-vision-8.1' } }, 'direct', '', 'copy, 1 copy'],
  ['dolby81', 'newTv', { client: { hdrFormats: 'dolby-vision-8.4' } }, 'transcode', 'H|H|H', 'h264 3840x2160 16200 veryfast hdr10, 1 copy'],
  ['dolby84', 'newTv', { client: { hdrFormats: 'hlg' } }, 'direct', '', 'copy, 1 copy'],
  ['dolby84', 'newTv', { client: { hdrFormats: 'hdr10' } }, 'transcode', 'H|H|H', 'h264 3840x2160 16200 veryfast hlg, 1 copy'],
  ['dolby84', 'newTv', { client: { hdrFormats: '' } }, 'transcode', 'H|H|H', 'h264 3840x2160 16200 veryfast hlg, 1 copy'],
  ['dolby5', 'chromium', { machine: 'placebo', settings: { toneMap: false } }, 'refused', 'VDA|VDA|VD|H', 'refused'],
];
