/**
 * The state of the workbench: what is installed, what a person has set, and what the server would make of it.
 *
 * A preview is asked for a moment after the last change, and dropped when it is overtaken. When the installed
 * file has changed meanwhile it is read again and the settings stay.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { announce } from '../lib/announce.ts';
import { call, CallFailed, sentence } from '../data/client.ts';
import { queries, useAsk, type Reply } from '../data/query.ts';
import { many } from '../lib/format.ts';
import { withSureness, withWords } from './work/edit.ts';
import {
  comparedByEdits,
  rowsOf,
  tallyOf,
  unchanged,
  type Compared,
  type Cue,
  type Row,
  type Tally,
} from './work/rows.ts';
import { changeOf, FRESH, isUntouched, MOST_DATA, type Change, type Settings } from './work/settings.ts';

export type Inspected = Reply<'workbench', 'inspect'>;
export type Previewed = Reply<'workbench', 'preview'>;
const REST_MS = 250;
const MOST_UNDO = 200;
const CHANGED_MEANWHILE =
  'The installed subtitle was changed meanwhile. It was read again, and your settings are as they were.';

export interface Steps {
  settings: Settings;
  /** What is set one after the other with the same `joins` is one step. */
  set: (next: Settings | ((now: Settings) => Settings), joins?: string) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  /** Forgets the steps and begins with these. */
  begin: (settings: Settings) => void;
}
/** Settings that can be taken back step by step. */
export function useSteps(first: Settings): Steps {
  const [{ past, now, future }, put] = useState<{
    past: readonly Settings[];
    now: Settings;
    future: readonly Settings[];
    joins?: string;
  }>({ past: [], now: first, future: [] });
  return {
    settings: now,
    set: (next, joins) =>
      put((steps) => {
        const value = typeof next === 'function' ? next(steps.now) : next;
        if (value === steps.now) return steps;
        const isJoined = joins !== undefined && joins === steps.joins;
        return {
          past: isJoined ? steps.past : [...steps.past.slice(-MOST_UNDO), steps.now],
          now: value,
          future: [],
          ...(joins !== undefined && { joins }),
        };
      }),
    undo: () =>
      put((steps) =>
        steps.past.length === 0
          ? steps
          : {
              past: steps.past.slice(0, -1),
              now: steps.past[steps.past.length - 1] ?? FRESH,
              future: [steps.now, ...steps.future],
            },
      ),
    redo: () =>
      put((steps) =>
        steps.future[0] === undefined
          ? steps
          : { past: [...steps.past, steps.now], now: steps.future[0], future: steps.future.slice(1) },
      ),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    begin: (settings) => put({ past: [], now: settings, future: [] }),
  };
}

interface Answer {
  key: string;
  /** With the settings that it was made of. */
  made?: { previewed: Previewed; settings: Settings };
  error?: string;
}
/** What the server would make of a change. `answer` may be that of an earlier one while the newest is on its way. */
function usePreview(
  id: string,
  {
    settings,
    change,
    inspected,
    onStale,
  }: { settings: Settings; change: Change | undefined; inspected: Inspected; onStale: () => Promise<boolean> },
): { answer: Answer | undefined; isWaiting: boolean; again: () => void } {
  const [answer, setAnswer] = useState<Answer>();
  const [attempt, setAttempt] = useState(0);
  const body = useMemo(
    () => change && { ...change, fingerprint: inspected.fingerprint },
    [change, inspected.fingerprint],
  );
  // It may hold a whole subtitle, so it is not written out at every drawing.
  const key = useMemo(() => JSON.stringify(body ?? null), [body]);
  useEffect(() => {
    if (!body) return setAnswer(undefined);
    if (answer?.key === key && answer.made && answer.error === undefined) return;
    if ((body.text ?? body.data ?? '').length > MOST_DATA)
      return setAnswer({
        key,
        error:
          'The lines as they are edited here are over one million characters, more than can be sent. Take the edit back; timing and clean-up work on a subtitle of any length.',
      });
    const ending = new AbortController();
    const ask = async () => {
      try {
        setAnswer({ key, made: { previewed: await call.workbench.preview({ id, ...body }, ending.signal), settings } });
      } catch (error) {
        if (ending.signal.aborted) return;
        // A change of what is installed comes back here with another fingerprint.
        if (error instanceof CallFailed && error.status === 409 && (await onStale())) return;
        setAnswer((before) => ({ key, error: sentence(error), ...(before?.made && { made: before.made }) }));
      }
    };
    const timer = setTimeout(() => void ask(), REST_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [key, attempt]);
  const again = () => {
    setAnswer((before) => before?.made && { key: '', made: before.made });
    setAttempt((n) => n + 1);
  };
  return { answer, isWaiting: body !== undefined && answer?.key !== key, again };
}

export interface Work extends Steps {
  id: string;
  language: string;
  inspected: Inspected;
  /** Undefined while nothing is changed, or before the first answer. */
  previewed: Previewed | undefined;
  rows: readonly Row[];
  /** The proposed cues in order, or the installed ones while nothing is changed. */
  proposed: readonly Cue[];
  current: readonly Cue[];
  tally: Tally;
  isWaiting: boolean;
  isDirty: boolean;
  /** False while the lines on show are not those of the settings yet. */
  canEdit: boolean;
  error: string | undefined;
  /** Asks for the preview once more. */
  again: () => void;
  /** Why applying would be refused. */
  blocked: string | undefined;
  notice: string | undefined;
  dismiss: () => void;
  /** Goes on from what an act of ours left installed. */
  adopt: (next: Inspected, settings: Settings) => void;
  /** Reads what is installed anew; true when it is another than before. */
  reread: () => Promise<boolean>;
}

const NO_CUES: readonly Cue[] = [];
/** The words of the draft that is the source now. */
function useDraftWords(id: string, settings: Settings) {
  const draft = settings.source.kind === 'draft' ? settings.source.id : undefined;
  const { data } = useAsk('workbench', 'draft', { id }, { enabled: draft !== undefined });
  return data?.draftId === draft ? data?.words : undefined;
}

interface Shown {
  rows: readonly Row[];
  proposed: readonly Cue[];
  current: readonly Cue[];
  tally: Tally;
}
/** A text that nothing else is done to is known without asking; only what is noticed about it comes from the server. */
function typed(
  source: Extract<Settings['source'], { kind: 'text' }>,
  current: readonly Cue[],
  known: readonly Cue[] | undefined,
): { proposed: Cue[]; comparison: Compared[] } {
  const same = known?.length === source.cues.length ? known : undefined;
  const proposed = source.cues.map(({ start, end, text, confidence, words }, index): Cue => ({
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
      ...current.map((_, at): Compared => ({ kind: 'unpaired-current', current: [at] })),
      ...proposed.map((_, at): Compared => ({ kind: 'unpaired-proposed', proposed: [at] })),
    ],
  };
}
const isTyped = ({ source, timing, rules }: Settings): boolean =>
  source.kind === 'text' && timing.kind === 'none' && rules.length === 0;

function useRows({
  id,
  settings,
  inspected,
  made,
}: {
  id: string;
  settings: Settings;
  inspected: Inspected;
  made: Answer['made'];
}): Shown {
  const words = useDraftWords(id, made?.settings ?? settings);
  const direct = isTyped(settings) ? settings.source : undefined;
  return useMemo(() => {
    const current: readonly Cue[] = inspected.current?.cues ?? NO_CUES;
    const shown = (comparison: readonly Compared[], proposed: readonly Cue[]): Shown => {
      const rows = rowsOf(comparison, current, proposed);
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

const REFUSED =
  'The evidence for aligning is too weak, so nothing was moved. Switch aligning off to apply the rest, or set anchors by hand.';
/** No fault: it is said with the numbers. */
export const NO_CHANGE = 'This would change nothing.';
function blockedBy(made: Answer['made']): string | undefined {
  if (!made) return undefined;
  const { previewed, settings } = made;
  if (settings.timing.kind === 'auto' && previewed.alignment?.outcome === 'refused') return REFUSED;
  return previewed.changes ? undefined : NO_CHANGE;
}

export function useWork({
  id,
  language,
  inspected,
  first,
}: {
  id: string;
  language: string;
  inspected: Inspected;
  first: Settings;
}): Work {
  const steps = useSteps(first);
  const { settings } = steps;
  const [notice, setNotice] = useState<string>();
  const isDirty = !isUntouched(settings);
  const change = useMemo(() => (isDirty ? changeOf(settings, language) : undefined), [settings, language]);
  const known = useRef(inspected.fingerprint);
  const key = ['workbench', 'inspect', { id, language }];
  const adopt = (next: Inspected, after: Settings) => {
    known.current = next.fingerprint;
    queries.setQueryData(key, next);
    steps.begin(after);
  };
  const reread = async () => {
    const next = await call.workbench.inspect({ id, language });
    queries.setQueryData(key, next);
    return next.fingerprint !== inspected.fingerprint;
  };
  useEffect(() => {
    if (known.current === inspected.fingerprint) return;
    known.current = inspected.fingerprint;
    if (!isDirty) return;
    setNotice(CHANGED_MEANWHILE);
    // Which installed cue an edited line came from is not known any more.
    if (settings.source.kind === 'text') steps.set({ ...settings, source: { ...settings.source, isPaired: false } });
  }, [inspected.fingerprint]);
  const { answer, isWaiting, again } = usePreview(id, {
    settings,
    change,
    inspected,
    onStale: () => reread().catch(() => false),
  });
  const made = isDirty ? answer?.made : undefined;
  const previewed = made?.previewed;
  const shown = useRows({ id, settings, inspected, made });
  useEffect(() => {
    if (previewed && !isWaiting)
      announce(
        `Preview: ${many(shown.tally.changed, 'line')} changed${shown.tally.warned > 0 ? `, ${shown.tally.warned} with warnings` : ''}`,
      );
  }, [previewed, isWaiting]);
  const error = isDirty && !isWaiting ? answer?.error : undefined;
  return {
    ...steps,
    ...shown,
    id,
    language,
    inspected,
    previewed,
    isWaiting,
    isDirty,
    canEdit: !isWaiting || isTyped(settings),
    error,
    again,
    blocked: error ?? (isWaiting ? undefined : blockedBy(made)),
    notice,
    dismiss: () => setNotice(undefined),
    adopt,
    reread,
  };
}
