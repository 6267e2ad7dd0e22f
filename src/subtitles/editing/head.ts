/** What is told of an installed subtitle without a look into its text. */
import { inventoryItem } from '../inventory/item.ts';
import { waysBack } from '../inventory/states.ts';
import type { Head } from './inspect.ts';
import { rowBack, type Standing } from './standing.ts';

export interface Facts {
  isFrozen: boolean;
}
export function headOf(standing: Standing, facts: Facts): Head {
  const { subject, file, tag, role, fingerprint, source, evidence, row } = standing;
  return {
    id: subject.id,
    title: inventoryItem(subject)?.title ?? subject.title,
    language: tag,
    fingerprint,
    role,
    source,
    evidence,
    ...waysBack(row, rowBack(standing)),
    replaceable: !facts.isFrozen,
    duration: file.info?.duration ?? 0,
  };
}
