/** The text of an EPUB: one part at a time in a frame in which nothing runs. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useStore } from '../../lib/store.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { partHref } from './addresses.ts';
import { bindSwipes, onReaderClick, onReaderKey, type Turning } from './input.ts';
import { preferences } from './preferences.ts';
import { createTextFrame, type TextFrame } from './text-frame.ts';
import { groundOf } from './text-layout.ts';
import type { OpenBook, ReaderTarget } from './types.ts';
import css from './reader.module.css';

export interface TextViewProps {
  id: string;
  book: OpenBook;
  target: ReaderTarget;
  /** `hasMoved` is false if the text was only laid out again. */
  onPlace(place: { part: number; offset: number }, hasMoved: boolean): void;
  onTarget(target: ReaderTarget): void;
  /** The keys and clicks of the page around, which the frame has too. */
  turning: Omit<Turning, keyof TextFrame['turns']>;
  /** Whether a dialog is over the text. */
  isCovered: boolean;
  /** Called with how to turn pages. */
  onTurning(turning: Turning): void;
}

/** Binds keys, clicks and fingers to the document of a part. Returns what unbinds them. */
function bindPart(doc: Document, text: TextFrame, turning: () => Turning): () => void {
  const onKey = (event: KeyboardEvent) => onReaderKey(event, turning());
  const onClick = (event: MouseEvent) => {
    if (text.follow(event) || doc.getSelection()?.isCollapsed === false) return;
    onReaderClick(event.clientX, doc.documentElement.clientWidth, turning());
  };
  doc.addEventListener('keydown', onKey);
  doc.addEventListener('click', onClick);
  doc.addEventListener('scroll', text.place, { passive: true });
  const unbindSwipes = bindSwipes(doc, turning);
  return () => {
    doc.removeEventListener('keydown', onKey);
    doc.removeEventListener('click', onClick);
    doc.removeEventListener('scroll', text.place);
    unbindSwipes();
  };
}

export const TextView = (props: TextViewProps) => {
  const { id, book, target, onPlace, onTarget, turning: around, onTurning, isCovered } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const chosen = useStore(preferences);
  const callbacks = useRef({ onPlace, onTarget });
  callbacks.current = { onPlace, onTarget };
  const text = useMemo(
    () =>
      createTextFrame({
        id,
        parts: book.parts,
        frame: () => frame.current,
        onPlace: (...place) => callbacks.current.onPlace(...place),
        onTarget: (to) => callbacks.current.onTarget(to),
      }),
    [id, book.parts],
  );
  const turning: Turning = { ...around, ...text.turns };
  const latest = useRef(turning);
  latest.current = turning;
  onTurning(turning);
  const unbind = useRef<(() => void) | undefined>(undefined);
  const onLoad = () => {
    const doc = text.loaded(target);
    if (!doc) return;
    unbind.current?.();
    unbind.current = bindPart(doc, text, () => latest.current);
    setReady(true);
  };
  // Another part takes the place of the one before: with `src`, each would be a step of the browser's history.
  const asked = useRef({ part: target.part, src: partHref(id, target.part, book.version) });
  useEffect(() => {
    if (isReady ? text.go(target) : asked.current.part === target.part) return;
    setReady(false);
    asked.current.part = target.part;
    frame.current?.contentWindow?.location.replace(partHref(id, target.part, book.version));
  }, [target]);
  useEffect(() => {
    if (isReady) text.layOutAgain();
  }, [chosen]);
  useEffect(() => {
    if (isReady && !isCovered) text.uncovered();
  }, [isCovered]);
  useEffect(() => {
    addEventListener('resize', text.layOutAgain);
    return () => {
      removeEventListener('resize', text.layOutAgain);
      unbind.current?.();
    };
  }, [text]);
  return (
    <iframe
      ref={frame}
      className={css.frame}
      style={{ background: groundOf(chosen), opacity: isReady ? 1 : 0 }}
      title={m.text}
      sandbox="allow-same-origin"
      src={asked.current.src}
      onLoad={onLoad}
    />
  );
};
