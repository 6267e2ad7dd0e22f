/**
 * Looking at, trying, applying and taking back changes to the subtitle of an item.
 *
 * A change is made against a fingerprint, the SHA-256 of what is installed, and applied only to exactly that: it is
 * asked for again at the last moment. What is previewed is what is applied. Every refusal comes before any write.
 */
import type { z } from 'zod';
import type { CatalogBackground } from '../../catalog/index.ts';
import type { Given } from '../../contract/kernel/endpoint.ts';
import type { Actor, Evidence, LanguageState } from '../../contract/subtitles/library.ts';
import type { SubtitleChange } from '../../contract/subtitles/change.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { inRoot, isWritableFolder, statFile } from '../../lib/files.ts';
import { createKeyedLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import type { Drafts } from '../drafts/types.ts';
import { backOf } from '../history/lineage.ts';
import { folderOf, type Installer } from '../install/install.ts';
import type { Role } from '../store/tables.ts';
import { tracksIn } from '../inventory/item.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import type { Speech } from '../../speech/index.ts';
import type { InstallingStore } from '../store/installing.ts';
import type { Reader } from '../worker/types.ts';
import type { Desk } from './desk/desk.ts';
import type { Outcome } from './desk/work.ts';
import type { Embedded } from './embedded.ts';
import { exported } from './export.ts';
import { headOf } from './head.ts';
import type { Head } from './inspect.ts';
import { bringsText, type Trying } from './propose.ts';
import { draftFor, textOf } from './sources.ts';
import { lookNow, pick, spotOf, type Standing, type Which } from './standing.ts';
import { type ReadyInstallation as Ready, restoring } from './restoring.ts';
import { sync } from './sync.ts';

type Input<K extends keyof typeof endpoints> = Given<(typeof endpoints)[K]>;
interface By {
  by?: Actor | undefined;
}
export interface Workbench {
  inspect(asked: Input<'inspect'>, signal: AbortSignal): Promise<z.input<typeof endpoints.inspect.result>>;
  export(asked: Input<'export'>, signal: AbortSignal): Promise<{ type: string; bytes: Uint8Array; filename: string }>;
  preview(asked: Input<'preview'>, signal: AbortSignal): Promise<z.input<typeof endpoints.preview.result>>;
  /** `by` of whoever asked; left out: the server. */
  apply(asked: Input<'apply'> & By, signal: AbortSignal): Promise<z.input<typeof endpoints.apply.result>>;
  restore(asked: Input<'restore'> & By, signal: AbortSignal): Promise<LanguageState>;
  setReplaceable(asked: Input<'replacement'>): Promise<LanguageState>;
}

export interface WorkbenchNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  embedded: Embedded;
  installing: InstallingStore;
  installer: Pick<Installer, 'install' | 'remove'>;
  preserved: PreservedBytes;
  speech: Pick<Speech, 'align' | 'alignToCues'>;
  drafts: Pick<Drafts, 'finished'>;
  desk: Desk;
  reader: Pick<Reader, 'cues' | 'format'>;
  languages(): readonly string[];
  /** Files of that source may not be changed. */
  isAsDelivered(source: string): boolean;
  /** Returns the state of one role of a language as the inventory has it. */
  stateOf(id: string, language: string, role: Role): Promise<LanguageState>;
  /** Told once a subtitle is in place and known. */
  changed(): Promise<void>;
  log: Log;
}

const STALE = 'the subtitle was changed since: look at it again';
const MOST_DETAIL = 300;

export function createWorkbench(needs: WorkbenchNeeds): Workbench {
  const busy = createKeyedLock();
  const { embedded, desk } = needs;
  const look = ({ id, language, role }: Which & { id: string }) => lookNow(needs, id, { language, role });
  const locked = <T>(id: string, language: string, work: () => Promise<T>): Promise<T> =>
    busy.tryLock(`${id} ${language}`, work, 'the subtitle in this language is being changed already');
  const head = async (standing: Standing): Promise<Head> =>
    headOf(standing, {
      isFrozen: (await needs.installing.frozen([standing.subject.id])).some(
        ({ language }) => language === standing.tag,
      ),
    });

  async function inspect(asked: Input<'inspect'>, signal: AbortSignal) {
    const standing = await look(asked);
    const text = await textOf({ embedded }, standing, signal);
    return desk.inspect({ head: await head(standing), spot: spotOf(standing), text }, signal);
  }

  /** What is there, and all that the change needs to be made of it. */
  async function tried(
    { id, fingerprint, by: _by, ...asked }: SubtitleChange & By & { id: string; fingerprint?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ standing: Standing; trying: Trying }> {
    const standing = await look({ id, language: asked.language, role: asked.currentRole });
    if (fingerprint !== undefined && fingerprint !== standing.fingerprint) throw stale();
    let unread: string | undefined;
    const text = await textOf({ embedded }, standing, signal).catch((error: unknown) => {
      if (!(bringsText(asked) && error instanceof Failure && error.kind === 'conflict')) throw error;
      unread = error.message;
      return undefined;
    });
    const draft = await draftFor(needs.drafts, standing, asked.draftId);
    const trying: Trying = {
      spot: spotOf(standing),
      text,
      asked,
      draft,
      isAsDelivered: needs.isAsDelivered(standing.source),
      unread,
    };
    if (asked.automaticSync !== true) return { standing, trying };
    const { cues, isOwn, begun } = await desk.compare(trying, signal);
    const { alignment: found, view } = await sync(needs, standing, { cues, isOwn }, signal);
    // The moved cues are not needed: they are moved again with everything else that is done to them.
    const alignment = found.outcome === 'moved' ? (({ cues: _cues, ...rest }) => rest)(found) : found;
    return { standing, trying: { ...trying, begun, synced: { alignment, view } } };
  }

  return {
    inspect,
    export: async (asked, signal) =>
      exported(
        { standing: await look(asked), embedded, desk, reader: needs.reader, preserved: needs.preserved },
        asked.format,
        signal,
      ),
    preview: async (asked, signal) => {
      const { standing, trying } = await tried(asked, signal);
      return desk.preview({ ...trying, head: await head(standing) }, signal);
    },
    apply: (asked, signal) =>
      locked(asked.id, asked.language, async () => {
        const { standing, trying } = await tried(asked, signal);
        const proposal = await desk.propose(trying, signal);
        refuse(proposal, trying.synced);
        await refuseUnwritable(standing, proposal.relative);
        signal.throwIfAborted();
        await install(needs, standing, { ...installationOf(standing, proposal, trying.synced), by: asked.by });
        return inspect({ id: asked.id, language: proposal.language, role: proposal.role }, signal).catch(
          (error: unknown) => {
            // What the desk says of its own failures is about work that was not done.
            throw error instanceof Failure && error.kind === 'unavailable' ? notShown(error) : error;
          },
        );
      }),
    restore: async ({ id, language: given, role, to, by }, signal) => {
      const language = await languageOf(needs, id, given);
      return locked(id, language, async () => {
        const standing = await look({ id, language, role });
        if (to === 'previous' && (await removed(needs, { standing, by }, signal)))
          return needs.stateOf(id, standing.tag, standing.role);
        const installation = await restoring(needs, standing, to);
        await refuseUnwritable(standing, installation.relative ?? '');
        signal.throwIfAborted();
        await install(needs, standing, { ...installation, by });
        return needs.stateOf(id, installation.language, installation.role);
      });
    },
    setReplaceable: async ({ id, replaceable, language: given, role }) => {
      const language = await languageOf(needs, id, given);
      // What is applied or restored at the same time may freeze the language, too.
      return locked(id, language, async () => {
        const standing = await look({ id, language, role });
        if (!standing.track && !standing.pictures)
          throw new Failure('conflict', 'there is no subtitle in this language', { reason: 'no-subtitle-to-change' });
        const { tag } = standing;
        await needs.installing.freeze(id, tag, !replaceable);
        await needs.changed();
        return needs.stateOf(id, tag, standing.track?.role ?? standing.pictures?.role ?? standing.role);
      });
    },
  };
}

/** The one asked for, or the first that is configured; an item that is none is told first. */
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

function refuse({ isChange, cues }: Outcome, synced: Trying['synced']): void {
  if (synced?.alignment.outcome === 'refused')
    throw new Failure(
      'conflict',
      `the timing was not changed, because the evidence is weak: ${synced.alignment.sentence}`,
      { reason: 'evidence-weak' },
    );
  if (cues === 0) throw new Failure('conflict', 'nothing would be left of the subtitle', { reason: 'nothing-left' });
  if (!isChange) throw new Failure('conflict', 'this would change nothing', { reason: 'nothing-changed' });
}

async function refuseUnwritable({ root }: Standing, relative: string): Promise<void> {
  const folder = folderOf(relative);
  if (!(await isWritableFolder(folder === '' ? root.path : `${root.path}/${folder}`))) throw fileUnwritableFailure();
}

/** A video that was renamed or replaced since the last scan: a subtitle by its old name would be nobody's. */
async function refuseMoved({ root, file }: Pick<Standing, 'root' | 'file'>): Promise<void> {
  const now = await statFile(inRoot(root, file.relative)).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'missing') return undefined;
    throw error;
  });
  if (now?.kind !== 'file' || now.size !== file.size) throw itemNotScannedFailure();
}

/** The item and its subtitle in this language are still what was looked at. */
async function refuseOther(
  { catalog, languages }: WorkbenchNeeds,
  { subject, file, root, language, asked, track }: Standing,
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
  const meant = pick(tracksIn(now, main), { language, role: asked }, languages()[0]);
  if (meant?.relative !== track?.relative && meant?.relative !== over && !meant?.picture) throw stale();
  await refuseMoved({ root, file });
}

/** The file is in place and known to be ours; that the shelves do not show it yet must not turn this into a failure. */
async function announce({ catalog, changed, log }: WorkbenchNeeds, item: string): Promise<void> {
  await catalog.sidecarsChanged(item).catch((error: unknown) => log.fault('subtitles.not-announced', error, { item }));
  await changed();
}

/** Writes it, when everything still is as it was looked at. */
async function install(needs: WorkbenchNeeds, standing: Standing, ready: Ready): Promise<void> {
  const { subject, file, root } = standing;
  await needs.installer.install({
    ...ready,
    item: subject.id,
    file,
    root,
    check: () => refuseOther(needs, standing, ready.over?.relative),
  });
  await announce(needs, subject.id);
  needs.log.info('subtitles.changed', {
    item: subject.id,
    language: ready.language,
    act: ready.act,
    source: ready.source,
  });
}

function installationOf(
  { row, installed, evidence }: Standing,
  { kind, bytes, relative, format, language, role, over, origin, source, notes }: Outcome,
  synced: Trying['synced'],
): Ready {
  const isEdit = source.isInPlace;
  const delivered = source.delivered ?? (isEdit ? (row?.delivered ?? installed?.content) : undefined);
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
    match:
      synced && synced.alignment.outcome !== 'refused'
        ? 'verified'
        : isEdit
          ? (row?.match ?? 'unverified')
          : 'unverified',
    evidence: evidenceOf({ before: isEdit ? evidence : [], origin, detail, synced: synced?.view.evidence ?? [] }),
    ...(over && { over }),
    ...(delivered !== undefined && { delivered }),
    // Another file in its place says that the fetched one was not wanted; a better version of the same does not.
    ...(!isEdit && { rejects: true as const }),
  };
}

const WORDS = {
  edit: 'Edited.',
  text: 'Edited line by line.',
  import: 'A file was brought.',
  draft: 'Made from a draft.',
} as const;

function detailOf(kind: Outcome['kind'], method: string | undefined, notes: readonly string[]): string {
  const first =
    kind === 'edit' && notes.length > 0
      ? []
      : [kind === 'draft' && method !== undefined ? `Made from a draft (${method}).` : WORDS[kind]];
  return [...first, ...notes].join(' ').slice(0, MOST_DETAIL);
}

/** What was known still speaks for it; of changes the last one is told, and all of them by the history. */
function evidenceOf({
  before,
  origin,
  detail,
  synced,
}: {
  before: readonly Evidence[];
  origin: string;
  detail: string;
  synced: readonly Evidence[];
}): Evidence[] {
  const mine = new Set(['edited', 'imported', 'draft', ...synced.map(({ kind }) => kind)]);
  return [...before.filter(({ kind }) => !mine.has(kind)), { kind: origin, detail, points: 0 }, ...synced];
}

/**
 * Takes a file of ours back where there was none before it. False where something is to be put back instead, or it is
 * not ours.
 */
async function removed(
  needs: WorkbenchNeeds,
  { standing, by }: By & { standing: Standing },
  signal: AbortSignal,
): Promise<boolean> {
  const { row, installed } = standing;
  if (
    !row ||
    !installed ||
    row.origin === 'own' ||
    row.content !== installed.content ||
    backOf(row.preserved, 'previous')
  )
    return false;
  await refuseUnwritable(standing, installed.relative);
  signal.throwIfAborted();
  const { subject, file, root } = standing;
  const over = { relative: installed.relative, content: installed.content };
  await needs.installer.remove({
    item: subject.id,
    file,
    root,
    row,
    over,
    by,
    detail: 'Taken back: there was none before.',
    check: () => refuseOther(needs, standing, over.relative),
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
  new Failure('conflict', 'the file of this item has changed and was not looked into again yet', {
    reason: 'item-not-scanned',
  });
const stale = (): Failure => new Failure('conflict', STALE, { reason: 'subtitle-changed' });
const notShown = (cause: Failure): Failure =>
  new Failure(
    'unavailable',
    'the subtitle was changed, and cannot be shown now',
    { reason: 'changed-not-shown' },
    { cause },
  );
