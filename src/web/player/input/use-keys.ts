/** Keys and remote controls, heard before anything else on the page, and only where nothing else wants them. */
import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Player } from '../engine/actions.ts';
import { actionOf, type Action } from './keys.ts';
import type { Subtitle } from '../engine/subtitle.ts';
import { playerWords as m } from '../../messages/player.ts';

export interface KeyNeeds {
  stage: RefObject<HTMLElement | null>;
  isShown: boolean;
  isRemote: boolean;
  /** A dialog is open: its keys are its own. */
  isCovered: boolean;
  poke: () => void;
  player: Player;
  subtitle: Subtitle;
  full: { toggle: () => void; leave: () => boolean };
  picture: { canPip: boolean; toggle: () => void };
  /** Closes the panel that is open; returns whether one was. */
  closePanel: () => boolean;
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  leave: () => void;
  skip: () => void;
  night: () => void;
  nextSound: () => void;
  delay: (by: number) => void;
  stats: () => void;
  onChapters: () => void;
  onQuality: () => void;
  onHelp: () => void;
  say: (what: string) => void;
}

function act(action: Action, needs: KeyNeeds): void {
  const { player, subtitle, full, picture, next, previous, say } = needs;
  switch (action.do) {
    case 'toggle':
    case 'play':
    case 'pause':
    case 'mute':
      return player[action.do]();
    case 'seek':
      return player.seekBy(action.by);
    case 'jump':
      return player.jump(action.to);
    case 'volume':
      return player.volumeBy(action.by);
    case 'speed':
      return player.rateBy(action.by);
    case 'chapter':
      return player.chapterBy(action.by);
    case 'offset':
      return subtitle.chosen ? subtitle.setOffset(subtitle.offset + action.by) : say(m.noSubtitleIsOn);
    case 'captions':
      return subtitle.toggle();
    case 'fullscreen':
      return full.toggle();
    case 'pip':
      return picture.canPip ? picture.toggle() : say(m.thisBrowserHasNoPicture);
    case 'next':
      return next ? next() : say(m.thereIsNoNextEpisode);
    case 'previous':
      return previous ? previous() : say(m.thereIsNoPreviousEpisode);
    case 'delay':
      return needs.delay(action.by);
    case 'frame':
      return player.frame(action.by);
    case 'again':
      return again(needs);
    case 'second':
      return second(needs);
    case 'skip':
      return needs.skip();
    case 'night':
      return needs.night();
    case 'audio':
      return needs.nextSound();
    case 'stats':
      return needs.stats();
    case 'quality':
      return needs.onQuality();
    case 'chapters':
      return needs.onChapters();
    case 'help':
      return needs.onHelp();
    case 'leave':
      return needs.leave();
    case 'back':
      // A panel that has lost the focus, or does not have it yet, is still what the key means.
      return needs.closePanel() || full.leave() ? undefined : needs.leave();
    case 'reveal':
      return reveal(needs);
  }
}
function again({ subtitle, player, say }: KeyNeeds): void {
  const start = subtitle.lines.current?.start();
  if (start === undefined) return say(subtitle.chosen ? m.thereIsNoLineTo : m.noSubtitleIsOn);
  player.replay(start);
  return say(m.repeatingTheLine);
}
function second({ subtitle, say }: KeyNeeds): void {
  if (subtitle.second) {
    subtitle.chooseSecond(undefined);
    return say(m.secondSubtitleOff);
  }
  const other = subtitle.aboves[0];
  if (!subtitle.chosen || !other) return say(m.thereIsNoSecondSubtitle);
  subtitle.chooseSecond(other);
  return say(m.secondSubtitleOn);
}
/** With a remote: the controls come with the focus where it was, at first on the one that plays and pauses. */
function reveal({ poke, stage }: KeyNeeds): void {
  poke();
  const active = document.activeElement;
  if (active?.matches('button, input, [tabindex="0"]') && stage.current?.contains(active)) return;
  stage.current?.querySelector<HTMLElement>('[aria-label="Pause"], [aria-label="Play"]')?.focus();
}

/** Keys that move a slider. Back and the other keys of a remote control mean the same there as everywhere. */
const ofSlider = /^(?:Arrow(?:Left|Right|Up|Down)|Home|End|Page(?:Up|Down))$/;

export function useKeys(needs: KeyNeeds): void {
  const now = useRef(needs);
  now.current = needs;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { isShown, isRemote, isCovered, stage, poke } = now.current;
      const target = event.target as Element;
      if (isCovered || event.defaultPrevented || target.closest('[data-keys="own"], dialog, [role="menu"]')) return;
      if (ofSlider.test(event.key) && target.closest('[data-keys="slider"]')) return;
      const isInside = stage.current?.contains(target) ?? false;
      if (!isInside && target !== document.body && target.tagName !== 'MAIN') return;
      const action = actionOf(event, { isShown, isRemote, isOnControl: target.closest('button, a[href]') !== null });
      if (isShown || action?.do !== 'seek') poke();
      // The bar moves by itself when it has the focus and the arrows are not ours.
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      act(action, now.current);
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, []);
}
