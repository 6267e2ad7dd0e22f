/**
 * Judges the texts of one film or episode: listens to it once, and compares each text with its speech and the detected
 * language with the stated one.
 *
 * A text whose speech proves nothing is compared with a text track inside the video that fits the speech, or that is
 * all there is. The film is not listened to if no text needs it.
 */
import type { CatalogBackground, PlayableFile } from '../../catalog/index.ts';
import type { UnjudgedReason } from '../../contract/subtitles/states.ts';
import type { Cue } from '../../cues/index.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import { inRoot, type Root, statFile } from '../../lib/files.ts';
import type { Speech, SpeechCurve } from '../../speech/index.ts';
import { dataOf, readCurrentSubtitle } from '../editing/current-subtitle.ts';
import type { EditWorker } from '../editing/edit-worker/edit-worker.ts';
import type { EmbeddedTexts } from '../editing/embedded.ts';
import { currentBytes } from '../editing/sources.ts';
import { referenceIn } from '../editing/sync.ts';
import { MIN_DURATION_SECONDS } from '../fetching/audio-check.ts';
import { languageOfTrack, UNDETERMINED } from '../inventory/coverage.ts';
import { mainFile } from '../inventory/item.ts';
import type { Judgement, NewJudgement } from '../store/audits.ts';
import type { InventoryStore } from '../store/inventory.ts';
import { isAuditable, judgementOf } from '../store/judgements.ts';
import type { InstallingStore } from '../store/installing.ts';
import { type InventoryRow, type InventoryTrack, trackKeyOf, versionOf, versionOfTrack } from '../store/rows.ts';
import type { SubtitleReader } from '../worker/types.ts';
import { unjudged, type Verdict, verdictByAlignment, withLanguage } from './verdict.ts';

export interface JudgeNeeds {
  catalog: Pick<CatalogBackground, 'subject' | 'root' | 'libraries' | 'sidecarsChanged'>;
  installing: Pick<InstallingStore, 'filesOf'>;
  inventory: Pick<InventoryStore, 'tracks'>;
  languages(): readonly string[];
  embedded: EmbeddedTexts;
  editWorker: Pick<EditWorker, 'compare'>;
  reader: Pick<SubtitleReader, 'examine'>;
  speech: Pick<Speech, 'curve' | 'alignToCurve' | 'alignToCues'>;
  now(): number;
}

/** A text that was read, and why it cannot be compared, if so. */
interface ReadText {
  track: InventoryTrack;
  cues: readonly Cue[];
  language?: Awaited<ReturnType<SubtitleReader['examine']>>['language'];
  content: string | null;
  why?: UnjudgedReason;
}
interface JudgedItem {
  row: InventoryRow;
  file: PlayableFile;
  root: Root;
  known: readonly Judgement[];
}

/**
 * Returns judgements of the texts of an item that have none in `known`. Throws if the item cannot be judged now: its
 * files changed, cannot be reached, or could not be worked on.
 */
export async function judgeItem(
  needs: JudgeNeeds,
  { row, known }: Pick<JudgedItem, 'row' | 'known'>,
  signal: AbortSignal,
): Promise<NewJudgement[]> {
  const tracks = row.tracks.filter((track) => isAuditable(track) && judgementOf(row, track, known) === undefined);
  if (tracks.length === 0) return [];
  const subject = await needs.catalog.subject(row.id);
  const file = subject && mainFile(subject);
  if (!subject || !file || versionOf({ size: file.size, modified: file.modifiedMs }) !== versionOf(row))
    throw changedFailure();
  const root = await needs.catalog.root(file.root);
  await refuseOtherVersion(root, file);
  const whole: UnjudgedReason | undefined = (file.info?.duration ?? 0) < MIN_DURATION_SECONDS ? 'too-short' : undefined;
  const compare = createComparison(needs, { row, file, root, known }, signal);
  const found: NewJudgement[] = [];
  // Texts inside the video come first, because one that fits is a reference for the others.
  for (const track of tracks.toSorted((a, b) => Number(a.source === 'sidecar') - Number(b.source === 'sidecar'))) {
    const text = await readText(needs, row, track, signal);
    const why = text.why ?? whole ?? (track.role === 'forced' ? 'forced' : undefined);
    const { verdict, facts } = withLanguage(why === undefined ? await compare(text) : unjudged(why), text.language);
    found.push({
      track: trackKeyOf(track),
      video: versionOf(row),
      version: versionOfTrack(track),
      content: text.content,
      verdict,
      facts,
      at: needs.now(),
    });
  }
  // The video must still be the one that was listened to.
  await refuseOtherVersion(root, file);
  return found;
}

/** Throws `Failure('conflict')` if a video is not the version that was scanned. */
export async function refuseOtherVersion(root: Root, file: PlayableFile): Promise<void> {
  const { size, mtimeMs } = await statFile(inRoot(root, file.relative));
  if (size !== file.size || Math.round(mtimeMs) !== Math.round(file.modifiedMs)) throw changedFailure();
}

/** Returns a function that compares a text with the speech of the film, or with a text inside it. */
function createComparison(
  needs: JudgeNeeds,
  { row, file, root, known }: JudgedItem,
  signal: AbortSignal,
): (text: ReadText) => Promise<Verdict> {
  const { speech } = needs;
  let listening: Promise<SpeechCurve | UnjudgedReason> | undefined;
  /** The film is listened to in its own language, once for all texts. */
  const listen = async (): Promise<SpeechCurve | UnjudgedReason> => {
    try {
      return await speech.curve({ file, root }, { isBackground: true, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (failedFor(error, 'no-audio-track')) return 'no-audio';
      if (failedFor(error, 'audio-undecodable')) return 'audio-unreadable';
      throw error;
    }
  };
  const fitting = new Set(known.filter(({ verdict }) => verdict === 'fits').map(({ track }) => track));

  /** Compares with a text inside the video. Without `isHeard`, none of them could be compared with the speech. */
  const compareWithText = async ({ track, cues }: ReadText, isHeard: boolean): Promise<Verdict | undefined> => {
    const references = row.tracks.filter((one) => isAuditable(one) && (!isHeard || fitting.has(trackKeyOf(one))));
    const reference = referenceIn(references, track.language ?? UNDETERMINED, track);
    if (!reference) return undefined;
    const text = await readText(needs, row, reference, signal);
    if (text.why !== undefined) return undefined;
    const alignment = await speech.alignToCues(cues, text.cues, { signal });
    return alignment.outcome === 'refused' && isHeard ? undefined : verdictByAlignment(alignment, 'embedded');
  };

  return async (text) => {
    const heard = await (listening ??= listen());
    if (typeof heard === 'string')
      return (text.track.source === 'sidecar' ? await compareWithText(text, false) : undefined) ?? unjudged(heard);
    const alignment = await speech.alignToCurve(heard, text.cues, { signal });
    const verdict = verdictByAlignment(alignment, 'speech');
    if (verdict.verdict === 'fits') fitting.add(trackKeyOf(text.track));
    return (alignment.outcome === 'refused' ? await compareWithText(text, true) : undefined) ?? verdict;
  };
}

/** Reads a text as the workbench does, so that a fix moves exactly the cues that were compared. */
async function readText(
  needs: JudgeNeeds,
  row: InventoryRow,
  track: InventoryTrack,
  signal: AbortSignal,
): Promise<ReadText> {
  const language = languageOfTrack(track, needs.languages()[0]);
  const current = await readCurrentSubtitle(needs, row.id, { language, role: track.role, only: trackKeyOf(track) });
  if (!current.track || versionOfTrack(current.track) !== versionOfTrack(track)) throw changedFailure();
  const content = current.installed?.content ?? null;
  try {
    const text = await currentBytes(needs, current, signal);
    if (!text) throw changedFailure();
    const asked = { language, automaticSync: true };
    const { cues } = await needs.editWorker.compare(
      { subtitle: dataOf(current), text, asked, isAsDelivered: false },
      signal,
    );
    const isStated = track.language !== undefined && track.language !== UNDETERMINED;
    const examining = { bytes: text.bytes, options: { language: current.tag, extension: text.extension } };
    const examined = isStated ? await needs.reader.examine(examining, signal) : undefined;
    return { track, cues, content, ...(examined && { language: examined.language }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!failedFor(error, ...UNREADABLE)) throw error;
    return { track, cues: [], content, why: 'text-unreadable' };
  }
}

const UNREADABLE = [
  'installed-unreadable',
  'text-track-unreadable',
  'track-too-large',
  'format-unknown',
  'subtitle-malformed',
  'subtitle-over-limit',
  'subtitle-empty',
] as const;

const changedFailure = (): Failure =>
  new Failure('conflict', 'the item was changed in the meantime', { reason: 'item-changed' });
