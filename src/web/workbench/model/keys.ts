/**
 * The keyboard of the workbench: which key means what. Pure: a key and where the focus is go in, an action comes out.
 */
import type { KeyWords } from '../../kit/layers/key-map.tsx';
import { workbenchWords as m } from '../../messages/workbench.ts';

export type WorkbenchAction =
  | { do: 'row'; by: number }
  | { do: 'edge'; to: 'first' | 'last' }
  | {
      do:
        | 'toggle'
        | 'playLine'
        | 'edit'
        | 'anchor'
        | 'align'
        | 'apply'
        | 'undo'
        | 'redo'
        | 'search'
        | 'help'
        | 'follow'
        | 'right'
        | 'toLine'
        | 'setStart'
        | 'setEnd';
    }
  | { do: 'seek'; by: number }
  | { do: 'shift'; by: number }
  | { do: 'next'; of: 'changed' | 'warned' | 'unsure'; by: 1 | -1 }
  | { do: 'zoom'; by: number };

export interface WorkbenchKey {
  key: string;
  shiftKey?: boolean;
  ctrlKey?: boolean;
  altKey?: boolean;
  metaKey?: boolean;
}
export interface KeyContext {
  /** In a field where text is typed. */
  isTyping: boolean;
  /** On a button, link or switch: space and Enter press it. */
  isOnControl: boolean;
}

export const STEP_MS = 100;
const SMALL_MS = 50;
const LARGE_MS = 500;
const ZOOM = 1.6;

const PLAIN: Readonly<Record<string, WorkbenchAction>> = {
  j: { do: 'row', by: 1 },
  k: { do: 'row', by: -1 },
  Home: { do: 'edge', to: 'first' },
  End: { do: 'edge', to: 'last' },
  PageDown: { do: 'row', by: 10 },
  PageUp: { do: 'row', by: -10 },
  '[': { do: 'shift', by: -STEP_MS },
  ']': { do: 'shift', by: STEP_MS },
  '{': { do: 'shift', by: -LARGE_MS },
  '}': { do: 'shift', by: LARGE_MS },
  ',': { do: 'shift', by: -SMALL_MS },
  '.': { do: 'shift', by: SMALL_MS },
  a: { do: 'anchor' },
  s: { do: 'align' },
  e: { do: 'edit' },
  p: { do: 'playLine' },
  f: { do: 'follow' },
  r: { do: 'right' },
  i: { do: 'setStart' },
  o: { do: 'setEnd' },
  '/': { do: 'search' },
  '?': { do: 'help' },
  n: { do: 'next', of: 'changed', by: 1 },
  N: { do: 'next', of: 'changed', by: -1 },
  w: { do: 'next', of: 'warned', by: 1 },
  W: { do: 'next', of: 'warned', by: -1 },
  u: { do: 'next', of: 'unsure', by: 1 },
  U: { do: 'next', of: 'unsure', by: -1 },
  '+': { do: 'zoom', by: ZOOM },
  '=': { do: 'zoom', by: ZOOM },
  '-': { do: 'zoom', by: 1 / ZOOM },
  '0': { do: 'zoom', by: 0 },
  h: { do: 'seek', by: -1 },
  l: { do: 'seek', by: 1 },
  H: { do: 'seek', by: -5 },
  L: { do: 'seek', by: 5 },
};

/** Returns the action of a key; undefined leaves the key to the browser. */
export function workbenchAction(
  { key, shiftKey = false, ctrlKey = false, altKey = false, metaKey = false }: WorkbenchKey,
  { isTyping, isOnControl }: KeyContext,
): WorkbenchAction | undefined {
  const isCommand = ctrlKey || metaKey;
  if (altKey) return undefined;
  if (isCommand && key === 'Enter') return { do: 'apply' };
  if (isTyping) return key === 'Escape' ? { do: 'toLine' } : undefined;
  if (isCommand) {
    if (key.toLowerCase() === 'z') return { do: shiftKey ? 'redo' : 'undo' };
    return key.toLowerCase() === 'y' ? { do: 'redo' } : undefined;
  }
  if (key === ' ' || key === 'Enter') {
    if (isOnControl) return undefined;
    return { do: key === ' ' ? 'toggle' : 'edit' };
  }
  return PLAIN[key];
}

/** The map as the help shows it. */
export const workbenchKeys = (): KeyWords => [
  [['J', 'K'], m.nextOrPreviousLineAlso],
  [[m.pageDown, m.pageUp], m.tenLinesDownOrUp],
  [['Enter', 'E'], m.editTheLine],
  [[m.esc], m.backFromTheTextTo],
  [['I', 'O'], m.setTheStartOrEnd],
  [[m.spaceKey], m.playOrPause],
  [['P'], m.playLine],
  [['H', 'L'], m.backOrForward1Second],
  [['F'], m.followTheFilmInThe],
  [['[', ']'], m.shiftBy01S],
  [[',', '.'], m.shiftBy005S],
  [['{', '}'], m.shiftBy05S],
  [['A'], m.anchorTheSelectedLineAt],
  [['S'], m.alignToTheSpeechOn],
  [['N'], m.nextChangedLineWithShift],
  [['W'], m.nextLineWithAWarning],
  [['U'], m.nextUncertainLineOfA],
  [['R'], m.markTheUncertainWordsOf],
  [['/'], m.search],
  [['+', '−', '0'], m.zoomInOutOrTo],
  [[m.ctrlZ, m.ctrlShiftZ], m.undoOrRedo],
  [[m.ctrlEnter], m.apply],
  [['?'], m.showThisList],
];
