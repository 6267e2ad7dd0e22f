/** Puts a plan together: the decision, the tracks to choose from, and the links that the caller can use. Pure but for the tickets. */
import type { z } from 'zod';
import type { Item, SubtitleTrack } from '../../contract/catalog.ts';
import type { Purpose } from '../../contract/endpoint.ts';
import type { playback } from '../../contract/playback/plan.ts';
import type { Principal } from '../../contract/principal.ts';
import type { PlayableFile, Stream } from '../../catalog/index.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { covers, languageName, parseLanguage } from '../../lib/languages.ts';
import { extensionOf } from '../opening.ts';
import { typeWithCodecs } from './codecs.ts';
import { audiosOf, audioSupport, decide, type Mode, type Reason, usualAudio, videoOf } from './decide.ts';
import { codecName } from './names.ts';
import type { Client } from './types.ts';

export type Plan = z.input<typeof playback.plan.result>;
export interface Ticket {
  ticket: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}
export type MakeTicket = (of: { by: Principal; purpose: Purpose; item: string }) => Ticket | Promise<Ticket>;

export interface Choices {
  version?: string | undefined;
  part?: number | undefined;
  /** Index of the audio stream that somebody chose. */
  audio?: number | undefined;
  /** Key of the subtitle that somebody chose. */
  subtitle?: string | undefined;
  /** Seconds to begin at, instead of where the Profile is. */
  start?: number | undefined;
  /** Id of the quality that somebody chose. */
  quality?: string | undefined;
  /** The session that this plan changes; a new one when left out. */
  session?: string | undefined;
}

export interface Matter {
  item: Item;
  file: PlayableFile;
  tracks: readonly SubtitleTrack[];
  can: Client;
  choices: Choices;
  /** Languages that the Profile likes to hear, the best first. */
  liked: readonly string[];
  by: Principal;
  makeTicket: MakeTicket;
}

export async function makePlan({ item, file, tracks, can, choices, liked, by, makeTicket }: Matter): Promise<Plan> {
  const { info } = file;
  const chosen = choices.audio === undefined ? undefined : audioAt(file, choices.audio);
  const audio = chosen ?? audioFor(file, liked);
  const picked = choices.subtitle === undefined ? undefined : tracks.find(({ key }) => key === choices.subtitle);
  if (choices.subtitle !== undefined && !picked) throw new Failure('missing', 'no such subtitle');
  const { mode, reasons } = decide({ info, can, audio, isAudioChosen: chosen !== undefined, hasPictureSubtitle: picked?.picture === true });
  const video = videoOf(info);
  const streams = [video, audio].filter((stream) => stream !== undefined);
  const { urls, subtitles, linksExpireAt } = await links({ item, file, tracks, choices, by, makeTicket });
  return {
    mode,
    reasons,
    rejected: rejectedWays(mode, reasons),
    urls,
    ...(linksExpireAt !== undefined && { linksExpireAt: iso(linksExpireAt) }),
    ...(info && { container: info.container, type: typeWithCodecs({ container: info.container, extension: extensionOf(file.relative), streams }) }),
    ...(info?.duration !== undefined && { duration: info.duration }),
    parts: [{ part: file.part, start: 0, duration: info?.duration ?? 0 }],
    ...(video && { video: videoRow(video, mode) }),
    audio: audiosOf(info).map((stream) => ({ ...audioRow(stream), selected: stream === audio, action: audioSupport(stream, can).length === 0 ? 'copy' : 'convert' })),
    subtitles,
    qualities: [],
    chapters: (info?.chapters ?? []).map(({ start, end, title }, i) => ({ start, end, title: title ?? `Chapter ${i + 1}` })),
    markers: [],
    autoSkip: [],
    position: choices.start ?? item.userData.position,
    ...(item.next !== undefined && { next: item.next }),
    session: choices.session ?? newId(),
  };
}

function rejectedWays(mode: Mode, reasons: Reason[]): Plan['rejected'] {
  const ways = mode === 'direct' ? [] : mode === 'remux' ? (['direct'] as const) : (['direct', 'remux', 'remux-audio'] as const);
  return ways.map((way) => ({ way, reasons }));
}

function videoRow({ codec, width, height, bitrate, hdr }: Stream, mode: Mode): NonNullable<Plan['video']> {
  return {
    action: mode === 'transcode' ? 'convert' : 'copy', codec: codecName(codec), toneMap: false,
    ...(width !== undefined && { width }), ...(height !== undefined && { height }), ...(bitrate !== undefined && { bitrate }), ...(hdr !== undefined && { hdr }),
  };
}

function audioAt(file: PlayableFile, index: number): Stream {
  const stream = audiosOf(file.info).find((one) => one.index === index);
  if (!stream) throw new Failure('missing', 'no such audio track');
  return stream;
}

const languageOf = (stream: Stream): string | undefined => parseLanguage(stream.languageTag ?? stream.language ?? '');

/** The first liked language that the file has, told rather than commented upon; else what a player starts with. */
export function audioFor(file: Pick<PlayableFile, 'info'>, liked: readonly string[]): Stream | undefined {
  const all = audiosOf(file.info);
  for (const language of liked) {
    const fitting = all.filter((stream) => !stream.commentary && covers(languageOf(stream) ?? '', language));
    const best = fitting.find((stream) => stream.default) ?? fitting[0];
    if (best) return best;
  }
  return usualAudio(file.info);
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };
function audioRow(stream: Stream): Omit<Plan['audio'][number], 'selected' | 'action'> {
  const language = languageOf(stream);
  const { index, codec, channels } = stream;
  const layout = channels === undefined ? undefined : (LAYOUTS[channels] ?? `${channels} channels`);
  const words = [language === undefined ? 'Unknown language' : languageName(language), stream.title, stream.commentary && stream.title === undefined ? 'commentary' : undefined, layout];
  return { index, codec: codecName(codec), ...(language !== undefined && { language }), title: words.filter((word) => word !== undefined && word !== '').join(' · '), ...(channels !== undefined && { channels }), default: stream.default };
}

const deliveryOf = ({ picture }: SubtitleTrack): Plan['subtitles'][number]['delivery'] => (picture ? 'burn' : 'text');

/** Addresses: plain for a cookie, which a media element sends by itself; signed for everybody else. */
async function links({ item, file, tracks, choices, by, makeTicket }: Pick<Matter, 'item' | 'file' | 'tracks' | 'choices' | 'by' | 'makeTicket'>): Promise<Pick<Plan, 'urls' | 'subtitles'> & { linksExpireAt: number | undefined }> {
  if (!file.available) return { urls: {}, subtitles: tracks.map((track) => ({ ...track, delivery: deliveryOf(track) })), linksExpireAt: undefined };
  const expiries: number[] = [];
  const ticketFor = async (purpose: Purpose): Promise<string | undefined> => {
    if (by.cookie) return undefined;
    const { ticket, expiresAt } = await makeTicket({ by, purpose, item: item.id });
    expiries.push(expiresAt);
    return ticket;
  };
  const address = (path: string, query: Record<string, string | undefined>): string => {
    const given = Object.entries({ ...query, version: choices.version, part: choices.part?.toString() }).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
  };
  const mayDownload = by.policy.download && (!(by.via instanceof Set) || by.via.has('download'));
  const urls: Plan['urls'] = { media: address(`/media/${item.id}`, { ticket: await ticketFor('media') }) };
  if (mayDownload) urls.download = address(`/download/${item.id}`, { ticket: await ticketFor('download') });
  const ticket = tracks.length === 0 ? undefined : await ticketFor('subtitle');
  const subtitles = tracks.map((track): Plan['subtitles'][number] => {
    const delivery = deliveryOf(track);
    // Pictures in a file of their own can be had as they are; pictures inside the video come with it.
    if (track.picture && track.source === 'embedded') return { ...track, delivery };
    return { ...track, delivery, url: address(`/subtitle/${item.id}`, { track: track.key, format: track.picture ? 'original' : 'vtt', ticket }) };
  });
  return { urls, subtitles, linksExpireAt: expiries.length === 0 ? undefined : Math.min(...expiries) };
}
