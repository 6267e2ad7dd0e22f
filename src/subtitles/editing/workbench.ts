/**
 * The workbench: inspects, previews, applies and restores changes to the subtitle of an item.
 *
 * A change is made against a fingerprint, the SHA-256 of the installed subtitle. It is applied only to exactly these
 * bytes, which are compared again at the last moment. A preview shows exactly what apply writes. Every refusal happens
 * before any write.
 */
import { TIMING_REFUSALS } from '../../contract/subtitles/evidence-reasons.ts';
import type { z } from 'zod';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import { noteText, type SubtitleNote } from '../../contract/subtitles/notes.ts';
import type { Actor, Evidence, LanguageState } from '../../contract/subtitles/states.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { AlignmentView } from '../../contract/subtitles/views.ts';
import { warningsInReply } from '../../contract/subtitles/warnings.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import { videoTextUnder } from '../history/lineage.ts';
import { tracksIn } from '../inventory/item.ts';
import type { Drafts } from '../drafts/types.ts';
import type { SubtitleRole } from '../store/tables.ts';
import { contentHash, type PreservedBytes } from '../history/preserved.ts';
import type { Speech } from '../../speech/index.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { SubtitleReader } from '../worker/types.ts';
import type { EditWorker } from './edit-worker/edit-worker.ts';
import type { InstallableProposal } from './edit-worker/operations.ts';
import type { EmbeddedTexts } from './embedded.ts';
import { exportSubtitle } from './export.ts';
import { summaryOf } from './summary.ts';
import type { SubtitleSummary } from './inspect.ts';
import { alignmentOf, type ChangeRequest, unreadableWarning } from './propose.ts';
import { currentBytes } from './sources.ts';
import { loadCurrentSubtitle, dataOf, type CurrentSubtitle, type SubtitleSelector } from './current-subtitle.ts';
import { changeOfFix, type MeasuredFix, type PreparedRequest, readChange } from './read-change.ts';
import { type PreparedInstall as Ready, restoreRequest } from './restore.ts';
import { deleteInstalled, describeInstalled, removeRestored } from './remove.ts';
import {
  announceWritten,
  changedFailure,
  refuseChangedItem,
  refuseUnwritable,
  type WriteNeeds,
} from './write-checks.ts';

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
  /** Returns the file that `deleteInstalled` removes. */
  installed(asked: Input<'installed'>): Promise<z.input<typeof endpoints.installed.result>>;
  deleteInstalled(asked: Input<'deleteInstalled'> & By, signal: AbortSignal): Promise<void>;
  /** Changes that the timing audit measured. */
  fixes: {
    preview(fix: MeasuredFix, signal: AbortSignal): Promise<z.input<typeof endpoints.preview.result>>;
    /** Applies a fix. Calls `check` right before the file is written, to refuse by throwing. */
    apply(
      fix: MeasuredFix & By & { check(): Promise<void> },
      signal: AbortSignal,
    ): Promise<{ relative: string; fingerprint: string }>;
    /** Restores what a fix replaced, if the subtitle still is what the fix wrote. */
    undo(fix: Omit<MeasuredFix, 'synced'> & By, signal: AbortSignal): Promise<void>;
  };
}

export interface WorkbenchNeeds extends WriteNeeds {
  embedded: EmbeddedTexts;
  installing: InstallingStore;
  preserved: PreservedBytes;
  speech: Pick<Speech, 'align' | 'alignToCues'>;
  drafts: Pick<Drafts, 'finished'>;
  editWorker: EditWorker;
  reader: Pick<SubtitleReader, 'cues' | 'format'>;
  /** Whether the terms of a source forbid changing its files. */
  isAsDelivered(source: string): boolean;
  /** Returns the state of one role of a language, as the inventory reports it. */
  stateOf(id: string, language: string, role: SubtitleRole): Promise<LanguageState>;
}

/** Reasons why a subtitle that is there cannot be read as text. Another one can replace it. */
const UNREADABLE = ['installed-unreadable', 'text-track-unreadable', 'track-too-large'] as const;

export function createWorkbench(needs: WorkbenchNeeds): Workbench {
  const busy = createKeyedLock();
  const { embedded, editWorker } = needs;
  const read = ({ id, language, role, only }: SubtitleSelector & { id: string }) =>
    loadCurrentSubtitle(needs, id, { language, role, only });
  const exclusively = <T>(id: string, language: string, work: () => Promise<T>): Promise<T> =>
    busy.tryLock(`${id} ${language}`, work, 'the subtitle in this language is being changed by another request');
  const summary = async (current: CurrentSubtitle): Promise<SubtitleSummary> =>
    summaryOf(current, {
      isFrozen: (await needs.installing.frozen([current.subject.id])).some(({ language }) => language === current.tag),
    });

  const inspect: Workbench['inspect'] = async (asked, signal) => {
    const current = await read(asked);
    return inspectCurrent(needs, { current, summary: await summary(current), unreadable: asked.unreadable }, signal);
  };

  const preview = async ({ current, trying }: PreparedRequest, signal: AbortSignal) =>
    editWorker.preview({ ...trying, summary: await summary(current) }, signal);
  /** Writes a change, and returns what was written. */
  async function write(
    { current, trying }: PreparedRequest,
    { by, check }: By & { check?: () => Promise<void> },
    signal: AbortSignal,
  ): Promise<InstallableProposal> {
    const proposal = await editWorker.propose(trying, signal);
    refuse(proposal, trying.synced);
    await refuseUnwritable(current, proposal.relative);
    signal.throwIfAborted();
    const installation = installationOf(current, proposal, alignmentOf(trying, proposal));
    await install(needs, current, { ...installation, by }, check);
    return proposal;
  }

  return {
    inspect,
    export: async (asked, signal) =>
      exportSubtitle(
        { current: await read(asked), embedded, editWorker, reader: needs.reader, preserved: needs.preserved },
        asked.format,
        signal,
      ),
    preview: async (asked, signal) => preview(await readChange(needs, asked, signal), signal),
    apply: (asked, signal) =>
      exclusively(asked.id, asked.language, async () => {
        const proposal = await write(await readChange(needs, asked, signal), { by: asked.by }, signal);
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
        const restored = await restoreFrom(needs, { current, to, by }, signal);
        return needs.stateOf(id, restored.language, restored.role);
      });
    },
    fixes: {
      preview: async (fix, signal) => preview(await readChange(needs, changeOfFix(fix), signal, fix), signal),
      apply: ({ by, check, ...fix }, signal) =>
        exclusively(fix.id, fix.language, async () => {
          const change = await readChange(needs, changeOfFix(fix), signal, fix);
          const { relative, bytes } = await write(change, { by, check }, signal);
          return { relative, fingerprint: contentHash(bytes) };
        }),
      undo: ({ id, language, role, only, fingerprint, by }, signal) =>
        exclusively(id, language, async () => {
          const current = await read({ id, language, role, only });
          if (fingerprint !== current.fingerprint) throw changedFailure();
          await restoreFrom(needs, { current, to: 'previous', by }, signal);
        }),
    },
    installed: async (asked) => describeInstalled(await read(asked)),
    deleteInstalled: ({ id, language, role, fingerprint, by }, signal) =>
      exclusively(id, language, async () =>
        deleteInstalled(needs, { current: await read({ id, language, role }), fingerprint, by }, signal),
      ),
    setReplaceable: async ({ id, replaceable, language: given, role }) => {
      const language = await languageOf(needs, id, given);
      // Applying and restoring can freeze the language too, so this holds the same lock.
      return exclusively(id, language, async () => freeze(needs, await read({ id, language, role }), !replaceable));
    },
  };
}

/** Describes a subtitle with its cues; without them if it cannot be read and that is allowed. */
async function inspectCurrent(
  { embedded, editWorker }: Pick<WorkbenchNeeds, 'embedded' | 'editWorker'>,
  {
    current,
    summary,
    unreadable,
  }: { current: CurrentSubtitle; summary: SubtitleSummary; unreadable: Input<'inspect'>['unreadable'] },
  signal: AbortSignal,
): ReturnType<Workbench['inspect']> {
  const subject = { summary, subtitle: dataOf(current) };
  try {
    return await editWorker.inspect({ ...subject, text: await currentBytes({ embedded }, current, signal) }, signal);
  } catch (error) {
    if (unreadable !== 'allow' || !(error instanceof Failure) || !failedFor(error, ...UNREADABLE)) throw error;
    const { warningReasons, ...rest } = await editWorker.inspect(subject, signal);
    return {
      ...rest,
      unreadable: true,
      ...warningsInReply([unreadableWarning(error), ...warningReasons]),
    };
  }
}

/** Restores a preserved subtitle, or removes the current one if there was none before. */
async function restoreFrom(
  needs: WorkbenchNeeds,
  { current, to, by }: By & { current: CurrentSubtitle; to: 'original' | 'previous' | undefined },
  signal: AbortSignal,
): Promise<{ language: string; role: SubtitleRole }> {
  if (await removeRestored(needs, { current, to, by }, signal)) return { language: current.tag, role: current.role };
  const installation = await restoreRequest(needs, current, to);
  await refuseUnwritable(current, installation.relative ?? '');
  signal.throwIfAborted();
  await install(needs, current, { ...installation, by });
  return installation;
}

/** Freezes the language of a subtitle, or permits its replacement again. */
async function freeze(
  { installing, changed, stateOf }: WorkbenchNeeds,
  { subject: { id }, tag, track, pictures, role }: CurrentSubtitle,
  isFrozen: boolean,
): Promise<LanguageState> {
  if (!track && !pictures) throw noSubtitleFailure();
  await installing.freeze(id, tag, isFrozen);
  await changed();
  return stateOf(id, tag, track?.role ?? pictures?.role ?? role);
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
      `the timing was not changed, because the evidence is weak: ${TIMING_REFUSALS[synced.alignment.refusal]}`,
      { reason: 'evidence-weak' },
    );
  if (cues === 0) throw new Failure('conflict', 'no cue would be left in the subtitle', { reason: 'nothing-left' });
  if (!isChange) throw new Failure('conflict', 'the change has no effect', { reason: 'nothing-changed' });
}

/** Installs a subtitle, after checking again that nothing changed. */
async function install(
  needs: WorkbenchNeeds,
  current: CurrentSubtitle,
  ready: Ready,
  check?: () => Promise<void>,
): Promise<void> {
  const { subject, file, root } = current;
  await needs.installer.install({
    ...ready,
    item: subject.id,
    file,
    root,
    check: async () => {
      await check?.();
      await refuseChangedItem(needs, current, ready.over?.relative);
    },
  });
  await announceWritten(needs, subject.id);
  needs.log.info('subtitles.changed', {
    item: subject.id,
    language: ready.language,
    act: ready.act,
    source: ready.source,
  });
}

function installationOf(
  { subject, file, row, installed, evidence }: CurrentSubtitle,
  { kind, bytes, relative, format, language, role, over, origin, source, applied }: InstallableProposal,
  aligned: AlignmentView | undefined,
): Ready {
  const isEdit = source.isInPlace;
  // The source of what was written over the text inside the video is that text, which stays where it is.
  const first = row && videoTextUnder(row, tracksIn(subject, file)) ? undefined : installed?.content;
  const delivered = source.delivered ?? (isEdit ? (row?.delivered ?? first) : undefined);
  const before = isEdit ? evidence : (source.from?.evidence ?? []);
  const notes = notesOf(kind, source.method, applied);
  return {
    language,
    role,
    format,
    bytes,
    relative,
    act: 'applied',
    origin,
    notes,
    source: source.from?.source ?? origin,
    score: isEdit ? (row?.score ?? null) : (source.from?.score ?? null),
    match: aligned && aligned.outcome !== 'refused' ? 'verified' : isEdit ? (row?.match ?? 'unverified') : 'unverified',
    evidence: evidenceOf({ before, origin, notes, aligned: aligned?.evidence ?? [] }),
    ...(over && { over }),
    ...(source.from && { candidate: source.from.candidate }),
    ...(delivered !== undefined && { delivered }),
    // Replacing a fetched subtitle by another file rejects it; an improved version of the same file does not.
    ...(!isEdit && { rejects: true as const }),
  };
}

const FIRST_NOTES = { edit: 'edited', text: 'edited-by-line', import: 'uploaded', draft: 'from-draft' } as const;

function notesOf(
  kind: InstallableProposal['kind'],
  method: InstallableProposal['source']['method'],
  applied: InstallableProposal['applied'],
): SubtitleNote[] {
  const done = applied.map((values): SubtitleNote => ({ reason: 'applied', values: { ...values } }));
  if (method !== undefined) return [{ reason: 'from-draft-by', values: { method } }, ...done];
  return kind === 'edit' && done.length > 0 ? done : [{ reason: FIRST_NOTES[kind], values: {} }, ...done];
}

/**
 * Returns the evidence after a change: the earlier evidence, and the last change only. The history lists all changes.
 */
function evidenceOf({
  before,
  origin,
  notes,
  aligned,
}: {
  before: readonly Evidence[];
  origin: string;
  notes: SubtitleNote[];
  aligned: readonly Evidence[];
}): Evidence[] {
  const mine = new Set(['edited', 'imported', 'draft', ...aligned.map(({ kind }) => kind)]);
  return [
    ...before.filter(({ kind }) => !mine.has(kind)),
    { kind: origin, detail: noteText(notes), notes, points: 0 },
    ...aligned,
  ];
}

const noSubtitleFailure = (): Failure =>
  new Failure('conflict', 'there is no subtitle in this language', { reason: 'no-subtitle-to-change' });
const noLanguageConfiguredFailure = (): Failure =>
  new Failure('conflict', 'no subtitle language is configured, and none was given', {
    reason: 'no-language-configured',
  });
const changedNotShownFailure = (cause: Failure): Failure =>
  new Failure(
    'unavailable',
    'the subtitle was changed, but it cannot be shown now',
    { reason: 'changed-not-shown' },
    { cause },
  );
