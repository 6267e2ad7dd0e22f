/** Describes an installed subtitle without reading its text. */
import { inventoryRowOf, tracksIn } from '../inventory/item.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import { restoreFlags } from '../inventory/states.ts';
import type { SubtitleSummary } from './inspect.ts';
import { restorableRow, type CurrentSubtitle } from './current-subtitle.ts';

export function summaryOf(current: CurrentSubtitle, { isFrozen }: { isFrozen: boolean }): SubtitleSummary {
  const { subject, file, tag, role, fingerprint, source, evidence, row } = current;
  return {
    id: itemOfKey(subject.id),
    title: inventoryRowOf(subject)?.title ?? subject.title,
    language: tag,
    fingerprint,
    role,
    source,
    evidence,
    ...restoreFlags(row, restorableRow(current), tracksIn(subject, file)),
    replaceable: !isFrozen,
    duration: file.info?.duration ?? 0,
  };
}
