/**
 * Fixes what the timing audit found: previews, applies and undoes moves of the lines, exactly as they were measured.
 *
 * A fix is refused if the video or the subtitle is not the version that was judged. That is checked when it is asked
 * for, and again right before the file is written. A file that the server did not fetch is only changed if the request
 * permits it for that file.
 */
import type { FailureReason } from '../../contract/failures.ts';
import type { z } from 'zod';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import type { subtitleAudit as endpoints } from '../../contract/subtitles/audit.ts';
import type { Actor } from '../../contract/subtitles/states.ts';
import type { SubtitlePreview } from '../../contract/subtitles/views.ts';
import type { CatalogBackground } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { MeasuredFix } from '../editing/read-change.ts';
import type { Workbench } from '../editing/workbench.ts';
import { mainFile } from '../inventory/item.ts';
import type { PartAddress, PartFinder } from '../parts/part-catalog.ts';
import type { AuditStore } from '../store/audits.ts';
import type { InventoryStore } from '../store/inventory.ts';
import { trackKeyOf, versionOf } from '../store/rows.ts';
import { languageOfTrack } from '../inventory/coverage.ts';
import { refuseOtherVersion } from './judge.ts';
import { type DescribedJudgement, describeJudgements, type ReportNeeds } from './report.ts';
import { alignmentOfJudgement } from './verdict.ts';

type Input<K extends keyof typeof endpoints> = ParsedInput<(typeof endpoints)[K]>;
type Result<K extends keyof typeof endpoints> = z.input<(typeof endpoints)[K]['result']>;

export interface FixNeeds extends Omit<ReportNeeds, 'audits' | 'isAutomatic'> {
  audits: Pick<AuditStore, 'of'>;
  inventory: Pick<InventoryStore, 'row'>;
  catalog: Pick<CatalogBackground, 'subject' | 'root'>;
  fixes: Workbench['fixes'];
  finder: Pick<PartFinder, 'keyOf'>;
  /** Judges an item in the background. */
  judgeSoon(item: string): void;
}

export interface AuditFixes {
  preview(asked: Input<'preview'>, signal: AbortSignal): Promise<Result<'preview'>>;
  fix(asked: Input<'fix'> & { by?: Actor }, signal: AbortSignal): Promise<Result<'fix'>>;
  undo(asked: Input<'undo'> & { by?: Actor }, signal: AbortSignal): Promise<Result<'undo'>>;
}

/** Number of lines that a preview shows of the beginning and of the end. */
const FIRST_LINES = 5;
const LAST_LINES = 2;

export function createFixes(needs: FixNeeds): AuditFixes {
  /** Returns the judgement that a request names. Throws if it is not the current one, or cannot be fixed. */
  const fixable = async ({
    track,
    judgement: digest,
    ...address
  }: Input<'preview'>): Promise<{ found: DescribedJudgement; fix: MeasuredFix }> => {
    const id = await needs.finder.keyOf(address);
    const row = await needs.inventory.row(id);
    if (!row) throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
    const own = (await needs.audits.of([id])).filter((one) => one.track === track);
    const [found] = await describeJudgements(
      needs,
      own.map((one) => ({ ...one, row })),
    );
    if (!found || found.view.judgement !== digest) throw outdatedFailure();
    const alignment = alignmentOfJudgement(found.judgement);
    if (!found.view.fixable || !alignment)
      throw new Failure('conflict', 'moving the lines would not fix this subtitle', { reason: 'not-fixable' });
    const { ratio, segments, evidence } = alignment;
    const view = {
      outcome: 'moved' as const,
      reference: found.judgement.facts.reference ?? ('speech' as const),
      ratio,
      segments: segments.map(({ from, to, offset }) => ({ from, to, offsetMilliseconds: Math.round(offset) })),
      evidence: [...evidence],
    };
    const fix: MeasuredFix = {
      id,
      language: found.view.language,
      role: found.view.role,
      only: track,
      fingerprint: found.judgement.content ?? 'missing',
      synced: { alignment, view },
    };
    return { found, fix };
  };
  /** Throws if the video of an item is not the one that was judged. */
  const refuseOtherVideo = async ({ judgement: { item, video } }: DescribedJudgement): Promise<void> => {
    const subject = await needs.catalog.subject(item);
    const file = subject && mainFile(subject);
    if (!file || versionOf({ size: file.size, modified: file.modifiedMs }) !== video) throw outdatedFailure();
    await refuseOtherVersion(await needs.catalog.root(file.root), file);
  };

  const fixOne = async (
    { own, ...asked }: Input<'fix'>['fixes'][number],
    by: Actor | undefined,
    signal: AbortSignal,
  ): Promise<Result<'fix'>['results'][number]> => {
    const { found, fix } = await fixable(asked);
    if (found.view.own && own !== true)
      throw new Failure('conflict', 'this file is your own, and the request does not permit changing it', {
        reason: 'own-subtitle',
      });
    await refuseOtherVideo(found);
    const { relative, fingerprint } = await needs.fixes.apply(
      { ...fix, by, check: () => refuseOtherVideo(found) },
      signal,
    );
    needs.judgeSoon(fix.id);
    return { ...named(asked), outcome: 'fixed', written: { track: `file:${relative}`, fingerprint } };
  };
  const undoOne = async (
    { track: key, fingerprint, ...address }: Input<'undo'>['fixes'][number],
    by: Actor | undefined,
    signal: AbortSignal,
  ): Promise<Result<'undo'>['results'][number]> => {
    const id = await needs.finder.keyOf(address);
    const row = await needs.inventory.row(id);
    if (!row) throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
    const track = row.tracks.find((one) => trackKeyOf(one) === key);
    if (!track)
      throw new Failure('conflict', 'the subtitle was changed in the meantime', { reason: 'subtitle-changed' });
    const language = languageOfTrack(track, needs.languages()[0]);
    await needs.fixes.undo({ id, language, role: track.role, only: key, fingerprint, by }, signal);
    needs.judgeSoon(id);
    return { ...named({ ...address, track: key }), outcome: 'undone' };
  };

  return {
    preview: async (asked, signal) => {
      const { found, fix } = await fixable(asked);
      await refuseOtherVideo(found);
      const { file, proposed, warnings, warningReasons, ...preview } = await needs.fixes.preview(fix, signal);
      const lines = linesOf({ ...preview, proposed });
      const last = lines.slice(Math.max(FIRST_LINES, lines.length - LAST_LINES));
      const first = lines.slice(0, FIRST_LINES);
      return { ...found.view, target: file, lines: lines.length, first, last, warnings, warningReasons };
    },
    fix: async ({ fixes, by }, signal) => {
      const results = await each(fixes, (one) => fixOne(one, by, signal), signal);
      const fixed = results.filter(({ outcome }) => outcome === 'fixed').length;
      return { fixed, refused: results.length - fixed, results };
    },
    undo: async ({ fixes, by }, signal) => {
      const results = await each(fixes, (one) => undoOne(one, by, signal), signal);
      const undone = results.filter(({ outcome }) => outcome === 'undone').length;
      return { undone, refused: results.length - undone, results };
    },
  };
}

interface NamedTrack extends PartAddress {
  track: string;
}
const named = ({ id, part, track }: NamedTrack) => ({ id, ...(part !== undefined && { part }), track });

/** Runs work for each entry in turn. A failure for the caller is the result of its entry. */
async function each<Asked extends NamedTrack, Done>(
  asked: readonly Asked[],
  work: (one: Asked) => Promise<Done>,
  signal: AbortSignal,
): Promise<(Done | (ReturnType<typeof named> & { outcome: 'refused'; reason: FailureReason; error: string }))[]> {
  const results = [];
  for (const one of asked) {
    signal.throwIfAborted();
    results.push(
      await work(one).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof Failure)) throw error;
        return { ...named(one), outcome: 'refused' as const, reason: error.reason, error: error.message };
      }),
    );
  }
  return results;
}

/** Returns the lines with their times before and after, in order. */
function linesOf({
  current,
  proposed,
  comparison,
}: Pick<z.input<typeof SubtitlePreview>, 'current' | 'proposed' | 'comparison'>): Result<'preview'>['first'] {
  return comparison.flatMap(({ current: [before] = [], proposed: [after] = [] }) => {
    const [from, to] = [current?.cues[before ?? -1], proposed.cues[after ?? -1]];
    return from && to && to.text.trim() !== '' ? [{ text: to.text, before: from.start, after: to.start }] : [];
  });
}

const outdatedFailure = (): Failure =>
  new Failure('conflict', 'the subtitle or the video changed since it was judged', { reason: 'audit-outdated' });
