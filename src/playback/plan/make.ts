/**
 * Builds the reply of a plan: the decision, the tracks to choose from, and the links that the caller can use. Pure
 * except for the tickets.
 */
import type { z } from 'zod';
import type { Stream } from '../../catalog/index.ts';
import type { Item } from '../../contract/catalog/items.ts';
import type { Purpose } from '../../contract/kernel/endpoint.ts';
import type { Marker, MarkerKind } from '../../contract/playback/markers.ts';
import type { playback } from '../../contract/playback/plan.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { languageName, parseLanguage } from '../../lib/languages.ts';
import { extensionOfFile } from '../opening.ts';
import { typeWithCodecs } from './codecs.ts';
import type { ItemChoices, PlannedItem, PlannedPart } from './item.ts';
import { codecName } from './names.ts';
import { countFonts } from '../subtitle/fonts.ts';
import { subtitleDeliveryOf, formOf } from './subtitles.ts';
import { audiosOf, videoOf } from './support.ts';
import type { AudioPlan, Client, PlaybackMethod } from './types.ts';

export type PlaybackPlan = z.input<typeof playback.plan.result>;
export interface PlanTicket {
  ticket: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}
export type MakeTicket = (of: { by: Principal; purpose: Purpose; item: string }) => PlanTicket | Promise<PlanTicket>;

export interface PlanChoices extends ItemChoices {
  /** Seconds to begin at, instead of where the Profile is. */
  start?: number | undefined;
  /** The session that this plan changes; a new one when left out. */
  session?: string | undefined;
}

export interface ReplyNeeds {
  item: Item;
  planned: PlannedItem;
  choices: PlanChoices;
  client: Client;
  /** Those that the caller may see. */
  markers: readonly Marker[];
  player: {
    autoSkip: readonly MarkerKind[];
    autoplay: boolean;
    showSubtitles: boolean | undefined;
    subtitleLanguage?: string | undefined;
  };
  by: Principal;
  makeTicket: MakeTicket;
}

const MODES: Readonly<Record<PlaybackMethod, PlaybackPlan['mode']>> = {
  direct: 'direct',
  remux: 'remux',
  'remux-audio': 'remux',
  transcode: 'transcode',
};
const WHY: Readonly<Record<PlannedItem['why'], string>> = {
  asked: 'This version was chosen.',
  only: 'There is one version.',
  best: 'Of all versions this one plays best here.',
};

/**
 * Builds the reply. Fails as `unavailable` while a file is away, as `forbidden`, or as `conflict` while the server is
 * busy, with the reasons, when nothing is left.
 */
export async function replyOf(needs: ReplyNeeds): Promise<PlaybackPlan> {
  const { item, planned, choices, markers, player } = needs;
  const { way, reasons, rejected, parts } = planned;
  if (!parts.every(({ file }) => file.available))
    throw new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' });
  if (way === undefined && planned.refusal === 'busy')
    throw new Failure('conflict', 'the server is converting as many films as it can', { reason: 'busy', reasons });
  if (way === undefined)
    throw new Failure('forbidden', 'this item cannot be played here', { reason: 'no-way', reasons });
  const part = parts[planned.at] as PlannedPart;
  const { file, audio, decision } = part;
  const { info } = file;
  const { urls, subtitles, fonts, chapters, trickplay, linksExpireAt } = await links(needs, part);
  const streams = [videoOf(info), audio].filter((stream) => stream !== undefined);
  const duration = parts.every((one) => one.duration > 0)
    ? parts.reduce((sum, one) => sum + one.duration, 0)
    : undefined;
  return {
    mode: MODES[way],
    reasons,
    rejected,
    urls,
    ...(linksExpireAt !== undefined && { linksExpireAt: iso(linksExpireAt) }),
    ...(info && {
      container: info.container,
      type: typeWithCodecs({ container: info.container, extension: extensionOfFile(file), streams }),
    }),
    version: { id: planned.version, why: planned.why, detail: WHY[planned.why] },
    parts: parts.map(({ file: one, start, duration: length }) => ({ part: one.part, start, duration: length })),
    ...(duration !== undefined && { duration }),
    ...(decision.video && { video: decision.video }),
    audio: audioRows(part),
    ...(info?.audio?.gain && { gain: info.audio.gain }),
    ...(info?.audio?.trim && way === 'direct' && { trim: info.audio.trim }),
    subtitles,
    ...(fonts && { fonts }),
    qualities: decision.qualities,
    chapters,
    markers: markers
      .filter(({ state }) => state === 'published')
      .map(({ kind, start, end, label }) => ({ kind, start, end, ...(label !== undefined && { label }) })),
    autoSkip: [...player.autoSkip],
    autoplay: player.autoplay,
    ...(player.showSubtitles !== undefined && { showSubtitles: player.showSubtitles }),
    ...(player.subtitleLanguage !== undefined && { subtitleLanguage: player.subtitleLanguage }),
    ...(trickplay !== undefined && { trickplay }),
    position: choices.start ?? item.userData.position,
    ...(item.next !== undefined && { next: item.next }),
    session: choices.session ?? newId(),
  };
}

/** Returns the tracks that this client can have, in the order of the file. */
function audioRows({ file, audio, decision: { recipe } }: PlannedPart): PlaybackPlan['audio'] {
  const planned = new Map((recipe?.audio ?? []).map((one) => [one.stream, one]));
  return audiosOf(file.info).flatMap((stream) => {
    const one = planned.get(stream.index);
    return one ? [{ ...audioRow(stream, one), selected: stream === audio }] : [];
  });
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };
function audioRow(stream: Stream, { action }: AudioPlan): Omit<PlaybackPlan['audio'][number], 'selected'> {
  const language = parseLanguage(stream.languageTag ?? stream.language ?? '');
  const { index, codec, channels } = stream;
  const layout = channels === undefined ? undefined : (LAYOUTS[channels] ?? `${channels} channels`);
  const words = [
    language === undefined ? 'Unknown language' : languageName(language),
    stream.title,
    stream.commentary && stream.title === undefined ? 'commentary' : undefined,
    layout,
  ];
  return {
    index,
    codec: codecName(codec),
    ...(language !== undefined && { language }),
    title: words.filter((word) => word !== undefined && word !== '').join(' · '),
    ...(channels !== undefined && { channels }),
    default: stream.default,
    action,
  };
}

type Links = Pick<PlaybackPlan, 'urls' | 'subtitles' | 'fonts' | 'chapters' | 'trickplay'> & {
  linksExpireAt: number | undefined;
};

/**
 * Returns the addresses: plain for a cookie, which a media element sends by itself, and signed for all other callers.
 */
async function links(
  { item, planned, choices, client, by, makeTicket }: ReplyNeeds,
  { file, tracks }: PlannedPart,
): Promise<Links> {
  const expiries: number[] = [];
  const ticketFor = async (purpose: Purpose): Promise<string | undefined> => {
    if (by.cookie) return undefined;
    const { ticket, expiresAt } = await makeTicket({ by, purpose, item: item.id });
    expiries.push(expiresAt);
    return ticket;
  };
  const version = choices.version ?? (planned.why === 'best' ? planned.version : undefined);
  const address = (path: string, query: Record<string, string | undefined>, part = choices.part): string => {
    const given = Object.entries({ ...query, version, part: part?.toString() }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
  };
  const mayDownload = by.policy.download && (!(by.via instanceof Set) || by.via.has('download'));
  const media = await ticketFor('media');
  const urls: PlaybackPlan['urls'] = { media: address(`/media/${item.id}`, { ticket: media }) };
  if (mayDownload) urls.download = address(`/download/${item.id}`, { ticket: await ticketFor('download') });
  const ticket = tracks.length === 0 ? undefined : await ticketFor('subtitle');
  const subtitles = tracks.map((track): PlaybackPlan['subtitles'][number] => {
    const delivery = subtitleDeliveryOf(track, client);
    if (delivery === 'burn' && track.source === 'embedded') return { ...track, delivery };
    return {
      ...track,
      delivery,
      url: address(`/subtitle/${item.id}`, { track: track.key, format: formOf(track, client), ticket }),
    };
  });
  const hasStyles = tracks.some((track) => !track.picture && formOf(track, client) === 'ass');
  const fonts = Array.from({ length: hasStyles ? countFonts(file.info?.streams ?? []) : 0 }, (_, number) =>
    address(`/font/${item.id}/${number}`, { ticket }),
  );
  const chapters = chaptersOf(planned, (part, at) => {
    const number = planned.parts.length > 1 ? part.file.part : choices.part;
    return videoOf(part.file.info) && address(`/trickplay/${item.id}/chapter-${at}.jpg`, { ticket: media }, number);
  });
  const trickplay = videoOf(file.info) ? address(`/trickplay/${item.id}/index.vtt`, { ticket: media }) : undefined;
  return {
    urls,
    subtitles,
    ...(fonts.length > 0 && { fonts }),
    chapters,
    ...(trickplay !== undefined && { trickplay }),
    linksExpireAt: expiries.length === 0 ? undefined : Math.min(...expiries),
  };
}

/** Returns the chapters of all parts on one timeline. */
function chaptersOf(
  { parts }: PlannedItem,
  imageOf: (part: PlannedPart, at: number) => string | undefined,
): PlaybackPlan['chapters'] {
  const all = parts.flatMap((part) => (part.file.info?.chapters ?? []).map((chapter, at) => ({ chapter, part, at })));
  return all.map(({ chapter: { start, end, title }, part, at }, i) => {
    const image = imageOf(part, at);
    return {
      start: part.start + start,
      end: part.start + end,
      title: title ?? `Chapter ${i + 1}`,
      ...(image !== undefined && { image }),
    };
  });
}
