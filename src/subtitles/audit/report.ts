/**
 * Lists what the timing audit found. Decides which judgements can be fixed, and which fixes need a person's permission.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { MISFITS, type subtitleAudit as endpoints } from '../../contract/subtitles/audit.ts';
import { TIMING_VERDICTS } from '../../contract/subtitles/states.ts';
import { iso } from '../../lib/clock.ts';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import { languageOfTrack } from '../inventory/coverage.ts';
import type { AuditStore, ListedJudgement } from '../store/audits.ts';
import { isCoveredText, judgementOf } from '../store/judgements.ts';
import type { InstallingStore } from '../store/installing.ts';
import { type InstalledFile, type InventoryTrack, trackKeyOf } from '../store/rows.ts';
import { MOVABLE, timingView } from './verdict.ts';

type Reply = z.input<typeof endpoints.list.result>;
export type AuditedReply = Reply['items'][number];

export interface ReportNeeds {
  audits: Pick<AuditStore, 'page' | 'counts' | 'countDue'>;
  installing: Pick<InstallingStore, 'filesOf' | 'frozen'>;
  /** Whether the terms of a source forbid changing its files. */
  isAsDelivered(source: string): boolean;
  /** The configured libraries, and whether each can be reached. */
  libraries(): readonly { id: string; isOnline: boolean }[];
  languages(): readonly string[];
  isAutomatic(): boolean;
}

export async function reportAudit(needs: ReportNeeds, query: ParsedInput<typeof endpoints.list>): Promise<Reply> {
  const { verdict, page, limit } = query;
  const libraries = needs.libraries().map(({ id }) => id);
  const verdicts = verdict === 'misfits' ? MISFITS : verdict === 'all' ? TIMING_VERDICTS : [verdict];
  const { counts, at } = await needs.audits.counts(libraries);
  const matched = verdicts.reduce((sum, one) => sum + counts[one], 0);
  const found = await needs.audits.page({ verdicts, libraries, offset: (page - 1) * limit, limit });
  return {
    automatic: needs.isAutomatic(),
    counts,
    pending: await needs.audits.countDue(libraries),
    ...(at !== undefined && { checkedAt: iso(at) }),
    page,
    pages: Math.ceil(matched / limit),
    matched,
    items: (await describeJudgements(needs, found)).map(({ view }) => view),
  };
}

/** A judgement with the text that it is about, and how the API shows it. */
export interface DescribedJudgement {
  judgement: ListedJudgement;
  track: InventoryTrack;
  view: AuditedReply;
}

/** Returns judgements with what can be done about them. Those whose text is not there any more are left out. */
export async function describeJudgements(
  needs: Pick<ReportNeeds, 'installing' | 'isAsDelivered' | 'libraries' | 'languages'>,
  judgements: readonly ListedJudgement[],
): Promise<DescribedJudgement[]> {
  const ids = [...new Set(judgements.map(({ item }) => item))];
  const [files, frozen] = await Promise.all([needs.installing.filesOf(ids), needs.installing.frozen(ids)]);
  const online = new Set(needs.libraries().flatMap(({ id, isOnline }) => (isOnline ? [id] : [])));
  const [first] = needs.languages();
  return judgements.flatMap((judgement): DescribedJudgement[] => {
    const { item, row, content } = judgement;
    const track = row.tracks.find((one) => trackKeyOf(one) === judgement.track);
    if (!track || judgementOf(row, track, [judgement]) === undefined) return [];
    const file = files.find((one) => one.item === item && one.relative === track.relative && one.content === content);
    const language = languageOfTrack(track, first);
    const isFrozen = frozen.some((one) => one.item === item && one.language === language);
    return [
      {
        judgement,
        track,
        view: {
          id: itemOfKey(item),
          ...(row.part !== null && { part: row.part }),
          track: judgement.track,
          title: row.title,
          kind: row.kind,
          ...(row.year !== null && { year: row.year }),
          ...(row.context !== null && { context: row.context }),
          language,
          role: track.role,
          ...(track.relative !== undefined && { file: track.relative }),
          source: sourceOf(track, file),
          // A text inside the video stays as it is: its fix is a separate file.
          own: isFrozen || (track.source === 'sidecar' && file?.origin !== 'fetched'),
          fixable:
            MOVABLE.includes(judgement.verdict) &&
            online.has(row.library) &&
            !(file && needs.isAsDelivered(file.source)) &&
            !isCoveredText(track, row.tracks),
          judgement: digestOf(judgement),
          timing: timingView(judgement),
        },
      },
    ];
  });
}

const sourceOf = (track: InventoryTrack, file: InstalledFile | undefined): string =>
  file && file.origin !== 'own' ? file.source : track.source;

/** Returns the digest of exactly this judgement of these bytes. */
const digestOf = ({ item, track, video, version, method, content, verdict, facts }: ListedJudgement): string =>
  createHash('sha256')
    .update(JSON.stringify([item, track, video, version, method, content, verdict, facts]))
    .digest('hex');
