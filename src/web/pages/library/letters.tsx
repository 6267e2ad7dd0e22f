/** The letters down the edge of a library: press one, or draw along them, to go there. */
import { useRef } from 'preact/hooks';
import css from './library.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export interface LettersProps {
  letters: readonly { letter: string; offset: number }[];
  current: string | undefined;
  onLetter: (offset: number) => void;
}

export const Letters = ({ letters, current, onLetter }: LettersProps) => {
  const last = useRef<string | undefined>(undefined);
  const draw = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-letter]')
      ?.dataset['letter'];
    if (under === undefined || under === last.current) return;
    last.current = under;
    const found = letters.find(({ letter }) => letter === under);
    if (found) onLetter(found.offset);
  };
  return (
    <nav
      className={css.letters}
      aria-label={m.letters}
      onPointerMove={draw}
      onPointerUp={() => (last.current = undefined)}
    >
      {letters.map(({ letter, offset }) => (
        <button
          key={letter}
          type="button"
          data-letter={letter}
          className={css.letter}
          aria-current={letter === current ? 'true' : undefined}
          aria-label={letter === '#' ? m.numbersAndSymbols : m.letter({ letter: letter.toUpperCase() })}
          onClick={() => onLetter(offset)}
        >
          {letter.toUpperCase()}
        </button>
      ))}
    </nav>
  );
};
