/** Asks the server how an entry of the queue can be played here, and for what the decoder has to know. */
import { ask, queries, type Reply } from '../../../data/query.ts';
import { askPlan, type Change, type PlanReply } from '../../../parts/playback/plan.ts';
import { timelineOf, type Timeline } from '../../engine/timeline.ts';
import { loadBookPreferences } from './book.ts';
import { fitsDecoded } from './memory.ts';
import type { QueueEntry } from '../queue/queue.ts';
import type { Loudness } from '../sound/level.ts';
import type { EncoderPadding } from '../sound/cut.ts';

export interface PlayableEntry {
  entry: QueueEntry;
  plan: PlanReply;
  /** Offset of the element's clock, and the file that the element has. */
  timeline: Timeline;
  /** Samples a second of the file; undefined if it is not known. */
  rate: number | undefined;
  channels: number;
  loudness: Loudness | undefined;
  trim: EncoderPadding | undefined;
  /** Choices of the request, to repeat it. */
  change: Change;
}
/** Facts of the sound of a track. */
interface Sound {
  codec?: string | undefined;
  sampleRate?: number | undefined;
  channels?: number | undefined;
  gain?: Partial<Record<'track' | 'trackPeak' | 'album' | 'albumPeak', number | undefined>> | undefined;
  trim?: EncoderPadding | undefined;
}
type Item = Reply<'catalog', 'item'> & { sound?: Sound | undefined };

/** Samples that every MP3 decoder adds before what the encoder added. */
const MP3_DECODER_DELAY = 529;
const paddingOf = ({ codec, trim }: Sound): EncoderPadding | undefined =>
  trim && codec === 'mp3'
    ? { start: trim.start + MP3_DECODER_DELAY, end: Math.max(0, trim.end - MP3_DECODER_DELAY) }
    : trim;
const loudnessOf = ({ gain }: Sound): Loudness | undefined =>
  gain && {
    track: gain.track === undefined ? undefined : { gain: gain.track, peak: gain.trackPeak },
    album: gain.album === undefined ? undefined : { gain: gain.album, peak: gain.albumPeak },
  };

/** Whether an entry is decoded as a whole and played without gaps. */
export function isGapless({ entry, plan, rate, channels }: PlayableEntry): boolean {
  if (entry.item.kind !== 'track' || plan.mode !== 'direct' || plan.urls.media === undefined) return false;
  if (plan.parts.length > 1 || typeof AudioContext !== 'function') return false;
  const { deviceMemory } = navigator as { deviceMemory?: number };
  return fitsDecoded({ duration: plan.duration, rate: rate ?? 48_000, channels }, deviceMemory);
}

const itemOf = (id: string): Promise<Item | undefined> =>
  queries.fetchQuery(ask('catalog', 'item', { id })).catch(() => undefined);

/** `at` is the position in seconds; undefined for where the Profile stopped in a book, or the start of a track. */
export async function prepareEntry(
  entry: QueueEntry,
  { at, change = {}, session }: { at?: number | undefined; change?: Change; session?: string | undefined } = {},
): Promise<PlayableEntry & { start: number }> {
  const { id, kind } = entry.item;
  const asked = {
    id,
    session,
    ...(change.isStream && { isStream: true }),
    ...(change.avoid && { avoid: [change.avoid] }),
    ...(at !== undefined && { start: Math.floor(at) }),
  };
  const [first, item] = await Promise.all([
    askPlan(asked),
    itemOf(id),
    // Another plan for what plays already changes no preferences.
    kind === 'audiobook' && session === undefined ? loadBookPreferences(id) : undefined,
  ]);
  const start = at ?? (kind === 'audiobook' ? first.position : 0);
  const isWhole = first.mode !== 'direct';
  const part =
    isWhole || first.parts.length < 2
      ? undefined
      : (first.parts.findLast(({ start: from }) => from <= start) ?? first.parts[0])?.part;
  const planned = part === undefined ? first : await askPlan({ ...asked, session: first.session, part });
  // The plan has the chapters in the files; the page also those of cue sheets, and one for each file without any.
  const plan = kind === 'audiobook' && item ? { ...planned, chapters: item.chapters } : planned;
  const stream = item?.streams.find(({ type }) => type === 'audio');
  const sound = item?.sound;
  return {
    entry,
    plan,
    start,
    timeline: timelineOf(plan, part ?? 0, isWhole),
    rate: sound?.sampleRate ?? stream?.sampleRate,
    channels: sound?.channels ?? stream?.channels ?? 2,
    loudness: sound && loudnessOf(sound),
    trim: sound && paddingOf(sound),
    change,
  };
}
