/**
 * What it takes for a client to play a file: nothing (direct play), another container around the same
 * streams (remux), or other streams (transcode). A pure function of what the client says and what the
 * probe found; it promises the same answer for the same input, and a reason for everything but direct play.
 */
import type { MediaInfo, Stream } from '../../catalog/index.ts';
import { codecName, containerName, profileName } from './names.ts';
import type { Client } from './types.ts';

export const REASONS = ['not-analysed', 'container-not-supported', 'video-codec-not-supported', 'video-profile-not-supported', 'hdr-not-supported', 'resolution', 'bitrate', 'audio-codec-not-supported', 'audio-channels', 'audio-track', 'subtitle-burn-in'] as const;
export type ReasonCode = (typeof REASONS)[number];
export interface Reason {
  code: ReasonCode;
  /** A sentence for a person. */
  detail: string;
}
export type Mode = 'direct' | 'remux' | 'transcode';

export interface Question {
  info: MediaInfo | undefined;
  can: Client;
  /** The audio stream that shall be heard. */
  audio?: Stream | undefined;
  /** Whether somebody chose that stream, rather than taking what comes first. */
  isAudioChosen?: boolean;
  /** Whether the chosen subtitle is a picture, which has to be drawn into the video. */
  hasPictureSubtitle?: boolean;
}

/** These leave the streams as they are. */
const BY_REMUX: ReadonlySet<ReasonCode> = new Set(['container-not-supported', 'audio-track']);

export function decide({ info, can, audio, isAudioChosen = false, hasPictureSubtitle = false }: Question): { mode: Mode; reasons: Reason[] } {
  if (!info) return { mode: 'transcode', reasons: [{ code: 'not-analysed', detail: 'This file could not be looked into, so nobody can tell whether it plays.' }] };
  const reasons = [...containerReasons(info, can), ...videoReasons(info, can), ...audioReasons(audio, can)];
  if (isAudioChosen && audio && audio !== usualAudio(info)) reasons.push({ code: 'audio-track', detail: 'A player that cannot choose starts with another audio track of this file.' });
  if (hasPictureSubtitle) reasons.push({ code: 'subtitle-burn-in', detail: 'The chosen subtitle is a picture and has to be drawn into the video.' });
  return { mode: reasons.length === 0 ? 'direct' : reasons.every(({ code }) => BY_REMUX.has(code)) ? 'remux' : 'transcode', reasons };
}

/** The video that is played: the first one that is no cover. */
export const videoOf = (info: MediaInfo | undefined): Stream | undefined => info?.streams.find(({ type, cover }) => type === 'video' && !cover);
export const audiosOf = (info: MediaInfo | undefined): Stream[] => (info?.streams ?? []).filter(({ type }) => type === 'audio');
/** The audio that a player without a choice plays: the default one, else the first. */
export function usualAudio(info: MediaInfo | undefined): Stream | undefined {
  const all = audiosOf(info);
  return all.find((stream) => stream.default) ?? all[0];
}

function containerReasons({ container }: MediaInfo, { containers }: Client): Reason[] {
  const name = containerName(container);
  // WebM is a Matroska file with fewer codecs.
  if (!containers || containers.has(name) || (name === 'webm' && containers.has('matroska'))) return [];
  return [{ code: 'container-not-supported', detail: `This player does not open ${CONTAINER_WORDS[name] ?? name} files.` }];
}

function videoReasons(info: MediaInfo, can: Client): Reason[] {
  const video = videoOf(info);
  const reasons: Reason[] = [];
  if (video) {
    const support = supportOf(video, can.videoCodecs);
    if (support === 'none') reasons.push({ code: 'video-codec-not-supported', detail: `This player does not play ${word(video.codec)} video.` });
    if (support === 'other-profile') reasons.push({ code: 'video-profile-not-supported', detail: `This player does not play the ${video.profile ?? 'used'} profile of ${word(video.codec)}.` });
    if (video.hdr !== undefined && can.hdrFormats && !can.hdrFormats.has(video.hdr)) reasons.push({ code: 'hdr-not-supported', detail: `This player does not show ${HDR_WORDS[video.hdr]} pictures.` });
    if (can.maxHeight !== undefined && (video.height ?? 0) > can.maxHeight) reasons.push({ code: 'resolution', detail: `The picture has ${video.height} lines; ${can.maxHeight} are allowed.` });
  }
  const bitrate = info.bitrate ?? (info.duration !== undefined && info.duration > 0 ? Math.round((info.size * 8) / info.duration) : undefined);
  if (can.maxBitrate !== undefined && bitrate !== undefined && bitrate > can.maxBitrate) reasons.push({ code: 'bitrate', detail: `The file has ${megabits(bitrate)} Mbit/s; ${megabits(can.maxBitrate)} are allowed.` });
  return reasons;
}

const audioReasons = (audio: Stream | undefined, can: Client): Reason[] => (audio ? audioSupport(audio, can) : []);

/** Why a client cannot play an audio track as it is; empty when it can. */
export function audioSupport(audio: Stream, { audioCodecs, maxAudioChannels }: Client): Reason[] {
  const reasons: Reason[] = [];
  if (supportOf(audio, audioCodecs) !== 'full') reasons.push({ code: 'audio-codec-not-supported', detail: `This player does not play ${word(audio.codec)} audio.` });
  if (maxAudioChannels !== undefined && (audio.channels ?? 0) > maxAudioChannels) reasons.push({ code: 'audio-channels', detail: `The audio has ${audio.channels} channels; ${maxAudioChannels} are allowed.` });
  return reasons;
}

/** Profiles that every player of a codec has, so that naming the codec is enough. Others are named as `codec-profile`. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  h264: ['baseline', 'constrainedbaseline', 'main', 'high', 'progressivehigh', 'constrainedhigh'],
  hevc: ['main', 'main10', 'mainstillpicture'],
  vp9: ['profile0', 'profile2'],
  av1: ['main'],
};

function supportOf({ type, codec, profile }: Stream, codecs: ReadonlySet<string> | undefined): 'full' | 'other-profile' | 'none' {
  if (!codecs) return 'full';
  const name = codecName(codec);
  const own = profileName(profile ?? '');
  if (own !== '' && codecs.has(`${name}-${own}`)) return 'full';
  if (codecs.has(name)) return type !== 'video' || own === '' || !USUAL[name] || USUAL[name].includes(own) ? 'full' : 'other-profile';
  return [...codecs].some((one) => one.startsWith(`${name}-`)) ? 'other-profile' : 'none';
}

const megabits = (bits: number): string => (bits / 1e6).toFixed(1);
const HDR_WORDS = { hdr10: 'HDR10', hlg: 'HLG', 'dolby-vision': 'Dolby Vision' } as const;
const CONTAINER_WORDS: Readonly<Record<string, string>> = { matroska: 'Matroska', mp4: 'MP4', mov: 'QuickTime', webm: 'WebM', avi: 'AVI', mpegts: 'MPEG transport stream', mpeg: 'MPEG program stream', asf: 'Windows Media', flv: 'Flash', ogg: 'Ogg' };
const CODEC_WORDS: Readonly<Record<string, string>> = {
  h264: 'H.264', hevc: 'HEVC', vp9: 'VP9', vp8: 'VP8', av1: 'AV1', mpeg4: 'MPEG-4', mpeg2video: 'MPEG-2', vc1: 'VC-1', vvc: 'VVC', aac: 'AAC', ac3: 'Dolby Digital', eac3: 'Dolby Digital Plus', truehd: 'Dolby TrueHD', dts: 'DTS', flac: 'FLAC', opus: 'Opus', vorbis: 'Vorbis', mp3: 'MP3', alac: 'ALAC', pcm: 'PCM',
};
const word = (codec: string): string => CODEC_WORDS[codecName(codec)] ?? codec;
