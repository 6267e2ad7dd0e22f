/**
 * The player of a clip inside of a page, with the machinery of the player but without its page. `app` provides it,
 * because pages do not import the player.
 */
import type { FunctionComponent } from 'preact';
import type { Item } from '../../../contract/catalog/items.ts';

/** `loading` until it has begun to play, also while the browser does not let it begin. */
export type ClipStatus = 'loading' | 'playing' | 'paused' | 'ended' | 'failed';

/** Actions on the clip for keys and buttons outside of its player. */
export interface ClipActions {
  play: () => void;
  pause: () => void;
  toggle: () => void;
  mute: () => void;
  /** A finger on the picture shows or hides the controls; a mouse plays or pauses. */
  tap: (isFinger: boolean) => void;
}

export interface ClipPlayerProps {
  item: Item;
  /** Element that the picture fills. */
  into: HTMLElement;
  /** Receives the actions while there is something to act on. */
  actions: { current: ClipActions | undefined };
  onStatus: (status: ClipStatus) => void;
  /** Neighbours for the buttons of headphones and lock screens. */
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
}
export type ClipPlayer = FunctionComponent<ClipPlayerProps>;

let load: (() => Promise<ClipPlayer>) | undefined;

export function provideClipPlayer(loader: () => Promise<ClipPlayer>): void {
  load = loader;
}

/** Loads the code of the player. Rejects if it cannot be loaded. */
export const loadClipPlayer = (): Promise<ClipPlayer> =>
  load ? load() : Promise.reject(new Error('no player of clips is provided'));
