/** Dialogs of the reader: contents, search in the book, and how it is shown. */
import larger from 'lucide/dist/esm/icons/a-arrow-up.mjs';
import smaller from 'lucide/dist/esm/icons/a-arrow-down.mjs';
import { useState } from 'preact/hooks';
import { useAsk } from '../../data/query.ts';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { Field, Segments } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { useStore } from '../../lib/store.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { changePreferences, PAGE_FITS, preferences, stepSize, THEMES } from './preferences.ts';
import type { OpenBook, ReaderTarget } from './types.ts';
import css from './reader.module.css';

interface PanelProps {
  onClose: () => void;
  onTarget: (target: ReaderTarget) => void;
}

export const Contents = ({ book, part, onClose, onTarget }: PanelProps & { book: OpenBook; part: number }) => {
  const current = book.contents.findLastIndex((line) => line.part <= part);
  return (
    <Dialog title={m.contents} onClose={onClose}>
      {book.contents.length === 0 && <p>{m.noContents}</p>}
      <ol className={css.contents}>
        {book.contents.map(({ title, part: to, fragment, depth }, at) => (
          <li key={at}>
            <button
              type="button"
              aria-current={at === current ? 'true' : undefined}
              style={{ paddingInlineStart: `${0.75 + depth * 1.25}rem` }}
              onClick={() => {
                onTarget({ part: to, offset: 0, ...(fragment !== undefined && { fragment }) });
                onClose();
              }}
            >
              {title}
            </button>
          </li>
        ))}
      </ol>
    </Dialog>
  );
};

const MIN_SEARCH_LENGTH = 2;
/** Matches that are asked for. */
const MAX_MATCHES = 100;
const saysOf = (count: number): string =>
  count === 0 ? m.nothingFound : count < MAX_MATCHES ? m.matches({ count }) : m.firstMatches({ count });

export const Search = ({ id, onClose, onTarget }: PanelProps & { id: string }) => {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const { data, isFetching } = useAsk(
    'reader',
    'search',
    { id, q: asked, limit: MAX_MATCHES },
    { enabled: asked.length >= MIN_SEARCH_LENGTH },
  );
  return (
    <Dialog title={m.search} onClose={onClose}>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text.trim());
        }}
      >
        <Field
          label={m.searchFor}
          type="search"
          value={text}
          onValue={setText}
          minLength={MIN_SEARCH_LENGTH}
          maxLength={128}
        />
        <Button type="submit" look="primary">
          {m.search}
        </Button>
      </form>
      <p role="status" className="muted">
        {isFetching ? m.searching : data ? saysOf(data.total) : ''}
      </p>
      <ol className={css.contents}>
        {data?.items.map(({ part, number, offset, before, match, after }) => (
          <li key={`${part} ${number}`}>
            <button
              type="button"
              onClick={() => {
                onTarget({ part, offset, match: { text: asked, number } });
                onClose();
              }}
            >
              {before}
              <mark>{match}</mark>
              {after}
            </button>
          </li>
        ))}
      </ol>
    </Dialog>
  );
};

export const ReaderSettings = ({
  kind,
  isRightToLeft,
  onDirection,
  onClose,
}: {
  kind: OpenBook['kind'];
  isRightToLeft: boolean;
  onDirection: (isRightToLeft: boolean) => void;
  onClose: () => void;
}) => {
  const { theme, size, isScrolled, isDouble, fit } = useStore(preferences);
  return (
    <Dialog title={m.settings} onClose={onClose}>
      <div className={css.settings}>
        {kind !== 'comic' && (
          <Segments
            label={m.theme}
            value={theme}
            choices={THEMES.map((value) => ({ value, label: m.themes[value] }))}
            onValue={(value) => changePreferences({ theme: value })}
          />
        )}
        {kind === 'epub' && (
          <>
            <div className={css.sizes} role="group" aria-label={m.typeSize}>
              <span>{m.typeSize}</span>
              <IconButton
                icon={smaller}
                label={m.smaller}
                onClick={() => changePreferences({ size: stepSize(size, -1) })}
              />
              <output>{`${size}%`}</output>
              <IconButton
                icon={larger}
                label={m.larger}
                onClick={() => changePreferences({ size: stepSize(size, 1) })}
              />
            </div>
          </>
        )}
        <Segments
          label={m.layout}
          value={isScrolled ? 'scrolled' : 'paged'}
          choices={[
            { value: 'paged', label: m.paged },
            { value: 'scrolled', label: m.scrolled },
          ]}
          onValue={(value) => changePreferences({ isScrolled: value === 'scrolled' })}
        />
        {kind !== 'epub' && !isScrolled && (
          <Segments
            label={m.fit}
            value={fit}
            choices={PAGE_FITS.map((value) => ({ value, label: m.fits[value] }))}
            onValue={(value) => changePreferences({ fit: value })}
          />
        )}
        {kind !== 'epub' && (
          <>
            <Segments
              label={m.pagesShown}
              value={isDouble ? 'double' : 'single'}
              choices={[
                { value: 'single', label: m.single },
                { value: 'double', label: m.double },
              ]}
              onValue={(value) => changePreferences({ isDouble: value === 'double' })}
            />
            <Segments
              label={m.direction}
              value={isRightToLeft ? 'rtl' : 'ltr'}
              choices={[
                { value: 'ltr', label: m.leftToRight },
                { value: 'rtl', label: m.rightToLeft },
              ]}
              onValue={(value) => onDirection(value === 'rtl')}
            />
          </>
        )}
      </div>
    </Dialog>
  );
};
