/** For tests of the plan: what real players say of themselves, and machines that convert for them. */
import { cautiousMachine } from '../machine.ts';
import { readCapabilities } from '../names.ts';
import type { Client, Machine, PlanPolicy, PlanSettings } from '../types.ts';

const BROWSER = {
  audioCodecs: 'aac,mp3,opus,flac,vorbis',
  containers: 'mp4,webm,ogg,mp3,flac,wav',
  hdrFormats: '',
  subtitleFormats: 'vtt,ass,pgs,vobsub',
};
export const CLIENTS = {
  chromium: readCapabilities({ ...BROWSER, videoCodecs: 'h264,vp8,vp9,av1' }),
  firefox: readCapabilities({ ...BROWSER, videoCodecs: 'h264,h264-opengop,vp8,vp9,av1' }),
  safari: readCapabilities({
    videoCodecs: 'h264,h264-opengop,h264-rotated,hevc,hevc-opengop,hevc-rotated,vp9',
    audioCodecs: 'aac,mp3,ac3,eac3,alac,flac,opus',
    containers: 'mp4,mov',
    hdrFormats: 'hdr10,hlg,dolby-vision',
    subtitleFormats: 'vtt,ass,pgs,vobsub',
  }),
  cast: readCapabilities({
    videoCodecs: 'h264,vp8,vp9',
    audioCodecs: 'aac,mp3,opus,vorbis,flac',
    containers: 'mp4,webm',
    hdrFormats: '',
    subtitleFormats: 'vtt',
    maxAudioChannels: 2,
    maxHeight: 1080,
  }),
  oldTv: readCapabilities({
    videoCodecs: 'h264',
    audioCodecs: 'aac',
    containers: 'mp4',
    hdrFormats: '',
    subtitleFormats: 'vtt',
    maxAudioChannels: 2,
    maxHeight: 1080,
  }),
  newTv: readCapabilities({
    videoCodecs: 'h264,h264-interlaced,hevc,vp9,av1,mpeg2video,mpeg4',
    audioCodecs: 'aac,ac3,eac3,mp2,mp3,flac,opus,dts',
    containers: 'mp4,mkv,ts,avi,webm',
    hdrFormats: 'hdr10,hlg',
    subtitleFormats: 'vtt',
    maxAudioChannels: 8,
    maxHeight: 2160,
  }),
  mpv: readCapabilities({
    videoCodecs:
      'h264,h264-high10,h264-opengop,h264-interlaced,h264-rotated,hevc,hevc-opengop,vp8,vp9,av1,mpeg2video,mpeg4,vc1',
    audioCodecs: 'aac,ac3,eac3,dts,truehd,mp2,mp3,flac,opus,vorbis,pcm',
    containers: 'mp4,mov,mkv,webm,ts,mpeg,avi,asf,flac,mp3',
    hdrFormats: 'hdr10,hlg,dolby-vision-5,dolby-vision',
    subtitleFormats: 'vtt,ass,pgs,vobsub',
  }),
  silent: readCapabilities({}),
} satisfies Record<string, Client>;
export type ClientName = keyof typeof CLIENTS;

/** Converts everything here at 1.5 times real time. */
const STRONG: Machine = {
  ...cautiousMachine(1),
  software: {
    codecs: ['h264'],
    rates: { ultrafast: 1000e6, superfast: 800e6, veryfast: 600e6, faster: 400e6, fast: 300e6 },
    decodeRate: 4000e6,
    toneMapRate: 1000e6,
  },
};
const accelerator = (name: 'vaapi' | 'cuda', codecs: Machine['accelerators'][number]['codecs']) => ({
  name,
  device: '/dev/dri/renderD128',
  codecs,
  rate: 2000e6,
  toneMapRate: 2000e6,
});
export const MACHINES = {
  strong: STRONG,
  busy: { ...STRONG, isBusy: true },
  two: cautiousMachine(2),
  one: cautiousMachine(1),
  vaapi: { ...STRONG, accelerators: [accelerator('vaapi', ['h264', 'hevc'])] },
  busyVaapi: { ...STRONG, isBusy: true, accelerators: [accelerator('vaapi', ['h264'])] },
  both: { ...STRONG, accelerators: [accelerator('cuda', ['h264', 'hevc', 'av1']), accelerator('vaapi', ['h264'])] },
  placebo: { ...STRONG, toneMaps: ['hdr10', 'hlg', 'dolby-vision'] },
  placeboVaapi: {
    ...STRONG,
    toneMaps: ['hdr10', 'hlg', 'dolby-vision'],
    accelerators: [accelerator('vaapi', ['h264', 'hevc'])],
  },
  noMap: { ...STRONG, toneMaps: [] },
  manyCodecs: { ...STRONG, software: { ...STRONG.software, codecs: ['h264', 'hevc', 'vp9'] } },
  noEac3: { ...STRONG, eac3: false },
} satisfies Record<string, Machine>;
export type MachineName = keyof typeof MACHINES;

export const SETTINGS: PlanSettings = {
  mode: 'automatic',
  quality: 'automatic',
  accelerator: 'auto',
  codec: 'auto',
  toneMap: true,
};
export const POLICY: PlanPolicy = { transcode: true, isRemote: false };
