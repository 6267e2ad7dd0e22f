/** Names of settings, and of their values, for settings whose key is not clear enough on its own. Pure. */

/** Position of a switch while nothing is set, and the name of that value in a choice. */
type Unset = boolean | string;
export interface SettingWords {
  name: string;
  /** Labels of the values that can be chosen. */
  values?: Readonly<Record<string, string>>;
  /** What happens while nothing is set. */
  unset?: Unset;
  /** Shown next to a typed value: its unit and an example. */
  hint?: string;
}

const WORDS: Readonly<Record<string, SettingWords>> = {
  'playback.mode': {
    name: 'Delivery',
    unset: 'Automatic (default)',
    values: { automatic: 'Automatic', direct: 'Never convert', compatible: 'Most compatible: H.264 and AAC' },
  },
  'playback.autoplay': { name: 'Play the next episode automatically', unset: true },
  'playback.subtitles': {
    name: 'Subtitles at the start',
    unset: 'As each profile chose (default)',
    values: { on: 'On', off: 'Off' },
  },
  'playback.auto_skip': {
    name: 'Skip automatically',
    values: { intro: 'Intros', recap: 'Recaps', commercial: 'Commercials', outro: 'Outros', credits: 'Credits' },
  },
  'playback.remote_bitrate': {
    name: 'Bandwidth limit away from home',
    hint: 'Bits per second: 8000000 is 8 Mbit/s, enough for 1080p.',
  },
  'transcoding.quality': {
    name: 'Speed or quality',
    unset: 'Balanced (default)',
    values: { automatic: 'Balanced', speed: 'Fastest', quality: 'Best picture' },
  },
  'transcoding.accelerator': {
    name: 'Graphics hardware',
    unset: 'Automatic (default)',
    values: {
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
  },
  'transcoding.codec': {
    name: 'Converted video format',
    unset: 'Automatic (default)',
    values: {
      auto: 'Automatic',
      h264: 'H.264, plays everywhere',
      hevc: 'HEVC, about half the size',
      av1: 'AV1, smallest and slowest',
      vp9: 'VP9',
    },
  },
  'transcoding.tone_map': { name: 'Convert HDR colours for ordinary screens', unset: true },
};

export const wordsOf = (key: string): SettingWords | undefined => (Object.hasOwn(WORDS, key) ? WORDS[key] : undefined);
