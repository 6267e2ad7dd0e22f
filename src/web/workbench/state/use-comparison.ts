/** The rows of the comparison: from the preview, or computed here for a text that was edited here. */
import { useMemo } from 'preact/hooks';
import { useAsk } from '../../data/query.ts';
import { withSureness, withWords } from '../model/edit.ts';
import {
  comparedByEdits,
  comparisonRows,
  tallyOf,
  unchanged,
  type ComparisonEntry,
  type WorkbenchCue,
} from '../model/rows.ts';
import type { WorkbenchSettings } from '../model/settings.ts';
import type { MadePreview } from './use-preview.ts';
import type { Comparison, Inspection } from './types.ts';

const NO_CUES: readonly WorkbenchCue[] = [];
/** Returns the words of the draft that is the source. */
function useDraftWords(id: string, settings: WorkbenchSettings) {
  const draft = settings.source.kind === 'draft' ? settings.source.id : undefined;
  const { data } = useAsk('workbench', 'draft', { id }, { enabled: draft !== undefined });
  return data?.draftId === draft ? data?.words : undefined;
}

/** Compares a text edited here without the server, which only adds its warnings. */
function typed(
  source: Extract<WorkbenchSettings['source'], { kind: 'text' }>,
  current: readonly WorkbenchCue[],
  known: readonly WorkbenchCue[] | undefined,
): { proposed: WorkbenchCue[]; comparison: ComparisonEntry[] } {
  const same = known?.length === source.cues.length ? known : undefined;
  const proposed = source.cues.map(({ start, end, text, confidence, words }, index): WorkbenchCue => ({
    index,
    start,
    end,
    text,
    confidence,
    words,
    warnings: same?.[index]?.text === text ? same[index].warnings : [],
  }));
  const own = source.isPaired ? comparedByEdits(source.cues, proposed.length, current.length) : undefined;
  return {
    proposed,
    comparison: own ?? [
      ...current.map((_, at): ComparisonEntry => ({ kind: 'unpaired-current', current: [at] })),
      ...proposed.map((_, at): ComparisonEntry => ({ kind: 'unpaired-proposed', proposed: [at] })),
    ],
  };
}
export const isTyped = ({ source, timing, rules }: WorkbenchSettings): boolean =>
  source.kind === 'text' && timing.kind === 'none' && rules.length === 0;

export function useComparison({
  id,
  settings,
  inspected,
  made,
}: {
  id: string;
  settings: WorkbenchSettings;
  inspected: Inspection;
  made: MadePreview;
}): Comparison {
  const words = useDraftWords(id, made?.settings ?? settings);
  const direct = isTyped(settings) ? settings.source : undefined;
  return useMemo(() => {
    const current: readonly WorkbenchCue[] = inspected.current?.cues ?? NO_CUES;
    const shown = (comparison: readonly ComparisonEntry[], proposed: readonly WorkbenchCue[]): Comparison => {
      const rows = comparisonRows(comparison, current, proposed);
      return { current, proposed, rows, tally: tallyOf(rows) };
    };
    if (direct?.kind === 'text') {
      const { comparison, proposed } = typed(direct, current, made?.previewed.proposed.cues);
      return shown(comparison, proposed);
    }
    if (!made) return shown(unchanged(current), current);
    const { source } = made.settings;
    const { proposed: side, comparison } = made.previewed;
    const proposed = words
      ? withWords(side.cues, words)
      : source.kind === 'text'
        ? withSureness(side.cues, source.cues)
        : side.cues;
    const own =
      source.kind === 'text' && source.isPaired
        ? comparedByEdits(source.cues, proposed.length, current.length)
        : undefined;
    return shown(own ?? comparison, proposed);
  }, [direct, inspected, made, words]);
}
