/** Settings of playing, converting, scanning and showing media to the network. */
import { MARKER_KINDS } from '../../contract/playback/markers.ts';
import { setting } from '../setting.ts';
import { boolean, language, listOf, oneOf, positiveInteger } from '../types/basic.ts';
import { url } from '../types/network.ts';
import { duration } from '../types/time.ts';

export const playingSettings = [
  setting({ key: 'playback.mode', env: 'SERVICE_PLAYBACK_MODE', type: oneOf(['automatic', 'direct', 'compatible']), restart: false, doc: 'How media is delivered: whatever fits, only as it is, or always in the most compatible form.' }),
  setting({ key: 'playback.autoplay', env: 'SERVICE_AUTOPLAY', type: boolean, restart: false, doc: 'Start the next episode by itself.' }),
  setting({ key: 'playback.subtitles', env: 'SERVICE_SUBTITLES', type: oneOf(['on', 'off']), restart: false, doc: 'Show subtitles when playing starts.' }),
  setting({ key: 'playback.auto_skip', env: 'SERVICE_AUTO_SKIP', type: listOf(MARKER_KINDS), restart: false, doc: 'Kinds of passages that are skipped without asking.' }),
  setting({ key: 'playback.remote_bitrate', env: 'SERVICE_REMOTE_BITRATE', type: positiveInteger(1_000_000_000, 100_000), restart: false, addition: true, doc: 'Maximum bits per second for listeners away from home, such as 8000000; blank means no maximum.' }),
  setting({ key: 'transcoding.quality', env: 'SERVICE_TRANSCODE_QUALITY', type: oneOf(['automatic', 'speed', 'quality']), restart: false, doc: 'What a conversion favours.' }),
  setting({
    key: 'transcoding.accelerator',
    env: 'SERVICE_TRANSCODE_ACCELERATOR',
    type: oneOf(['none', 'auto', 'vaapi', 'qsv', 'cuda', 'videotoolbox', 'rkmpp', 'v4l2m2m', 'amf', 'mf']),
    restart: false,
    doc: 'Hardware that converts video.',
  }),
  setting({ key: 'transcoding.codec', env: 'SERVICE_TRANSCODE_CODEC', type: oneOf(['auto', 'h264', 'hevc', 'av1', 'vp9']), restart: false, doc: 'Video codec that a conversion makes.' }),
  setting({ key: 'transcoding.tone_map', env: 'SERVICE_TONE_MAP', type: boolean, restart: false, doc: 'Map HDR video to the range of an ordinary screen when it is converted.' }),
  setting({ key: 'subtitles.language', env: 'SERVICE_SUBTITLE_LANGUAGE', type: language, restart: false, doc: 'Language in which subtitles are fetched when a request names none.' }),
  setting({ key: 'scanning.interval', env: 'SERVICE_SCAN_INTERVAL', type: duration({ min: '1s', zero: true }), default: '10m', restart: true, doc: 'Time between two scans of the libraries.' }),
  setting({ key: 'scanning.frequency', env: 'SERVICE_SCAN_FREQUENCY', type: oneOf(['default', 'off', '5m', '15m', '1h']), restart: false, doc: 'The Owner\'s choice of how often to scan; default means scanning.interval.' }),
  setting({ key: 'dlna.url', env: 'SERVICE_DLNA_URL', type: url('home'), restart: true, doc: 'Address at which devices at home reach this server over DLNA.' }),
  setting({ key: 'dlna.enabled', env: 'SERVICE_DLNA_ENABLED', type: boolean, restart: false, doc: 'Show the libraries to DLNA devices at home. Needs dlna.url.' }),
] as const;
