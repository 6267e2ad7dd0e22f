/** A film that plays: the element with its stream, sound and subtitles, and everything that can be done to it. */
import { useMemo } from 'preact/hooks';
import type { Item } from '../../../contract/catalog/items.ts';
import { hrefOf, type To } from '../../lib/navigation/addresses.ts';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { sentence } from '../../data/client.ts';
import { useStore } from '../../lib/store.ts';
import { useSkipping } from '../parts/marks/skip.tsx';
import { createPlayer } from './actions.ts';
import { useDelays } from './delays.ts';
import { useMedia } from './media.ts';
import { deliveryOf, type Change, type Choices, type PlanReply } from '../../parts/playback/plan.ts';
import { type QueuePlace, queueOf, sameQueue } from '../../parts/playback/queue.ts';
import { useNeighbours } from './neighbours.ts';
import { playerPreferences } from './preferences.ts';
import { useReports } from './reporting/reports.ts';
import { useKeptVolume, useSoundFocus } from './sound/focus.ts';
import { useAudioDelay } from './sound/use-audio-delay.ts';
import { useSound } from './sound/use-sound.ts';
import { chooseNext, useAudio } from './sound/tracks.ts';
import { useSource } from './stream/source.ts';
import { useSubtitle } from './subtitle.ts';
import { createFilm, partAfter, timelineOf } from './timeline.ts';
import { startAt } from './times.ts';
import { useTiles } from './trickplay.ts';

export interface PlayingItem {
  item: Item;
  plan: PlanReply;
  choices: Choices;
  /** Played as it is although the browser says that it cannot. */
  isTried: boolean;
  version: string | undefined;
  part: number;
  behind: To;
  again: (change?: Change) => Promise<void>;
}

/** Returns a function that plays another part of the same film from a time on. */
const goToPart =
  ({ id, version, place }: { id: string; version: string | undefined; place: QueuePlace | undefined }) =>
  (part: number, at: number) => {
    const query = { version, part, start: String(Math.floor(at)), ...sameQueue(place) };
    go(hrefOf({ page: 'player', params: { id }, query }), { replace: true });
  };
/**
 * The subtitle file that belongs to what plays now: that of the part which the time is in, and where that part begins
 * on the element's clock.
 */
const partOf = (plan: PlanReply, part: number, isWhole: boolean, time: number): { part: number; start: number } => {
  if (plan.parts.length < 2) return { part, start: 0 };
  if (!isWhole) return { part, start: 0 };
  const at = [...plan.parts].reverse().find(({ start }) => start <= time) ?? plan.parts[0];
  return { part: at?.part ?? part, start: at?.start ?? 0 };
};

export function usePlaying(
  { item, plan, isTried, version, part, behind, again }: PlayingItem,
  video: HTMLVideoElement | null,
  say: (what: string) => void,
) {
  const query = useQueryParams();
  const isWhole = !isTried && deliveryOf(plan) === 'hls';
  const toPart = goToPart({ id: item.id, version, place: queueOf(query) });
  const film = useMemo(
    () => (video ? createFilm(video, timelineOf(plan, part, isWhole), toPart) : undefined),
    [video, plan, part, isWhole],
  );
  const start = useMemo(
    () => startAt({ asked: query.get('start'), position: plan.position, duration: plan.duration }),
    [],
  );
  const media = useMedia(video);
  const after = film && partAfter(film.timeline);
  const nextPart = after ? () => toPart(after.part, after.start) : undefined;
  // Before the source: on leaving, the last report is made while the element still knows its place.
  useReports(film, { id: item.id, session: plan.session, isLast: !nextPart });
  useSoundFocus(video);
  const source = useSource(video, {
    plan,
    isTried,
    start,
    offset: film?.timeline.offset ?? timelineOf(plan, part, isWhole).offset,
    again,
  });
  useKeptVolume(video);
  const change = (asked: Change) =>
    void again({ at: film?.time() ?? start, ...asked }).catch((error: unknown) => say(sentence(error)));
  const [delays, setDelays] = useDelays(item.id);
  const audio = useAudio(video, { plan, stream: source.stream, change });
  const sound = useSound(video, { delay: Math.max(0, delays.audio), isStream: isWhole });
  const delay = useAudioDelay({
    delays,
    onDelays: setDelays,
    isStream: isWhole || isTried,
    stream: source.stream,
    again,
    time: () => film?.time() ?? start,
    say,
  });
  const current = partOf(plan, part, isWhole, film?.time() ?? start);
  const subtitle = useSubtitle({
    item,
    plan,
    version,
    part: current.part,
    spoken: plan.audio.find(({ index }) => index === audio.playing)?.language,
    delays,
    onDelays: setDelays,
    change,
    say,
  });
  const leave = () => go(hrefOf(behind), { replace: true });
  const frameRate = item.streams.find(({ type }) => type === 'video')?.frameRate;
  const player = useMemo(() => createPlayer({ film, chapters: plan.chapters, say, frameRate, leave }), [film, plan]);
  const { nextId, isInList, goToNext, goToPrevious } = useNeighbours({
    next: plan.next ?? item.next,
    previous: item.previous,
  });
  const isAutoplay = useStore(playerPreferences).isAutoplay ?? plan.autoplay ?? true;
  const skipping = useSkipping({
    film,
    markers: plan.markers,
    autoSkip: plan.autoSkip,
    hasNext: nextId !== undefined && !nextPart,
    say,
  });
  const tiles = useTiles(plan.trickplay);
  return {
    film,
    start,
    media,
    source,
    audio,
    sound,
    subtitle,
    /**
     * Seconds of the element's clock by which subtitles come later: what was chosen, and the beginning of their part.
     */
    subtitleOffset: delays.subtitle + current.start,
    delay,
    player,
    skipping,
    tiles,
    change,
    leave,
    isAutoplay,
    nextPart,
    nextId: nextPart ? undefined : nextId,
    next: nextPart ?? goToNext,
    previous: goToPrevious,
    isInList,
    nextSound: () => say(chooseNext(audio)),
  };
}
export type Playing = ReturnType<typeof usePlaying>;
