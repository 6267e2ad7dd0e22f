/**
 * Plays the queue: one entry at a time, with the next one decoded and scheduled before the current one ends. There is
 * one engine in the dashboard. It belongs to no page, so that it continues while pages change.
 */
import { onSoundTaken, takeSound } from '../../../data/sound-focus.ts';
import { sentence } from '../../../data/client.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { nowListening } from '../../../parts/listening/requests.ts';
import { otherPartAt, partAfter } from '../../engine/timeline.ts';
import { currentOf, entryAfter, jumped, type QueueEntry } from '../queue/queue.ts';
import type { Deck, DeckEvents } from '../sound/deck.ts';
import { endSession } from '../../../parts/playback/plan.ts';
import { createElementDeck } from '../sound/element.ts';
import { createGaplessDeck, type GaplessDeck } from '../sound/gapless.ts';
import { levelFactor } from '../sound/level.ts';
import { loadSound, LoadFailed } from '../sound/load.ts';
import { isGapless, prepareEntry, type PlayableEntry } from './prepare.ts';
import { createListenReports, type ListenReports } from './reports.ts';
import { sleepFactor } from './sleep.ts';
import { bookPreferences } from './book.ts';
import { keepSession } from './keeper.ts';
import { change, entryNow, listenClock, listening, listenPreferences } from './state.ts';
import { repeat } from '../../../lib/pending-work.ts';

/** The entry that plays, or is about to. */
interface Live {
  prepared: PlayableEntry;
  deck: Deck;
  gapless: GaplessDeck | undefined;
  reports: ListenReports;
  /** Ends what is being loaded for it. */
  abort: AbortController;
}
/** The entry behind the current one, from the moment on which it is being prepared. */
interface Coming {
  key: number;
  abort: AbortController;
  sound?: number;
  prepared?: PlayableEntry;
}
let live: Live | undefined;
let coming: Coming | undefined;
/** Number of the latest load, so that an earlier one that is late changes nothing. */
let loads = 0;
let sounds = 0;
let stopTicking: (() => void) | undefined;

const TICK_MS = 250;
/** The next track is prepared when so much is left of the current one: loading and decoding take a few seconds. */
const PREPARE_BEFORE_S = 40;

const timeNow = (): number => (live ? live.prepared.timeline.offset + live.deck.time() : 0);
const durationNow = (): number => {
  if (!live) return 0;
  const { plan } = live.prepared;
  return plan.parts.length > 1 ? (plan.duration ?? 0) : live.deck.duration() || (plan.duration ?? 0);
};

function applyVolume(): void {
  const { volume, isMuted } = listenPreferences.get();
  const { sleep, speed } = listening.get();
  live?.deck.setVolume(isMuted ? 0 : volume * sleepFactor(sleep, { now: Date.now(), time: timeNow(), speed }));
}

/** Shows the state to the rest of the dashboard. */
function publish(): void {
  const entry = entryNow();
  const { isPlaying } = listening.get();
  nowListening.set(entry && { id: entry.item.id, groupId: entry.item.group?.id, isPlaying });
  keepSession(isPlaying && live?.gapless !== undefined);
}
listening.subscribe(publish);
listenPreferences.subscribe(applyVolume);

const lengthOf = ({ prepared: { plan, entry } }: Live): number => plan.duration ?? entry.item.duration ?? timeNow();

function dropComing(): void {
  coming?.abort.abort();
  if (coming?.prepared) endSession(coming.prepared.plan.session);
  coming = undefined;
  live?.gapless?.setNext(undefined);
}
const createReportsOf = ({ entry, plan }: PlayableEntry): ListenReports =>
  createListenReports({ id: entry.item.id, session: plan.session, time: timeNow });

/** Ends what plays. The gapless deck is returned, so that its audio clock can be used again. */
function endLive(isFinished = false): GaplessDeck | undefined {
  dropComing();
  const ended = live;
  if (!ended) return undefined;
  if (isFinished) ended.reports.finish(lengthOf(ended));
  ended.reports.close();
  ended.abort.abort();
  live = undefined;
  if (ended.gapless) return ended.gapless;
  ended.deck.close();
  return undefined;
}

const eventsOf = (number: number): DeckEvents => {
  const mine = (act: () => void) => () => number === loads && act();
  return {
    playing: mine(() => change({ isWaiting: false, fault: undefined })),
    waiting: mine(() => change({ isWaiting: true })),
    ended: mine(finish),
    moved: (sound) => number === loads && moveOn(sound),
    failed: ({ status, says }) => {
      if (number !== loads) return;
      const fault = says || m.notPlayable;
      if (status !== 0) change({ isPlaying: false, isWaiting: false, fault });
      else change({ isWaiting: true, fault });
    },
  };
};

/** Loads an entry and plays it. `at` is undefined for where the Profile stopped in a book, or the start of a track. */
export async function loadEntry(
  entry: QueueEntry,
  {
    at,
    isPlaying = true,
    isFinished = false,
  }: { at?: number | undefined; isPlaying?: boolean; isFinished?: boolean } = {},
): Promise<void> {
  const number = ++loads;
  const spare = endLive(isFinished);
  change({
    queue: jumped(listening.get().queue, entry.key),
    isPlaying,
    isWaiting: true,
    fault: undefined,
    plan: undefined,
  });
  listenClock.set({ time: at ?? 0, duration: entry.item.duration ?? 0 });
  if (isPlaying) takeSound('audio');
  try {
    const prepared = await prepareEntry(entry, { at });
    if (number !== loads) {
      endSession(prepared.plan.session);
      spare?.close();
      return;
    }
    begin(prepared, { number, start: prepared.start, spare });
  } catch (error) {
    spare?.close();
    if (number === loads) change({ isPlaying: false, isWaiting: false, fault: sentence(error) });
  }
}

function begin(
  prepared: PlayableEntry,
  { number, start, spare }: { number: number; start: number; spare: GaplessDeck | undefined },
): void {
  const reports = createReportsOf(prepared);
  const abort = new AbortController();
  const { isPlaying } = listening.get();
  const { item } = prepared.entry;
  const speed = item.kind === 'audiobook' ? bookPreferences.get().speed : 1;
  change({ plan: prepared.plan, speed });
  if (isGapless(prepared)) {
    const rate = prepared.rate ?? 48_000;
    if (spare && spare.context.sampleRate !== rate) spare.close();
    // The rate of the file, so that nothing is resampled: that would blur the ends of each track.
    const context =
      spare?.context.sampleRate === rate
        ? spare.context
        : new AudioContext({ sampleRate: rate, latencyHint: 'playback' });
    const deck = createGaplessDeck(context, eventsOf(number));
    live = { prepared, deck, gapless: deck, reports, abort };
    if (!isPlaying) deck.pause();
    void fill(deck, prepared, { number, start, signal: abort.signal });
  } else {
    spare?.close();
    live = { prepared, deck: openElement(prepared, { number, start }), gapless: undefined, reports, abort };
    live.deck.setSpeed(speed);
  }
  applyVolume();
  publish();
  stopTicking ??= repeat(TICK_MS, tick);
}

const openElement = (prepared: PlayableEntry, { number, start }: { number: number; start: number }): Deck =>
  createElementDeck({
    plan: prepared.plan,
    at: Math.max(0, start - prepared.timeline.offset),
    isPlaying: listening.get().isPlaying,
    factor: levelFactor(prepared.loudness, listenPreferences.get().levelling),
    on: eventsOf(number),
    replan: async (asked) => {
      const again = await prepareEntry(prepared.entry, {
        at: timeNow(),
        change: asked,
        session: prepared.plan.session,
      });
      Object.assign(prepared, again);
      return again.plan;
    },
  });

const loadNeeds = ({ plan, trim, rate }: PlayableEntry) => ({
  url: plan.urls.media ?? '',
  duration: plan.duration,
  trim,
  fileRate: rate,
});

/** Decodes the current entry and begins it. What cannot be decoded is played by an element. */
async function fill(
  deck: GaplessDeck,
  prepared: PlayableEntry,
  { number, start, signal }: { number: number; start: number; signal: AbortSignal },
): Promise<void> {
  const key = ++sounds;
  const factor = levelFactor(prepared.loudness, listenPreferences.get().levelling);
  let isBegun = false;
  const started = () => {
    isBegun = true;
    if (listening.get().isPlaying) deck.play();
    else change({ isWaiting: false });
  };
  try {
    const buffer = await loadSound({
      ...loadNeeds(prepared),
      context: deck.context,
      signal,
      onBeginning: (beginning) => {
        if (isBegun || beginning.duration <= start + 2) return;
        deck.begin({ key, buffer: beginning, factor }, start, true);
        started();
      },
    });
    if (signal.aborted) return;
    if (isBegun) return deck.complete({ key, buffer, factor });
    deck.begin({ key, buffer, factor }, start);
    started();
  } catch (error) {
    if (signal.aborted || number !== loads || !live) return;
    if (error instanceof LoadFailed && isBegun)
      change({ isWaiting: true, fault: error.failure.says || m.connectionLost });
    const at = isBegun ? timeNow() : start;
    deck.close();
    // It asks for a new plan where the link has expired, and tries again while the server cannot be reached.
    live = { ...live, gapless: undefined, deck: openElement(prepared, { number, start: at }) };
    applyVolume();
  }
}

/** Prepares the entry behind the current one, and schedules it. */
async function prepareNext(entry: QueueEntry, deck: GaplessDeck): Promise<void> {
  const own: Coming = { key: entry.key, abort: new AbortController() };
  coming = own;
  try {
    const prepared = await prepareEntry(entry, { at: 0 });
    own.prepared = prepared;
    if (coming !== own) return endSession(prepared.plan.session);
    if (!isGapless(prepared)) return;
    const buffer = await loadSound({ ...loadNeeds(prepared), context: deck.context, signal: own.abort.signal });
    if (coming !== own) return;
    own.sound = ++sounds;
    deck.setNext({ key: own.sound, buffer, factor: levelFactor(prepared.loudness, listenPreferences.get().levelling) });
  } catch {
    // It is loaded in the usual way when the current one has ended, and says then what is wrong.
  }
}

/** The next entry has begun without a gap. */
function moveOn(sound: number): void {
  if (!live || coming?.sound !== sound || !coming.prepared) return;
  const { prepared } = coming;
  coming = undefined;
  live.reports.finish(lengthOf(live));
  live.reports.close();
  live = { ...live, prepared, reports: createReportsOf(prepared), abort: new AbortController() };
  change({ queue: jumped(listening.get().queue, prepared.entry.key), plan: prepared.plan, isWaiting: false });
  tick();
}

/** The current entry, or one of its files, has ended. */
function finish(): void {
  if (!live) return;
  const { prepared } = live;
  const part = partAfter(prepared.timeline);
  if (part) return void loadEntry(prepared.entry, { at: part.start });
  const { queue, sleep, after } = listening.get();
  const next = entryAfter(queue);
  const isAsleep = sleep?.at === 'track';
  if (isAsleep) change({ sleep: undefined });
  if (next) return void loadEntry(next, { at: 0, isPlaying: !isAsleep, isFinished: true });
  live.reports.finish(lengthOf(live));
  if (after !== undefined && !isAsleep) return continueAt(after);
  // A seek from here shows another place and stays silent.
  live.deck.pause();
  return change({ isPlaying: false, isWaiting: false });
}

/** Continues on another page: the next entry of the list is watched. */
export function continueAt(address: string): void {
  stop();
  go(address);
}

function tick(): void {
  if (!live) return;
  const [time, duration] = [timeNow(), durationNow()];
  const before = listenClock.get();
  if (before.time !== time || before.duration !== duration) listenClock.set({ time, duration });
  const { isPlaying, isWaiting, sleep, speed, queue } = listening.get();
  if (!isPlaying) return;
  if (!isWaiting) live.reports.tick();
  if (sleep) {
    applyVolume();
    if (sleepFactor(sleep, { now: Date.now(), time, speed }) === 0) {
      change({ sleep: undefined });
      pause();
    }
  }
  const next = sleep?.at === 'track' ? undefined : entryAfter(queue);
  if (coming && coming.key !== next?.key) dropComing();
  const isDue = live.gapless && live.gapless.duration() > 0 && duration - time < PREPARE_BEFORE_S;
  if (isDue && live.gapless && next && !coming) void prepareNext(next, live.gapless);
}

export function pause(): void {
  if (!live && !listening.get().isWaiting) return;
  change({ isPlaying: false });
  live?.deck.pause();
  live?.reports.report();
  applyVolume();
}
onSoundTaken('audio', pause);

export function resume(): void {
  const entry = entryNow();
  if (!entry) return;
  takeSound('audio');
  const { duration, time } = listenClock.get();
  // Nothing is loaded after a reload of the page, and at the end it begins again.
  if (!live) return void loadEntry(entry, { at: time === listening.get().restoredAt ? undefined : time || undefined });
  if (listening.get().fault !== undefined) return void loadEntry(entry, { at: time });
  if (duration > 0 && time >= duration - 0.3) return void loadEntry(entry, { at: 0 });
  change({ isPlaying: true });
  return live.deck.play();
}

/** Jumps to a position in seconds of the item. */
export function seek(asked: number): void {
  const entry = entryNow();
  if (!entry) return;
  // Nothing is loaded after a reload of the page.
  const duration = live ? durationNow() : listenClock.get().duration;
  const to = Math.max(0, duration > 0 ? Math.min(asked, duration - 0.2) : asked);
  listenClock.set({ time: to, duration });
  if (!live) return;
  if (otherPartAt(live.prepared.timeline, to) !== undefined)
    return void loadEntry(entry, { at: to, isPlaying: listening.get().isPlaying });
  live.deck.seek(to - live.prepared.timeline.offset);
  live.reports.report();
  return undefined;
}

export function setSpeed(speed: number): void {
  change({ speed });
  if (live?.prepared.entry.item.kind === 'audiobook') live.deck.setSpeed(speed);
}

/** Stops and forgets everything, as for another Profile. */
export function stop(): void {
  loads++;
  endLive()?.close();
  stopTicking?.();
  stopTicking = undefined;
  change({
    queue: { ...listening.get().queue, entries: [], at: -1, unshuffled: undefined },
    isPlaying: false,
    isWaiting: false,
    fault: undefined,
    plan: undefined,
    sleep: undefined,
    after: undefined,
  });
  listenClock.set({ time: 0, duration: 0 });
}

/** After a change of the queue: plays its current entry if that is another one, and stops when there is none. */
export function follow(): void {
  const entry = currentOf(listening.get().queue);
  if (!entry) return stop();
  if (live?.prepared.entry.key !== entry.key)
    void loadEntry(entry, {
      at: entry.item.kind === 'audiobook' ? undefined : 0,
      isPlaying: listening.get().isPlaying,
    });
}

const leave = () => live?.reports.leave();
if (typeof addEventListener === 'function') {
  addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave());
}
