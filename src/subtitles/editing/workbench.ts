/**
 * The workbench: inspects, previews, applies and restores changes to the subtitle of an item.
 *
 * A change is made against a fingerprint, the SHA-256 of the installed subtitle. It is applied only to exactly these
 * bytes, which are compared again at the last moment. A preview shows exactly what apply writes. Every refusal happens
 * before any write.
 */
import type { z } from 'zod';
import type { CatalogBackground } from '../../catalog/index.ts';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import type { Actor, Evidence, LanguageState } from '../../contract/subtitles/library.ts';
import type { SubtitleChange } from '../../contract/subtitles/change.ts';
import type { AlignmentView, workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, isWritableFolder, statFile } from '../../lib/files.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import type { Drafts } from '../drafts/types.ts';
import { fileToRestore, videoTextUnder } from '../history/lineage.ts';
import { folderOf, type Installer } from '../install/install.ts';
import type { SubtitleRole } from '../store/tables.ts';
import { tracksIn } from '../inventory/item.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import type { Speech } from '../../speech/index.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { SubtitleReader } from '../worker/types.ts';
import type { EditWorker } from './edit-worker/edit-worker.ts';
import type { InstallableProposal } from './edit-worker/operations.ts';
import type { EmbeddedTexts } from './embedded.ts';
import { exportSubtitle } from './export.ts';
import { summaryOf } from './summary.ts';
import type { SubtitleSummary } from './inspect.ts';
import { bringsText, type ChangeRequest } from './propose.ts';
import { draftFor, currentBytes } from './sources.ts';
import {
  loadCurrentSubtitle,
  pickTrack,
  dataOf,
  type CurrentSubtitle,
  type SubtitleSelector,
} from './current-subtitle.ts';
import { type PreparedInstall as Ready, restoreRequest } from './restore.ts';
import { sync } from './sync.ts';

type Input<K extends keyof typeof endpoints> = ParsedInput<(typeof endpoints)[K]>;
interface By {
  by?: Actor | undefined;
}
export interface Workbench {
  inspect(asked: Input<'inspect'>, signal: AbortSignal): Promise<z.input<typeof endpoints.inspect.result>>;
  export(asked: Input<'export'>, signal: AbortSignal): Promise<{ type: string; bytes: Uint8Array; filename: string }>;
  preview(asked: Input<'preview'>, signal: AbortSignal): Promise<z.input<typeof endpoints.preview.result>>;
  /** `by` is the user who asked. Default: the server. */
  apply(asked: Input<'apply'> & By, signal: AbortSignal): Promise<z.input<typeof endpoints.apply.result>>;
  restore(asked: Input<'restore'> & By, signal: AbortSignal): Promise<LanguageState>;
  setReplaceable(asked: Input<'replacement'>): Promise<LanguageState>;
}

export interface WorkbenchNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  embedded: EmbeddedTexts;
  installing: InstallingStore;
  installer: Pick<Installer, 'install' | 'remove'>;
  preserved: PreservedBytes;
  speech: Pick<Speech, 'align' | 'alignToCues'>;
  drafts: Pick<Drafts, 'finished'>;
  editWorker: EditWorker;
  reader: Pick<SubtitleReader, 'cues' | 'format'>;
  languages(): readonly string[];
  /** Whether the terms of a source forbid changing its files. */
  isAsDelivered(source: string): boolean;
  /** Returns the state of one role of a language, as the inventory reports it. */
  stateOf(id: string, language: string, role: SubtitleRole): Promise<LanguageState>;
  /** Called after a subtitle was written and recorded. */
  changed(): Promise<void>;
  log: Log;
}

const CHANGED_MESSAGE = 'the subtitle was changed meanwhile: load it again';
const MAX_DETAIL_LENGTH = 300;

export function createWorkbench(needs: WorkbenchNeeds): Workbench {
  const busy = createKeyedLock();
  const { embedded, editWorker } = needs;
  const read = ({ id, language, role }: SubtitleSelector & { id: string }) =>
    loadCurrentSubtitle(needs, id, { language, role });
  const exclusively = <T>(id: string, language: string, work: () => Promise<T>): Promise<T> =>
    busy.tryLock(`${id} ${language}`, work, 'the subtitle in this language is being changed by another request');
  const summary = async (current: CurrentSubtitle): Promise<SubtitleSummary> =>
    summaryOf(current, {
      isFrozen: (await needs.installing.frozen([current.subject.id])).some(({ language }) => language === current.tag),
    });

  async function inspect(asked: Input<'inspect'>, signal: AbortSignal) {
    const current = await read(asked);
    const text = await currentBytes({ embedded }, current, signal);
    return editWorker.inspect({ summary: await summary(current), subtitle: dataOf(current), text }, signal);
  }

  /** Reads the current subtitle and everything that the change needs. */
  async function readChange(
    { id, fingerprint, by: _by, ...asked }: SubtitleChange & By & { id: string; fingerprint?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ current: CurrentSubtitle; trying: ChangeRequest }> {
    const current = await read({ id, language: asked.language, role: asked.currentRole });
    if (fingerprint !== undefined && fingerprint !== current.fingerprint) throw changedFailure();
    let unread: string | undefined;
    const text = await currentBytes({ embedded }, current, signal).catch((error: unknown) => {
      if (!(bringsText(asked) && error instanceof Failure && error.kind === 'conflict')) throw error;
      unread = error.message;
      return undefined;
    });
    const draft = await draftFor(needs.drafts, current, asked.draftId);
    const trying: ChangeRequest = {
      subtitle: dataOf(current),
      text,
      asked,
      draft,
      isAsDelivered: needs.isAsDelivered(current.source),
      unread,
    };
    if (asked.automaticSync !== true) return { current, trying };
    const { cues, isOwn, prepared } = await editWorker.compare(trying, signal);
    const { alignment: found, view } = await sync(needs, current, { cues, isOwn }, signal);
    // The moved cues are not needed, because applying the change moves them again.
    const alignment = found.outcome === 'moved' ? (({ cues: _cues, ...rest }) => rest)(found) : found;
    return { current, trying: { ...trying, prepared, synced: { alignment, view } } };
  }

  return {
    inspect,
    export: async (asked, signal) =>
      exportSubtitle(
        { current: await read(asked), embedded, editWorker, reader: needs.reader, preserved: needs.preserved },
        asked.format,
        signal,
      ),
    preview: async (asked, signal) => {
      const { current, trying } = await readChange(asked, signal);
      return editWorker.preview({ ...trying, summary: await summary(current) }, signal);
    },
    apply: (asked, signal) =>
      exclusively(asked.id, asked.language, async () => {
        const { current, trying } = await readChange(asked, signal);
        const proposal = await editWorker.propose(trying, signal);
        refuse(proposal, trying.synced);
        await refuseUnwritable(current, proposal.relative);
        signal.throwIfAborted();
        await install(needs, current, {
          ...installationOf(current, proposal, alignmentOf(trying, proposal)),
          by: asked.by,
        });
        return inspect({ id: asked.id, language: proposal.language, role: proposal.role }, signal).catch(
          (error: unknown) => {
            // A failure to show the result must not read like a failure to change the subtitle.
            throw error instanceof Failure && error.kind === 'unavailable' ? changedNotShownFailure(error) : error;
          },
        );
      }),
    restore: async ({ id, language: given, role, to, by }, signal) => {
      const language = await languageOf(needs, id, given);
      return exclusively(id, language, async () => {
        const current = await read({ id, language, role });
        if (await removeInstalled(needs, { current, to, by }, signal))
          return needs.stateOf(id, current.tag, current.role);
        const installation = await restoreRequest(needs, current, to);
        await refuseUnwritable(current, installation.relative ?? '');
        signal.throwIfAborted();
        await install(needs, current, { ...installation, by });
        return needs.stateOf(id, installation.language, installation.role);
      });
    },
    setReplaceable: async ({ id, replaceable, language: given, role }) => {
      const language = await languageOf(needs, id, given);
      // Applying and restoring can freeze the language too, so this holds the same lock.
      return exclusively(id, language, async () => {
        const current = await read({ id, language, role });
        if (!current.track && !current.pictures)
          throw new Failure('conflict', 'there is no subtitle in this language', { reason: 'no-subtitle-to-change' });
        const { tag } = current;
        await needs.installing.freeze(id, tag, !replaceable);
        await needs.changed();
        return needs.stateOf(id, tag, current.track?.role ?? current.pictures?.role ?? current.role);
      });
    },
  };
}

/**
 * Returns the requested language, or the first configured one. Throws `Failure('missing')` first if there is no such
 * item.
 */
async function languageOf(
  { catalog, languages }: WorkbenchNeeds,
  id: string,
  given: string | undefined,
): Promise<string> {
  const subject = await catalog.subject(id);
  if (!subject || subject.gone) throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  const language = given ?? languages()[0];
  if (language === undefined) throw noLanguageConfiguredFailure();
  return language;
}

function refuse({ isChange, cues }: InstallableProposal, synced: ChangeRequest['synced']): void {
  if (synced?.alignment.outcome === 'refused')
    throw new Failure(
      'conflict',
      `the timing was not changed, because the evidence is weak: ${synced.alignment.sentence}`,
      { reason: 'evidence-weak' },
    );
  if (cues === 0) throw new Failure('conflict', 'no cue would be left in the subtitle', { reason: 'nothing-left' });
  if (!isChange) throw new Failure('conflict', 'the change has no effect', { reason: 'nothing-changed' });
}

async function refuseUnwritable({ root }: CurrentSubtitle, relative: string): Promise<void> {
  const folder = folderOf(relative);
  if (!(await isWritableFolder(folder === '' ? root.path : `${root.path}/${folder}`))) throw fileUnwritableFailure();
}

/** Refuses if the video was renamed or replaced since the last scan, because the subtitle's name would fit no video. */
async function refuseMoved({ root, file }: Pick<CurrentSubtitle, 'root' | 'file'>): Promise<void> {
  const now = await statFile(inRoot(root, file.relative)).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'missing') return undefined;
    throw error;
  });
  if (now?.kind !== 'file' || now.size !== file.size) throw itemNotScannedFailure();
}

/** Refuses if the item or its subtitle changed since it was read. */
async function refuseChangedItem(
  { catalog, languages }: WorkbenchNeeds,
  { subject, file, root, language, asked, track }: CurrentSubtitle,
  over: string | undefined,
): Promise<void> {
  const now = await catalog.subject(subject.id);
  const main = now?.files[0];
  const isSame =
    now &&
    !now.gone &&
    main &&
    main.id === file.id &&
    main.relative === file.relative &&
    main.size === file.size &&
    main.modifiedMs === file.modifiedMs;
  if (!isSame) throw new Failure('conflict', 'the item was changed meanwhile', { reason: 'item-changed' });
  const meant = pickTrack(tracksIn(now, main), { language, role: asked }, languages()[0]);
  if (meant?.relative !== track?.relative && meant?.relative !== over && !meant?.picture) throw changedFailure();
  await refuseMoved({ root, file });
}

/** Announces a written subtitle. It is installed and recorded, so a failed rescan of the catalogue is only logged. */
async function announce({ catalog, changed, log }: WorkbenchNeeds, item: string): Promise<void> {
  await catalog.sidecarsChanged(item).catch((error: unknown) => log.fault('subtitles.not-announced', error, { item }));
  await changed();
}

/** Installs a subtitle, after checking again that nothing changed. */
async function install(needs: WorkbenchNeeds, current: CurrentSubtitle, ready: Ready): Promise<void> {
  const { subject, file, root } = current;
  await needs.installer.install({
    ...ready,
    item: subject.id,
    file,
    root,
    check: () => refuseChangedItem(needs, current, ready.over?.relative),
  });
  await announce(needs, subject.id);
  needs.log.info('subtitles.changed', {
    item: subject.id,
    language: ready.language,
    act: ready.act,
    source: ready.source,
  });
}

/** Returns the alignment that the written times come from: that of this change, or of its draft. */
function alignmentOf({ asked, synced }: ChangeRequest, { source }: InstallableProposal): AlignmentView | undefined {
  const isMovedByHand = asked.offsetMilliseconds !== undefined || asked.anchors || asked.framerate;
  return synced?.view ?? (isMovedByHand ? undefined : source.alignment);
}

function installationOf(
  { subject, file, row, installed, evidence }: CurrentSubtitle,
  { kind, bytes, relative, format, language, role, over, origin, source, notes }: InstallableProposal,
  aligned: AlignmentView | undefined,
): Ready {
  const isEdit = source.isInPlace;
  // The source of what was written over the text inside the video is that text, which stays where it is.
  const first = row && videoTextUnder(row, tracksIn(subject, file)) ? undefined : installed?.content;
  const delivered = source.delivered ?? (isEdit ? (row?.delivered ?? first) : undefined);
  const detail = detailOf(kind, source.method, notes);
  return {
    language,
    role,
    format,
    bytes,
    relative,
    act: 'applied',
    origin,
    detail,
    source: origin,
    score: isEdit ? (row?.score ?? null) : null,
    match: aligned && aligned.outcome !== 'refused' ? 'verified' : isEdit ? (row?.match ?? 'unverified') : 'unverified',
    evidence: evidenceOf({ before: isEdit ? evidence : [], origin, detail, aligned: aligned?.evidence ?? [] }),
    ...(over && { over }),
    ...(delivered !== undefined && { delivered }),
    // Replacing a fetched subtitle by another file rejects it; an improved version of the same file does not.
    ...(!isEdit && { rejects: true as const }),
  };
}

const SENTENCES = {
  edit: 'Edited.',
  text: 'Edited line by line.',
  import: 'A file was uploaded.',
  draft: 'Made from a draft.',
} as const;

function detailOf(kind: InstallableProposal['kind'], method: string | undefined, notes: readonly string[]): string {
  const first =
    kind === 'edit' && method === undefined && notes.length > 0
      ? []
      : [method === undefined ? SENTENCES[kind] : `Made from a draft (${method}).`];
  return [...first, ...notes].join(' ').slice(0, MAX_DETAIL_LENGTH);
}

/**
 * Returns the evidence after a change: the earlier evidence, and the last change only. The history lists all changes.
 */
function evidenceOf({
  before,
  origin,
  detail,
  aligned,
}: {
  before: readonly Evidence[];
  origin: string;
  detail: string;
  aligned: readonly Evidence[];
}): Evidence[] {
  const mine = new Set(['edited', 'imported', 'draft', ...aligned.map(({ kind }) => kind)]);
  return [...before.filter(({ kind }) => !mine.has(kind)), { kind: origin, detail, points: 0 }, ...aligned];
}

/**
 * Removes a file of this server if that restores what is asked for: one step back from a file that replaced nothing, or
 * the text inside the video, which is the original of everything written over it. Returns false if a file is to be
 * restored instead, or if the installed file is not ours.
 */
async function removeInstalled(
  needs: WorkbenchNeeds,
  { current, to, by }: By & { current: CurrentSubtitle; to: 'original' | 'previous' | undefined },
  signal: AbortSignal,
): Promise<boolean> {
  const { row, installed, subject, file, root } = current;
  if (!row || !installed || row.origin === 'own' || row.content !== installed.content) return false;
  const isOverVideoText = videoTextUnder(row, tracksIn(subject, file)) !== undefined;
  if (to === 'previous' ? fileToRestore(row.preserved, 'previous') : !isOverVideoText) return false;
  await refuseUnwritable(current, installed.relative);
  signal.throwIfAborted();
  const over = { relative: installed.relative, content: installed.content };
  await needs.installer.remove({
    item: subject.id,
    file,
    root,
    row,
    over,
    by,
    detail: isOverVideoText
      ? 'Removed: the text inside the video is used again.'
      : 'Removed: there was no subtitle before.',
    ...(to !== 'previous' && { freeze: true as const }),
    check: () => refuseChangedItem(needs, current, over.relative),
  });
  await announce(needs, subject.id);
  needs.log.info('subtitles.taken-back', { item: subject.id, language: row.language });
  return true;
}

const noLanguageConfiguredFailure = (): Failure =>
  new Failure('conflict', 'no subtitle language is configured, and none was given', {
    reason: 'no-language-configured',
  });
const fileUnwritableFailure = (): Failure =>
  new Failure('conflict', 'the media folder cannot be written to, so nothing was changed', {
    reason: 'file-unwritable',
  });
const itemNotScannedFailure = (): Failure =>
  new Failure('conflict', 'the file of this item has changed and was not scanned again yet', {
    reason: 'item-not-scanned',
  });
const changedFailure = (): Failure => new Failure('conflict', CHANGED_MESSAGE, { reason: 'subtitle-changed' });
const changedNotShownFailure = (cause: Failure): Failure =>
  new Failure(
    'unavailable',
    'the subtitle was changed, but it cannot be shown now',
    { reason: 'changed-not-shown' },
    { cause },
  );
