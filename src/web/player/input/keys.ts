/**
 * The keyboard and the remote control: which key means what. As YouTube and Plex have it, so that hands need
 * not learn. Pure: a key and where the focus is go in, an action comes out.
 */
import type { KeyWords } from '../../kit/layers/key-map.tsx';
import { playerWords as m } from '../../messages/player.ts';

export type Action =
  | {
      do:
        | 'toggle'
        | 'play'
        | 'pause'
        | 'mute'
        | 'fullscreen'
        | 'captions'
        | 'pip'
        | 'next'
        | 'previous'
        | 'help'
        | 'leave'
        | 'back'
        | 'reveal'
        | 'chapters'
        | 'again'
        | 'second'
        | 'skip'
        | 'night'
        | 'stats'
        | 'quality'
        | 'audio';
    }
  | { do: 'seek'; by: number }
  | { do: 'jump'; to: number }
  | { do: 'volume' | 'speed' | 'offset' | 'delay' | 'chapter' | 'frame'; by: number };

export interface Key {
  key: string;
  keyCode?: number;
  shiftKey?: boolean;
  ctrlKey?: boolean;
  altKey?: boolean;
  metaKey?: boolean;
}
export interface Where {
  /** Whether the controls are on show. */
  isShown: boolean;
  /** Whether arrows move the focus among the controls, as with a remote control. */
  isRemote: boolean;
  /** Whether the focus is on a button or link: space and Enter press it. */
  isOnControl: boolean;
}

export const SKIP_BACK = 10;
export const SKIP_FORWARD = 30;
const ARROW = 10;
const LEAP = 30;

/** Keys of remote controls that come as a code: Tizen, webOS, HbbTV, Android. */
const CODES: Readonly<Record<number, Action>> = {
  461: { do: 'back' },
  10009: { do: 'back' },
  415: { do: 'play' },
  19: { do: 'pause' },
  413: { do: 'leave' },
  10252: { do: 'toggle' },
  412: { do: 'seek', by: -LEAP },
  417: { do: 'seek', by: LEAP },
  403: { do: 'captions' },
  404: { do: 'audio' },
  405: { do: 'chapters' },
  406: { do: 'quality' },
  457: { do: 'stats' },
  424: { do: 'previous' },
  425: { do: 'next' },
};
const NAMED: Readonly<Record<string, Action>> = {
  MediaPlayPause: { do: 'toggle' },
  MediaPlay: { do: 'play' },
  MediaPause: { do: 'pause' },
  MediaStop: { do: 'leave' },
  MediaTrackNext: { do: 'next' },
  MediaTrackPrevious: { do: 'previous' },
  MediaFastForward: { do: 'seek', by: LEAP },
  MediaRewind: { do: 'seek', by: -LEAP },
  GoBack: { do: 'back' },
  BrowserBack: { do: 'back' },
  XF86Back: { do: 'back' },
  Escape: { do: 'back' },
  Subtitle: { do: 'captions' },
  ClosedCaptionToggle: { do: 'captions' },
  ChannelUp: { do: 'chapter', by: 1 },
  ChannelDown: { do: 'chapter', by: -1 },
  PageDown: { do: 'chapter', by: 1 },
  PageUp: { do: 'chapter', by: -1 },
  Home: { do: 'jump', to: 0 },
  End: { do: 'jump', to: 1 },
  '?': { do: 'help' },
  ',': { do: 'frame', by: -1 },
  '.': { do: 'frame', by: 1 },
  ColorF0Red: { do: 'captions' },
  ColorF1Green: { do: 'audio' },
  ColorF2Yellow: { do: 'chapters' },
  ColorF3Blue: { do: 'quality' },
  Info: { do: 'stats' },
  '<': { do: 'speed', by: -1 },
  '>': { do: 'speed', by: 1 },
};
const LETTERS: Readonly<Record<string, Action>> = {
  k: { do: 'toggle' },
  j: { do: 'seek', by: -SKIP_BACK },
  l: { do: 'seek', by: SKIP_BACK },
  m: { do: 'mute' },
  f: { do: 'fullscreen' },
  c: { do: 'captions' },
  p: { do: 'pip' },
  h: { do: 'chapters' },
  s: { do: 'skip' },
  r: { do: 'again' },
  v: { do: 'second' },
  a: { do: 'audio' },
  q: { do: 'quality' },
  n: { do: 'night' },
  i: { do: 'stats' },
  z: { do: 'offset', by: -0.1 },
  x: { do: 'offset', by: 0.1 },
};
const SHIFTED: Readonly<Record<string, Action>> = {
  n: { do: 'next' },
  p: { do: 'previous' },
  z: { do: 'delay', by: -0.05 },
  x: { do: 'delay', by: 0.05 },
  arrowleft: { do: 'seek', by: -LEAP },
  arrowright: { do: 'seek', by: LEAP },
};
const ARROWS: Readonly<Record<string, Action>> = {
  ArrowLeft: { do: 'seek', by: -ARROW },
  ArrowRight: { do: 'seek', by: ARROW },
  ArrowUp: { do: 'volume', by: 0.05 },
  ArrowDown: { do: 'volume', by: -0.05 },
};

function arrowOf(key: string, { isRemote, isShown }: Where): Action | undefined {
  if (!isRemote) return ARROWS[key];
  // With a remote the arrows first bring the controls, then move among them.
  if (isShown) return undefined;
  return key === 'ArrowLeft' || key === 'ArrowRight' ? ARROWS[key] : { do: 'reveal' };
}

/** Returns the action of a key; undefined leaves the key to the browser. */
export function actionOf(event: Key, where: Where): Action | undefined {
  const { key, keyCode = 0, shiftKey = false } = event;
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const coded = CODES[keyCode];
  if (coded && key.length > 1) return coded;
  if (shiftKey) {
    const shifted = SHIFTED[key.toLowerCase()];
    if (shifted) return shifted;
  }
  if (key.startsWith('Arrow')) return arrowOf(key, where);
  if (key === ' ' || key === 'Enter') {
    if (where.isOnControl) return undefined;
    return { do: 'toggle' };
  }
  if (/^[0-9]$/.test(key)) return { do: 'jump', to: Number(key) / 10 };
  return NAMED[key] ?? (shiftKey ? undefined : LETTERS[key.toLowerCase()]);
}

/** The map as the help shows it. */
export const keyHelp = (): KeyWords => [
  [['Space', 'K'], m.playOrPause],
  [['J', 'L'], m.backOrForward10Seconds],
  [['←', '→'], m.backOrForward10SecondsWith],
  [['0–9'], m.jumpToATenthOf],
  [['Home', 'End'], m.beginningOrEnd],
  [[m.pageUp, m.pageDown], m.previousOrNextChapter],
  [['↑', '↓'], m.louderOrQuieter],
  [['M'], m.muteOrUnmute],
  [['C'], m.subtitlesOffOrOn],
  [['Z', 'X'], m.subtitlesEarlierOrLaterBy],
  [[m.shiftZ, m.shiftX], m.audioEarlierOrLaterBy],
  [['R'], m.repeatTheSubtitleLine],
  [['V'], m.secondSubtitleOffOrOn],
  [['A'], m.nextAudioTrack],
  [['S'], m.skipTheIntroRecapOr],
  [['N'], m.nightMode],
  [['<', '>'], m.slowerOrFaster],
  [[',', '.'], m.oneFrameBackOrForward],
  [['Q'], m.qualityAndDetails],
  [['I'], m.playbackStatistics],
  [['H'], m.chapters],
  [[m.shiftN, m.shiftP], m.nextOrPreviousEpisode],
  [['F'], m.fullScreen],
  [['P'], m.pictureInPicture],
  [['?'], m.thisList],
  [[m.esc], m.closeWhatIsOpenLeave],
];
