/** Settings of playing, converting, scanning and showing media to the network. */
import { MARKER_KINDS } from '../../contract/playback/markers.ts';
import { setting } from '../setting.ts';
import { boolean, language, listOf, oneOf, positiveInteger } from '../types/basic.ts';
import { url } from '../types/network.ts';
import { duration } from '../types/time.ts';

export const playingSettings = [
  setting({
    key: 'playback.mode',
    env: 'SERVICE_PLAYBACK_MODE',
    type: oneOf(['automatic', 'direct', 'compatible']),
    restart: false,
    doc: 'Automatic plays files as they are and converts only what a device cannot play. Direct never converts, so some files will not play on some devices. Compatible converts everything that is not H.264 and AAC; use it for devices that claim more than they play.',
  }),
  setting({
    key: 'playback.autoplay',
    env: 'SERVICE_AUTOPLAY',
    type: boolean,
    restart: false,
    doc: 'Starts the next episode 10 seconds after one ends, unless the viewer cancels. Viewers can change this in the player. Blank means yes.',
  }),
  setting({
    key: 'playback.subtitles',
    env: 'SERVICE_SUBTITLES',
    type: oneOf(['on', 'off']),
    restart: false,
    doc: 'Turns subtitles on or off when playback starts, for viewers who have not chosen for themselves.',
  }),
  setting({
    key: 'playback.auto_skip',
    env: 'SERVICE_AUTO_SKIP',
    type: listOf(MARKER_KINDS),
    restart: false,
    doc: 'Kinds of passages that the player skips without asking; viewers can undo a skip for 5 seconds. The other kinds get a button. Blank means none.',
  }),
  setting({
    key: 'playback.remote_bitrate',
    env: 'SERVICE_REMOTE_BITRATE',
    type: positiveInteger(1_000_000_000, 100_000),
    restart: false,
    addition: true,
    doc: 'Maximum bits per second for viewers outside the home network, such as 8000000 for 8 Mbit/s. Media above it is converted to fit. Blank means no limit.',
  }),
  setting({
    key: 'transcoding.quality',
    env: 'SERVICE_TRANSCODE_QUALITY',
    type: oneOf(['automatic', 'speed', 'quality']),
    restart: false,
    doc: 'What conversion favours. Speed uses the least processor time and looks worse at the same size. Quality looks better, but large pictures that this computer cannot convert in time are not offered. Automatic chooses the best picture that is fast enough.',
  }),
  setting({
    key: 'transcoding.accelerator',
    env: 'SERVICE_TRANSCODE_ACCELERATOR',
    type: oneOf(['none', 'auto', 'vaapi', 'qsv', 'cuda', 'videotoolbox', 'rkmpp', 'v4l2m2m', 'amf', 'mf']),
    restart: false,
    doc: 'Graphics hardware that converts video, many times faster than the processor. Auto tests what is there and uses what passes; if the chosen hardware fails, the processor takes over.',
  }),
  setting({
    key: 'transcoding.codec',
    env: 'SERVICE_TRANSCODE_CODEC',
    type: oneOf(['auto', 'h264', 'hevc', 'av1', 'vp9']),
    restart: false,
    doc: 'Video format that conversion produces. HEVC, AV1 and VP9 need less bandwidth but more work, and are used only where the device plays them; otherwise it is H.264.',
  }),
  setting({
    key: 'transcoding.tone_map',
    env: 'SERVICE_TONE_MAP',
    type: boolean,
    restart: false,
    doc: 'Converts the colours of HDR video for ordinary screens when the video is converted. If this is off, HDR video plays only on HDR devices. Blank means yes.',
  }),
  setting({
    key: 'subtitles.language',
    env: 'SERVICE_SUBTITLE_LANGUAGE',
    type: language,
    restart: false,
    doc: 'Language in which subtitles are fetched when a request names none.',
  }),
  setting({
    key: 'scanning.interval',
    env: 'SERVICE_SCAN_INTERVAL',
    type: duration({ min: '1s', zero: true }),
    default: '10m',
    restart: true,
    doc: 'Time between two scans of the libraries.',
  }),
  setting({
    key: 'scanning.frequency',
    env: 'SERVICE_SCAN_FREQUENCY',
    type: oneOf(['default', 'off', '5m', '15m', '1h']),
    restart: false,
    doc: "The Owner's choice of how often to scan; default means scanning.interval.",
  }),
  setting({
    key: 'dlna.url',
    env: 'SERVICE_DLNA_URL',
    type: url('home'),
    restart: true,
    doc: 'Address at which devices at home reach this server over DLNA.',
  }),
  setting({
    key: 'dlna.enabled',
    env: 'SERVICE_DLNA_ENABLED',
    type: boolean,
    restart: false,
    doc: 'Show the libraries to DLNA devices at home. Needs dlna.url.',
  }),
] as const;
