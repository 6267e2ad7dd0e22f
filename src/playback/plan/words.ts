/**
 * Words for the reasons of a plan: why a way is not taken, and what is done instead, in sentences that a viewer
 * understands.
 */
import type { PlayReasonCode } from '../../contract/playback/reasons.ts';
import { codecName, containerName } from './names.ts';
import type { PlaybackMethod } from './types.ts';

/** One reason why a way is not taken. */
export interface Cause {
  code: PlayReasonCode;
  /** Index of the stream that it is about. */
  stream?: number;
  /** A clause without a full stop: `This player does not open Matroska files`. */
  words: string;
}

/** A reason as replies carry it. */
export interface Reason {
  code: PlayReasonCode;
  stream?: number;
  /** Sentences for a person. */
  detail: string;
}

/** The outcome of a plan, which completes the sentences of its reasons. */
export interface PlanOutcome {
  way: PlaybackMethod;
  /** `H.264 at 1080p`, when the video is converted. */
  video?: string;
  /** `AAC`, when the audio is converted. */
  audio?: string;
}

export const because = (code: PlayReasonCode, words: string, stream?: number): Cause => ({
  code,
  words,
  ...(stream !== undefined && { stream }),
});
/** Returns a list with the cause when the condition holds, and an empty one otherwise. */
export const when = (isSo: boolean, code: PlayReasonCode, words: string, stream?: number): Cause[] =>
  isSo ? [because(code, words, stream)] : [];

export const causeOnly = ({ words, ...cause }: Cause): Reason => ({ ...cause, detail: `${words}.` });

/**
 * Returns the cause and what follows from it: "This player does not play Dolby Digital sound, so the sound is converted
 * to AAC. The picture is not touched."
 */
export const withOutcome = ({ words, ...cause }: Cause, outcome: PlanOutcome): Reason => ({
  ...cause,
  detail: `${words}${consequence(cause.code, outcome)}`,
});

function consequence(code: PlayReasonCode, { way, video, audio }: PlanOutcome): string {
  switch (code) {
    case 'container-not-supported':
    case 'audio-track':
      if (way === 'remux') return ', so the file is repacked while it plays. Picture and sound are not touched.';
      return way === 'remux-audio' ? ', so the file is repacked while it plays. The picture is not touched.' : '.';
    case 'audio-codec-not-supported':
    case 'audio-channels':
      if (audio === undefined) return '.';
      return `, so the sound is converted to ${audio}.${way === 'remux-audio' ? ' The picture is not touched.' : ''}`;
    case 'subtitle-burn-in':
      return video === undefined ? '.' : ', so they are drawn into the video.';
    case 'hdr-not-supported':
    case 'dolby-vision-profile':
      return video === undefined ? '.' : ', so its colours are converted for an ordinary screen.';
    case 'mode':
    case 'hardware-failed':
    case 'not-analysed':
    case 'quality-refused':
    case 'protected':
      return '.';
    case 'empty-track':
      return ', so it is left out.';
    default:
      return video === undefined ? '.' : `, so the video is converted to ${video}.`;
  }
}

const CONTAINERS: Readonly<Record<string, string>> = {
  matroska: 'Matroska',
  mp4: 'MP4',
  mov: 'QuickTime',
  webm: 'WebM',
  avi: 'AVI',
  mpegts: 'MPEG transport stream',
  mpeg: 'MPEG program stream',
  asf: 'Windows Media',
  flv: 'Flash',
  ogg: 'Ogg',
};
const CODECS: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'HEVC',
  vp9: 'VP9',
  vp8: 'VP8',
  av1: 'AV1',
  mpeg4: 'MPEG-4',
  mpeg2video: 'MPEG-2',
  mpeg1video: 'MPEG-1',
  vc1: 'VC-1',
  vvc: 'VVC',
  theora: 'Theora',
  wmv3: 'Windows Media',
  aac: 'AAC',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  ac4: 'Dolby AC-4',
  truehd: 'Dolby TrueHD',
  dts: 'DTS',
  flac: 'FLAC',
  opus: 'Opus',
  vorbis: 'Vorbis',
  mp3: 'MP3',
  mp2: 'MP2',
  alac: 'ALAC',
  pcm: 'PCM',
  wmav2: 'Windows Media',
  wmapro: 'Windows Media',
};
export const HDR_WORDS = { hdr10: 'HDR10', hlg: 'HLG', 'dolby-vision': 'Dolby Vision' } as const;

const worded = (table: Readonly<Record<string, string>>, name: string, otherwise: string): string =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ?? otherwise;
export const containerWord = (name: string): string => worded(CONTAINERS, containerName(name), name);
export const codecWord = (name: string): string => worded(CODECS, codecName(name), name);
/** Returns `8`, `0.8` or `12.5`. */
export const megabits = (bits: number): string => String(Math.round(bits / 1e5) / 10);
