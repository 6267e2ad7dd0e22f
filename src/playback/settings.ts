/** Settings of playing and converting. */
import {
  PROGRAMS,
  boolean,
  booleanSamples,
  choiceSamples,
  listOf,
  oneOf,
  positiveInteger,
  program,
  programSamples,
  setting,
  settingGroup,
  type SettingTypesOf,
} from '../config/index.ts';
import { MARKER_KINDS } from '../contract/playback/markers.ts';

const playbackGroup = settingGroup('playback', 'Playback');
const transcodingGroup = settingGroup('transcoding', 'Video conversion');

export const playbackSettings = [
  setting({
    key: 'binaries.fpcalc',
    env: 'SERVICE_FPCALC',
    group: PROGRAMS,
    title: 'Audio fingerprints (fpcalc)',
    personOnly: true,
    type: program,
    default: 'fpcalc',
    restart: true,
    doc: 'The fpcalc program, which makes audio fingerprints to find intros and credits.',
    samples: programSamples,
  }),
  setting({
    key: 'playback.mode',
    env: 'SERVICE_PLAYBACK_MODE',
    group: playbackGroup,
    title: 'Direct play or conversion',
    type: oneOf(['automatic', 'direct', 'compatible']),
    restart: false,
    doc:
      'Automatic plays files as they are and converts only what a device cannot play. Direct never converts, so ' +
      'some files will not play on some devices. Compatible converts everything that is not H.264 and AAC; use it ' +
      'for devices that claim more than they play.',
    unset: 'automatic',
    labels: { automatic: 'Automatic', direct: 'Never convert', compatible: 'Most compatible: H.264 and AAC' },
    samples: choiceSamples('automatic', 'direct', 'compatible'),
  }),
  setting({
    key: 'playback.autoplay',
    env: 'SERVICE_AUTOPLAY',
    group: playbackGroup,
    title: 'Play the next episode automatically',
    type: boolean,
    restart: false,
    doc:
      'Starts the next episode 10 seconds after one ends, unless the viewer cancels or has turned this off in ' +
      'the player.',
    unset: 'true',
    general: true,
    samples: booleanSamples,
  }),
  setting({
    key: 'playback.subtitles',
    env: 'SERVICE_SUBTITLES',
    group: playbackGroup,
    title: 'Subtitles when playback starts',
    type: oneOf(['on', 'off']),
    restart: false,
    doc: 'Turns subtitles on or off when playback starts, for viewers who have not chosen for themselves.',
    unset: 'As chosen in each profile',
    labels: { on: 'On', off: 'Off' },
    general: true,
    samples: choiceSamples('on', 'off'),
  }),
  setting({
    key: 'playback.auto_skip',
    env: 'SERVICE_AUTO_SKIP',
    group: playbackGroup,
    title: 'Skip automatically',
    type: listOf(MARKER_KINDS),
    restart: false,
    doc:
      'Passages that the player skips without asking; the others get a button, and a skip can be undone for 5 ' +
      'seconds.',
    labels: { intro: 'Intros', recap: 'Recaps', commercial: 'Commercials', outro: 'Outros', credits: 'Credits' },
    general: true,
    samples: () => ({
      good: ['[]', '["intro"]', '["intro","recap","commercial","outro","credits"]'],
      bad: ['intro', '["intro","intro"]', '["song"]', '[1]', '{}', '[["intro"]]'],
    }),
  }),
  setting({
    key: 'playback.remote_bitrate',
    env: 'SERVICE_REMOTE_BITRATE',
    group: playbackGroup,
    title: 'Bandwidth limit away from home',
    type: positiveInteger(1_000_000_000, 100_000),
    restart: false,
    addition: true,
    doc: 'Maximum bandwidth of each viewer outside the home network; a video that needs more is converted to fit.',
    hint: '8 Mbit/s is enough for 1080p.',
    general: true,
    unit: { name: 'Mbit/s', size: 1_000_000 },
    unset: 'No limit',
    samples: () => ({
      good: ['100000', '8000000', '1000000000'],
      bad: ['0', '8', '99999', '1000000001', '-8000000', '8e6', '8M', '8000000.5', ' 8000000', '08000000'],
    }),
  }),
  setting({
    key: 'transcoding.quality',
    env: 'SERVICE_TRANSCODE_QUALITY',
    group: transcodingGroup,
    title: 'Speed or quality',
    type: oneOf(['automatic', 'speed', 'quality']),
    restart: false,
    doc:
      'Balance between speed and quality of conversion. Speed uses the least CPU time and looks worse at the same ' +
      'bitrate. Quality looks better, but resolutions that this computer cannot convert in real time are not ' +
      'offered. Automatic chooses the best quality that is fast enough.',
    unset: 'automatic',
    labels: { automatic: 'Balanced', speed: 'Fastest', quality: 'Best picture' },
    samples: choiceSamples('automatic', 'speed', 'quality'),
  }),
  setting({
    key: 'transcoding.accelerator',
    env: 'SERVICE_TRANSCODE_ACCELERATOR',
    group: transcodingGroup,
    title: 'Graphics hardware',
    type: oneOf(['none', 'auto', 'vaapi', 'qsv', 'cuda', 'videotoolbox', 'rkmpp', 'v4l2m2m', 'amf', 'mf']),
    restart: false,
    doc:
      'Graphics hardware that converts video, many times faster than the processor. Auto tests what is there and ' +
      'uses what passes; if the chosen hardware fails, the processor takes over.',
    unset: 'auto',
    labels: {
      none: 'None, use the processor',
      auto: 'Automatic',
      vaapi: 'VA-API (Intel and AMD, Linux)',
      qsv: 'Intel Quick Sync',
      cuda: 'NVIDIA',
      videotoolbox: 'Apple VideoToolbox',
      rkmpp: 'Rockchip',
      v4l2m2m: 'Video4Linux (Raspberry Pi)',
      amf: 'AMD AMF (Windows)',
      mf: 'Windows Media Foundation',
    },
    samples: choiceSamples('none', 'auto', 'vaapi', 'qsv', 'cuda', 'videotoolbox', 'rkmpp', 'v4l2m2m', 'amf', 'mf'),
  }),
  setting({
    key: 'transcoding.codec',
    env: 'SERVICE_TRANSCODE_CODEC',
    group: transcodingGroup,
    title: 'Converted video format',
    type: oneOf(['auto', 'h264', 'hevc', 'av1', 'vp9']),
    restart: false,
    doc:
      'Video format that conversion produces. HEVC, AV1 and VP9 need less bandwidth but more work, and are used ' +
      'only where the device plays them; otherwise it is H.264.',
    unset: 'auto',
    labels: {
      auto: 'Automatic',
      h264: 'H.264, plays everywhere',
      hevc: 'HEVC, about half the size',
      av1: 'AV1, smallest and slowest',
      vp9: 'VP9',
    },
    samples: choiceSamples('auto', 'h264', 'hevc', 'av1', 'vp9'),
  }),
  setting({
    key: 'transcoding.tone_map',
    env: 'SERVICE_TONE_MAP',
    group: transcodingGroup,
    title: 'Convert HDR colours for ordinary screens',
    type: boolean,
    restart: false,
    doc:
      'Converts the colours of HDR video for ordinary screens when the video is converted. If this is off, HDR ' +
      'video plays only on HDR devices.',
    unset: 'true',
    samples: booleanSamples,
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof playbackSettings> {}
}
