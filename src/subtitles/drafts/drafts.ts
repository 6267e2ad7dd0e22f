/**
 * Drafts: subtitles that this server makes from pictures or speech, to be reviewed before anything is installed.
 *
 * One draft is made at a time, in the background; a request for a second one fails. A draft belongs to the exact bytes
 * of its video: size, time and hash are compared when it is finished and when it is used. A draft that was interrupted
 * by a stop or a kill is `stopped`, never partial. Only the newest finished drafts are stored; nothing is installed.
 */
import { type DraftNote, draftText } from '../../contract/subtitles/draft-notes.ts';
import { untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { bindToVideo } from '../../speech/index.ts';
import { viewOfCues } from '../editing/view.ts';
import { mainFile } from '../inventory/item.ts';
import type { DraftRow } from '../store/drafts.ts';
import { CANCELLED, createDraftRunner, type DraftRunnerNeeds, type RunningDraft, STOPPED } from './draft-runner.ts';
import { draftItem, draftTarget, hasSameBytes, isVideoOf, itemChangedFailure } from './target.ts';
import type { Transcriber } from './transcribe.ts';
import type { DraftContent, DraftReply, Drafts } from './types.ts';

export interface DraftNeeds extends DraftRunnerNeeds {
  /** Whether the audio of an item is analysed later, after that of another video. */
  isWaiting(item: string): boolean;
  transcriber: Pick<Transcriber, 'findings' | 'sweep'>;
}

const CHANGED = 'the video changed since this draft was made';

export function createDrafts(needs: DraftNeeds): Drafts {
  const { catalog, store, clock, log, transcriber, changed } = needs;
  const runner = createDraftRunner(needs);
  const reply = (row: DraftRow): Promise<DraftReply> => replyOf(needs, row, runner.current());

  return {
    read: async ({ id, language }) => {
      await draftItem(catalog, id);
      const current = runner.current();
      if (current?.isPreparing && current.item === id && (language === undefined || current.language === language))
        return { ...runningReply(current), ...said([{ reason: 'preparing', values: {} }]) };
      const row = await store.newest(id, language);
      return row ? reply(row) : { state: 'none' };
    },
    start: async ({ id, language, method }) => {
      if (method === undefined)
        throw new Failure('invalid', 'method: say how the draft is to be made', { reason: 'field-invalid' });
      await draftItem(catalog, id);
      return runningReply(await runner.begin({ item: id, language, method }));
    },
    cancel: async ({ id, language, draftId }) => {
      await draftItem(catalog, id);
      const own = runner.current();
      if (!own || own.item !== id || own.language !== language || (draftId !== undefined && own.id !== draftId))
        throw notRunning();
      own.control.abort(new Failure('conflict', 'it was cancelled', { reason: 'draft-cancelled' }));
      await own.done;
      const row = await store.one(own.id);
      return row
        ? reply(row)
        : { state: 'stopped', draftId: own.id, language, method: own.method, ...said([CANCELLED]) };
    },
    offer: async ({ item, language }, content, signal) => {
      const current = runner.current();
      if (current?.item === item)
        throw new Failure('conflict', 'another draft is being made: wait for it, or cancel it', {
          reason: 'draft-running',
        });
      const target = await draftTarget(catalog, item, language);
      const video = await untilAborted(bindToVideo({ file: target.file, root: target.root, track: 'best' }), signal);
      if (!isVideoOf(video, target.file)) throw itemChangedFailure();
      const id = newId();
      await store.begin({ id, item, language, method: 'provider', video, started: clock.now() });
      await store.end(id, { state: 'ready', notes: content.notes, made: content, at: clock.now() });
      changed();
      return id;
    },
    finished: async (id, draft, language) => {
      const current = runner.current();
      if (current?.isPreparing && current.id === draft) throw unfinished(true);
      const row = await store.one(draft);
      if (!row || row.item !== id || row.language !== language)
        throw new Failure('missing', 'no such draft of this item', { reason: 'no-such-draft' });
      if (row.state !== 'ready') throw unfinished(row.state === 'running');
      if (!(await hasSameBytes(catalog, id, row.video)))
        throw new Failure('conflict', CHANGED, { reason: 'video-changed' });
      const made = (await store.made(draft)) as DraftContent | undefined;
      if (!made) throw unfinished(false);
      const { document, confidence, alignment, of, from } = made;
      return {
        document,
        method: row.method,
        ...(confidence && { confidence: confidence.map((sure) => sure ?? 1) }),
        ...(alignment && { alignment }),
        ...(of !== undefined && { of }),
        ...(from && { from }),
      };
    },
    findings: () => transcriber.findings(),
    recover: async () => {
      if (runner.current()) return;
      const stopped = await store.stopAll(STOPPED, clock.now());
      if (stopped > 0) log.info('subtitles.drafts-stopped', { stopped });
      await transcriber.sweep();
    },
    close: runner.close,
  };
}

/** Returns notes as a reply carries them: as sentences, and as reasons. */
const said = (notes: DraftNote[]): Pick<DraftReply, 'message' | 'notes'> => ({ message: draftText(notes), notes });

const runningReply = ({ id, language, method }: RunningDraft): DraftReply => ({
  state: 'running',
  draftId: id,
  language,
  method,
  progress: 0,
});

async function replyOf(
  { catalog, store, isWaiting }: DraftNeeds,
  row: DraftRow,
  current: RunningDraft | undefined,
): Promise<DraftReply> {
  const { id: draftId, item, language, method, state, message, notes } = row;
  const facts = { draftId, language, method };
  if (state === 'running') {
    return {
      ...facts,
      state,
      progress: current?.id === draftId ? current.part : 0,
      ...(isWaiting(item) && said([{ reason: 'waits-for-audio', values: {} }])),
    };
  }
  const subject = await catalog.subject(item);
  const file = subject && mainFile(subject);
  if (state === 'ready' && !(file && isVideoOf(row.video, file)))
    return { ...facts, state: 'failed', ...said([{ reason: 'video-changed', values: {} }]) };
  const made = (await store.made(draftId)) as DraftContent | undefined;
  const side =
    made &&
    (await viewOfCues(
      made.document.cues,
      file?.info?.duration,
      made.confidence?.map((sure) => sure ?? undefined),
    ));
  return {
    ...facts,
    state,
    ...(message !== null && { message }),
    ...(notes && { notes }),
    ...(side && { progress: 1, cues: side.cues }),
    ...(made?.words && { words: made.words }),
    ...(made?.alignment && { alignment: made.alignment }),
  };
}

const unfinished = (isRunning: boolean): Failure =>
  new Failure('conflict', isRunning ? 'the draft is still being made' : 'the draft was not finished', {
    reason: 'draft-unfinished',
  });
const notRunning = (): Failure =>
  new Failure('conflict', 'no such draft is being made', { reason: 'draft-not-running' });
