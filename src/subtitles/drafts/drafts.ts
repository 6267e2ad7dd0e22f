/**
 * Drafts: subtitles that this server makes from pictures or speech, to be reviewed before anything is installed.
 *
 * One draft is made at a time, in the background; a request for a second one fails. A draft belongs to the exact bytes
 * of its video: size, time and hash are compared when it is finished and when it is used. A draft that was interrupted
 * by a stop or a kill is `stopped`, never partial. Finished drafts are kept, the newest few; nothing is installed.
 */
import type { CatalogBackground, PlayableFile, Subject } from '../../catalog/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { viewOfCues } from '../editing/view.ts';
import { mainFile } from '../inventory/item.ts';
import { type VideoBinding, bindToVideo } from '../../speech/index.ts';
import type { DraftRow, DraftStore } from '../store/drafts.ts';
import type { DraftTarget, DraftReply, Drafts, DraftContent, DraftMethod, DraftMaker, DraftWork } from './types.ts';
import type { Transcriber } from './transcribe.ts';

export interface DraftNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries'>;
  store: DraftStore;
  methods: Record<DraftMethod, DraftMaker>;
  clock: Clock;
  log: Log;
  /** Returns a sentence why the audio of an item is not analysed yet; undefined if it is not waiting. */
  waitsFor(item: string): string | undefined;
  /** Called when a draft changed. */
  changed(): void;
  transcriber: Pick<Transcriber, 'findings' | 'sweep'>;
}

interface Current {
  id: string;
  item: string;
  language: string;
  method: DraftMethod;
  part: number;
  /** Whether it is still being checked if the draft can be made. There is no row of it yet. */
  isPreparing: boolean;
  control: AbortController;
  done: Promise<void>;
}

interface Prepared {
  work: DraftWork;
  video: VideoBinding;
}

/** Minimum time between two progress reports, in milliseconds. */
const REPORT_INTERVAL_MS = 1_000;
const CANCELLED = 'it was cancelled';
const PREPARING = 'It is being prepared.';
const STOPPED = 'The server was stopped while it was made.';
const CHANGED = 'the video changed since this draft was made';

export function createDrafts({
  catalog,
  store,
  methods,
  clock,
  log,
  waitsFor,
  changed,
  transcriber,
}: DraftNeeds): Drafts {
  let current: Current | undefined;
  let isClosed = false;
  const busy = (): Failure | undefined => {
    if (isClosed) return new Failure('unavailable', 'the server is stopping', { reason: 'stopping' });
    return current
      ? new Failure('conflict', 'another draft is being made: wait for it, or cancel it', { reason: 'draft-running' })
      : undefined;
  };

  async function replyOf(row: DraftRow): Promise<DraftReply> {
    const { id: draftId, item, language, method, state, message } = row;
    const about = { draftId, language, method };
    if (state === 'running') {
      const why = waitsFor(item);
      return {
        ...about,
        state,
        progress: current?.id === draftId ? current.part : 0,
        ...(why !== undefined && { message: why }),
      };
    }
    const subject = await catalog.subject(item);
    const file = subject && mainFile(subject);
    if (state === 'ready' && !(file && isVideoOf(row.video, file)))
      return { ...about, state: 'failed', message: sentence(CHANGED) };
    const made = (await store.made(draftId)) as DraftContent | undefined;
    const side =
      made &&
      (await viewOfCues(
        made.document.cues,
        file?.info?.duration,
        made.confidence?.map((sure) => sure ?? undefined),
      ));
    return {
      ...about,
      state,
      ...(message !== null && { message }),
      ...(side && { progress: 1, cues: side.cues }),
      ...(made?.words && { words: made.words }),
      ...(made?.alignment && { alignment: made.alignment }),
    };
  }

  const newest = async (item: string, language: string | undefined): Promise<DraftReply> => {
    if (current?.isPreparing && current.item === item && (language === undefined || current.language === language)) {
      const { id: draftId, language: of, method } = current;
      return { state: 'running', draftId, language: of, method, progress: 0, message: PREPARING };
    }
    const row = await store.newest(item, language);
    return row ? replyOf(row) : { state: 'none' };
  };

  /** Runs a prepared draft to its end. Never rejects. */
  async function run(own: Current, { work, video }: Prepared): Promise<void> {
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
        message: made.notes.length > 0 ? made.notes.join(' ') : null,
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
      if (!own.control.signal.aborted) logFailure(error, { item: own.item, language: own.language });
    }
  }

  /** Logs why a draft failed, with the output of its program. */
  function logFailure(error: unknown, fields: { item: string; language: string }): void {
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
    else if (error instanceof Failure && error.kind === 'conflict')
      log.info('subtitles.draft-refused', { ...fields, why: error.message });
    else log.fault('subtitles.not-drafted', error, fields);
  }

  /**
   * Checks whether a draft can be made and records it as running. Cancelling ends every step at once, even one that
   * waits for a hanging disk.
   */
  async function prepare(own: Current): Promise<Prepared> {
    const {
      id,
      item,
      language,
      method,
      control: { signal },
    } = own;
    const about = await untilAborted(aboutOf(catalog, item, language), signal);
    const work = await untilAborted(methods[method](about, signal), signal);
    const video = await untilAborted(bindToVideo({ file: about.file, root: about.root, track: 'best' }), signal);
    if (!isVideoOf(video, about.file)) throw itemNotScannedFailure();
    await store.begin({ id, item, language, method, video, started: clock.now() });
    own.isPreparing = false;
    if (signal.aborted) await store.end(id, { ...finalStateOf(undefined, signal), at: clock.now() });
    signal.throwIfAborted();
    return { work, video };
  }

  /** Starts a draft. It is the current one before anything is awaited, so that only one of two requests starts. */
  async function begin({
    id,
    language,
    method,
  }: {
    id: string;
    language: string;
    method: DraftMethod;
  }): Promise<DraftReply> {
    const own: Current = {
      id: newId(),
      item: id,
      language,
      method,
      part: 0,
      isPreparing: true,
      control: new AbortController(),
      done: Promise.resolve(),
    };
    current = own;
    const ready = prepare(own);
    own.done = ready
      .then(
        (prepared) =>
          run(own, prepared).catch((error: unknown) => log.fault('subtitles.draft-lost', error, { item: id })),
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
    return { state: 'running', draftId: own.id, language, method, progress: 0 };
  }

  return {
    read: async ({ id, language }) => {
      await subjectOf(catalog, id);
      return newest(id, language);
    },
    start: async ({ id, language, method }) => {
      if (method === undefined)
        throw new Failure('invalid', 'method: say how the draft is to be made', { reason: 'field-invalid' });
      await subjectOf(catalog, id);
      const refusal = busy();
      if (refusal) throw refusal;
      return begin({ id, language, method });
    },
    cancel: async ({ id, language, draftId }) => {
      await subjectOf(catalog, id);
      const own = current;
      if (!own || own.item !== id || own.language !== language || (draftId !== undefined && own.id !== draftId))
        throw notRunning();
      own.control.abort(new Failure('conflict', CANCELLED, { reason: 'draft-cancelled' }));
      await own.done;
      const row = await store.one(own.id);
      return row
        ? replyOf(row)
        : { state: 'stopped', draftId: own.id, language, method: own.method, message: sentence(CANCELLED) };
    },
    finished: async (id, draft, language) => {
      if (current?.isPreparing && current.id === draft) throw unfinished(true);
      const row = await store.one(draft);
      if (!row || row.item !== id || row.language !== language)
        throw new Failure('missing', 'no such draft of this item', { reason: 'no-such-draft' });
      if (row.state !== 'ready') throw unfinished(row.state === 'running');
      if (!(await hasSameBytes(catalog, id, row.video)))
        throw new Failure('conflict', CHANGED, { reason: 'video-changed' });
      const made = (await store.made(draft)) as DraftContent | undefined;
      if (!made) throw unfinished(false);
      const { document, confidence, alignment, of } = made;
      return {
        document,
        method: row.method,
        ...(confidence && { confidence: confidence.map((sure) => sure ?? 1) }),
        ...(alignment && { alignment }),
        ...(of !== undefined && { of }),
      };
    },
    findings: () => transcriber.findings(),
    recover: async () => {
      if (current) return;
      const stopped = await store.stopAll(STOPPED, clock.now());
      if (stopped > 0) log.info('subtitles.drafts-stopped', { stopped });
      await transcriber.sweep();
    },
    close: async () => {
      isClosed = true;
      current?.control.abort(new Failure('unavailable', 'the server is stopping', { reason: 'stopping' }));
      await current?.done;
    },
  };
}

const sentence = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`;

/** Returns the final state of a draft that was not finished, with a sentence for the user. */
function finalStateOf(error: unknown, signal: AbortSignal): { state: 'stopped' | 'failed'; message: string } {
  if (signal.aborted)
    return {
      state: 'stopped',
      message:
        signal.reason instanceof Failure && signal.reason.kind === 'conflict'
          ? sentence(signal.reason.message)
          : STOPPED,
    };
  return {
    state: 'failed',
    message: error instanceof Failure ? sentence(error.message) : 'An unexpected error occurred; see the log.',
  };
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

async function subjectOf(
  catalog: DraftNeeds['catalog'],
  id: string,
): Promise<{ subject: Subject; file: PlayableFile }> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  if (!subject || subject.gone || !file || !catalog.libraries().some((library) => library.id === file.library))
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  return { subject, file };
}

async function aboutOf(catalog: DraftNeeds['catalog'], id: string, language: string): Promise<DraftTarget> {
  const { subject, file } = await subjectOf(catalog, id);
  if (!subject.available)
    throw new Failure('unavailable', 'the library of this item cannot be reached now', { reason: 'library-offline' });
  if (!file.available)
    throw new Failure('conflict', 'the file of this item cannot be read', { reason: 'file-unreadable' });
  if (!file.info)
    throw new Failure('conflict', 'the file of this item was not scanned yet', { reason: 'item-not-scanned' });
  if (subject.files.some((one) => one.id === file.id && one.part > 1)) throw itemInPartsFailure();
  return { subject, file, root: await catalog.root(file.root), language };
}

/** Whether a file in the catalogue is the video of a draft, by size and time. */
const isVideoOf = ({ size, modifiedMs }: VideoBinding, file: PlayableFile): boolean =>
  size === file.size && Math.round(modifiedMs) === Math.round(file.modifiedMs);

/** Whether the video of a draft still has the same bytes, read from disk. */
async function hasSameBytes(catalog: DraftNeeds['catalog'], id: string, video: VideoBinding): Promise<boolean> {
  try {
    const { file } = await subjectOf(catalog, id);
    const now = await bindToVideo({ file, root: await catalog.root(file.root), track: 'best' });
    return now.key === video.key && now.size === video.size && now.modifiedMs === video.modifiedMs;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const itemNotScannedFailure = (): Failure =>
  new Failure('conflict', 'the file of this item has changed and was not scanned again yet', {
    reason: 'item-not-scanned',
  });
const itemInPartsFailure = (): Failure =>
  new Failure('conflict', 'this item consists of several files, so no single subtitle fits', {
    reason: 'item-in-parts',
  });
const unfinished = (isRunning: boolean): Failure =>
  new Failure('conflict', isRunning ? 'the draft is still being made' : 'the draft was not finished', {
    reason: 'draft-unfinished',
  });
const notRunning = (): Failure =>
  new Failure('conflict', 'no such draft is being made', { reason: 'draft-not-running' });
