/** Judgements of the timing audit that are about the current versions of an item's texts. */
import { type InventoryTrack, trackKeyOf, versionOf, versionOfTrack } from './rows.ts';
import type { AuditTable, SubtitleItemTable, SubtitleTx } from './tables.ts';

/** Version of the method that judges. Increased when its verdicts change; earlier ones are then rebuilt. */
export const AUDIT_METHOD = 1;

type JudgedItem = Pick<SubtitleItemTable, 'id' | 'state' | 'size' | 'modified'> & {
  tracks: readonly InventoryTrack[];
};
type JudgementKey = Pick<AuditTable, 'track' | 'video' | 'version' | 'method'>;

/** Whether a track is judged: text that is shown. A commentary is not compared with the speech of the film. */
export const isAuditable = ({ hidden, picture, commentary, unreadable }: InventoryTrack): boolean =>
  !hidden && !picture && !commentary && unreadable === undefined;

/** Returns the judgement of the current version of a track. */
export const judgementOf = <T extends JudgementKey>(
  { size, modified }: Pick<JudgedItem, 'size' | 'modified'>,
  track: InventoryTrack,
  judgements: readonly T[],
): T | undefined =>
  judgements.find(
    (one) =>
      one.track === trackKeyOf(track) &&
      one.version === versionOfTrack(track) &&
      one.video === versionOf({ size, modified }) &&
      one.method === AUDIT_METHOD,
  );

/** Whether nothing of an item is left to judge. A file that was not scanned yet is judged later. */
export const isWhollyJudged = (item: JudgedItem, judgements: readonly JudgementKey[]): boolean =>
  item.state === 'known' &&
  item.tracks.filter(isAuditable).every((track) => judgementOf(item, track, judgements) !== undefined);

/** Whether a text inside the video has a file over it, which is shown instead of it. */
export const isCoveredText = (track: InventoryTrack, tracks: readonly InventoryTrack[]): boolean =>
  track.source === 'embedded' &&
  tracks.some(
    (one) => one.source === 'sidecar' && isAuditable(one) && one.language === track.language && one.role === track.role,
  );

/**
 * Deletes judgements of earlier versions, marks those of covered texts, and returns the remaining ones by item.
 */
export async function keepCurrentJudgements(
  tx: SubtitleTx,
  items: readonly JudgedItem[],
): Promise<Map<string, JudgementKey[]>> {
  const all = await tx
    .selectFrom('subtitle_audit')
    .select(['item', 'track', 'video', 'version', 'method', 'covered'])
    .where(
      'item',
      'in',
      items.map(({ id }) => id),
    )
    .execute();
  const kept = new Map<string, JudgementKey[]>();
  const byItem = Map.groupBy(all, ({ item }) => item);
  for (const item of items) {
    const own = byItem.get(item.id) ?? [];
    const tracks = item.tracks.filter(isAuditable);
    const current = new Set(tracks.flatMap((track) => judgementOf(item, track, own) ?? []));
    kept.set(item.id, [...current]);
    for (const track of tracks) {
      const judgement = judgementOf(item, track, own);
      const covered = isCoveredText(track, item.tracks) ? 1 : 0;
      if (judgement && judgement.covered !== covered)
        await tx
          .updateTable('subtitle_audit')
          .set({ covered })
          .where('item', '=', item.id)
          .where('track', '=', judgement.track)
          .execute();
    }
    for (const { track } of own.filter((one) => !current.has(one)))
      await tx.deleteFrom('subtitle_audit').where('item', '=', item.id).where('track', '=', track).execute();
  }
  return kept;
}
