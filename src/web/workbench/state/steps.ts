/** The settings of the workbench with undo and redo. */
import { useReducer } from 'preact/hooks';
import { FRESH, type WorkbenchSettings } from '../model/settings.ts';

const MAX_STEPS = 200;

export interface SettingsHistory {
  past: readonly WorkbenchSettings[];
  now: WorkbenchSettings;
  future: readonly WorkbenchSettings[];
  /** Group of the last change; the next change of the same group joins its step. */
  group?: string;
}
export type HistoryChange =
  | {
      type: 'set';
      next: WorkbenchSettings | ((now: WorkbenchSettings) => WorkbenchSettings);
      group?: string | undefined;
    }
  | { type: 'undo' }
  | { type: 'redo' }
  /** Discards all steps. */
  | { type: 'restart'; settings: WorkbenchSettings };

export const startHistory = (settings: WorkbenchSettings): SettingsHistory => ({ past: [], now: settings, future: [] });

export function historyReducer(history: SettingsHistory, change: HistoryChange): SettingsHistory {
  const { past, now, future } = history;
  switch (change.type) {
    case 'set': {
      const { next, group } = change;
      const value = typeof next === 'function' ? next(now) : next;
      if (value === now) return history;
      const isJoined = group !== undefined && group === history.group;
      return {
        past: isJoined ? past : [...past.slice(-MAX_STEPS), now],
        now: value,
        future: [],
        ...(group !== undefined && { group }),
      };
    }
    case 'undo':
      return past.length === 0
        ? history
        : { past: past.slice(0, -1), now: past[past.length - 1] ?? FRESH, future: [now, ...future] };
    case 'redo': {
      const [next, ...rest] = future;
      return next === undefined ? history : { past: [...past, now], now: next, future: rest };
    }
    case 'restart':
      return startHistory(change.settings);
  }
}

export interface Steps {
  settings: WorkbenchSettings;
  /** Changes of the same group in a row are undone as one step. */
  set: (next: WorkbenchSettings | ((now: WorkbenchSettings) => WorkbenchSettings), group?: string) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  /** Discards all steps and starts with these settings. */
  restart: (settings: WorkbenchSettings) => void;
}

export function useSteps(first: WorkbenchSettings): Steps {
  const [{ past, now, future }, change] = useReducer(historyReducer, first, startHistory);
  return {
    settings: now,
    set: (next, group) => change({ type: 'set', next, group }),
    undo: () => change({ type: 'undo' }),
    redo: () => change({ type: 'redo' }),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    restart: (settings) => change({ type: 'restart', settings }),
  };
}
