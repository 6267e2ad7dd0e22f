/**
 * Makes one draft at a time, in the background: checks whether it can be made, records it as running, does the work and
 * records the result. A draft is only `ready` if the video still has the bytes that the draft was made from.
 */
import type { DraftNote } from '../../contract/subtitles/draft-notes.ts';
import type { Clock } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { type VideoBinding, bindToVideo } from '../../speech/index.ts';
import type { DraftStore } from '../store/drafts.ts';
import { draftTarget, hasSameBytes, isVideoOf, itemChangedFailure, type TargetCatalog } from './target.ts';
import type { DraftContent, DraftMaker, DraftMethod, DraftWork } from './types.ts';

export interface DraftRunnerNeeds {
  catalog: TargetCatalog;
  store: DraftStore;
  methods: Record<DraftMethod, DraftMaker>;
  clock: Clock;
  log: Log;
  /** Called when the running draft changed. */
  changed(): void;
}

/** The draft that is being made. */
export interface RunningDraft {
  id: string;
  item: string;
  language: string;
  method: DraftMethod;
  /** Progress, 0 to 1. */
  part: number;
  /** Whether it is still being checked if the draft can be made. There is no row of it yet. */
  isPreparing: boolean;
  control: AbortController;
  /** Resolves when the draft has ended. */
  done: Promise<void>;
}

export interface DraftRunner {
  /** Returns the draft that is being made, if any. */
  current(): RunningDraft | undefined;
  /** Starts a draft, and resolves when it is running. Throws if another is running, or if it cannot be made. */
  begin(asked: { item: string; language: string; method: DraftMethod }): Promise<RunningDraft>;
  /** Stops the running draft, and refuses new ones. */
  close(): Promise<void>;
}

interface PreparedDraft {
  work: DraftWork;
  video: VideoBinding;
}

/** Minimum time between two progress reports, in milliseconds. */
const REPORT_INTERVAL_MS = 1_000;
export const STOPPED: DraftNote = { reason: 'server-stopped', values: {} };
export const CANCELLED: DraftNote = { reason: 'cancelled', values: {} };

export function createDraftRunner(needs: DraftRunnerNeeds): DraftRunner {
  const { log, changed } = needs;
  let current: RunningDraft | undefined;
  let isClosed = false;
  const refusalNow = (): Failure | undefined => {
    if (isClosed) return stoppingFailure();
    return current
      ? new Failure('conflict', 'another draft is being made: wait for it, or cancel it', { reason: 'draft-running' })
      : undefined;
  };
  return {
    current: () => current,
    begin: async ({ item, language, method }) => {
      // The draft is the current one before anything is awaited, so that only one of two requests starts.
      const refusal = refusalNow();
      if (refusal) throw refusal;
      const own: RunningDraft = {
        id: newId(),
        item,
        language,
        method,
        part: 0,
        isPreparing: true,
        control: new AbortController(),
        done: Promise.resolve(),
      };
      current = own;
      const ready = prepare(needs, own);
      own.done = ready
        .then(
          (prepared) =>
            run(needs, own, prepared).catch((error: unknown) => log.fault('subtitles.draft-lost', error, { item })),
          () => {},
        )
        .finally(() => {
          if (current === own) current = undefined;
          changed();
        });
      changed();
      await ready.catch(async (error: unknown) => {
        await own.done;
        throw error;
      });
      changed();
      return own;
    },
    close: async () => {
      isClosed = true;
      current?.control.abort(stoppingFailure());
      await current?.done;
    },
  };
}

const stoppingFailure = (): Failure => new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });

/**
 * Checks whether a draft can be made and records it as running. Cancelling ends every step at once, even one that waits
 * for a hanging disk.
 */
async function prepare(
  { catalog, store, methods, clock }: DraftRunnerNeeds,
  own: RunningDraft,
): Promise<PreparedDraft> {
  const {
    id,
    item,
    language,
    method,
    control: { signal },
  } = own;
  const target = await untilAborted(draftTarget(catalog, item, language), signal);
  const work = await untilAborted(methods[method](target, signal), signal);
  const video = await untilAborted(bindToVideo({ file: target.file, root: target.root, track: 'best' }), signal);
  if (!isVideoOf(video, target.file)) throw itemChangedFailure();
  await store.begin({ id, item, language, method, video, started: clock.now() });
  own.isPreparing = false;
  if (signal.aborted) await store.end(id, { ...finalStateOf(undefined, signal), at: clock.now() });
  signal.throwIfAborted();
  return { work, video };
}

/** Runs a prepared draft to its end. Never rejects. */
async function run(
  { catalog, store, clock, log, changed }: DraftRunnerNeeds,
  own: RunningDraft,
  { work, video }: PreparedDraft,
): Promise<void> {
  const since = clock.monotonic();
  let reportedAt = since;
  const progress = (part: number): void => {
    own.part = Math.max(own.part, Math.min(1, Number.isFinite(part) ? part : 0));
    if (clock.monotonic() - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = clock.monotonic();
    changed();
  };
  try {
    const made = await work({ progress, signal: own.control.signal });
    own.control.signal.throwIfAborted();
    if (!(await hasSameBytes(catalog, own.item, video)))
      throw new Failure('conflict', 'the video changed while the draft was made', { reason: 'video-changed' });
    own.control.signal.throwIfAborted();
    await store.end(own.id, {
      state: 'ready',
      notes: made.notes,
      made: inTimeOrder(made),
      at: clock.now(),
    });
    log.info('subtitles.drafted', {
      item: own.item,
      language: own.language,
      cues: made.document.cues.length,
      seconds: Math.round((clock.monotonic() - since) / 1000),
    });
  } catch (error) {
    await store.end(own.id, { ...finalStateOf(error, own.control.signal), at: clock.now() });
    if (!own.control.signal.aborted) logFailure(log, error, { item: own.item, language: own.language });
  }
}

/** Logs why a draft failed, with the output of its program. */
function logFailure(log: Log, error: unknown, fields: { item: string; language: string }): void {
  const cause = error instanceof ProcessFailure ? error : error instanceof Failure ? error.cause : undefined;
  if (cause instanceof ProcessFailure)
    log.warn('subtitles.draft-program', {
      ...fields,
      program: cause.program,
      why: cause.fault,
      code: cause.code ?? undefined,
      signal: cause.signal ?? undefined,
      said: cause.lines.join(' | '),
    });
  else if (error instanceof Failure && (error.kind === 'conflict' || error.reason === 'no-room-in-cache'))
    log.info('subtitles.draft-refused', { ...fields, why: error.message });
  else log.fault('subtitles.not-drafted', error, fields);
}

/** Returns the final state of a draft that was not finished, with the reason. */
function finalStateOf(error: unknown, signal: AbortSignal): { state: 'stopped' | 'failed'; notes: DraftNote[] } {
  if (signal.aborted) {
    const isCancelled = signal.reason instanceof Failure && signal.reason.reason === 'draft-cancelled';
    return { state: 'stopped', notes: [isCancelled ? CANCELLED : STOPPED] };
  }
  if (!(error instanceof Failure)) return { state: 'failed', notes: [{ reason: 'unexpected', values: {} }] };
  const { reason: failure, message } = error;
  return { state: 'failed', notes: [{ reason: 'failed', values: { failure, message } }] };
}

/** Sorts the cues of a draft by time, as a change has them, and moves their words and confidence along. */
function inTimeOrder(made: DraftContent): DraftContent {
  if (!made.words && !made.confidence) return made;
  const order = made.document.cues
    .map((cue, was) => ({ cue, was }))
    .toSorted(
      (a, b) =>
        a.cue.start - b.cue.start || a.cue.end - b.cue.end || (a.cue.layer ?? 0) - (b.cue.layer ?? 0) || a.was - b.was,
    );
  if (order.every(({ was }, n) => was === n)) return made;
  const places = new Map(order.map(({ was }, n) => [was, n]));
  const { words, confidence } = made;
  return {
    ...made,
    document: { ...made.document, cues: order.map(({ cue }) => cue) },
    ...(words && {
      words: words
        .map((word) => ({ ...word, cue: places.get(word.cue) ?? word.cue }))
        .toSorted((a, b) => a.cue - b.cue),
    }),
    ...(confidence && { confidence: order.map(({ was }) => confidence[was] ?? null) }),
  };
}
