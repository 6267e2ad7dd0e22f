/** Search as you type: over everything this Profile may see. Older questions are dropped when a newer one is asked. */
import { useEffect, useRef } from 'preact/hooks';
import search from 'lucide/dist/esm/icons/search.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useSearchText } from '../../lib/search-text.ts';
import { useTitle } from '../../lib/title.ts';
import { useAsk } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { IconButton } from '../../kit/forms/button.tsx';
import { ErrorState } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { isTelevision } from '../../lib/theme.ts';
import { AskForWords } from '../../parts/profiles/ask-for-title.tsx';
import { SearchResults } from './results.tsx';
import css from './search.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

/** Typing rests for this long before the server is asked. */
const REST_MS = 120;
const MAX_RESULTS = 100;

/** The question in the address, and a field that is ahead of it while someone types. */
function useQuestion(): [text: string, asked: string, setText: (text: string) => void] {
  const asked = (useQueryParams().get('q') ?? '').slice(0, 128);
  const toAddress = (q: string) => go(hrefOf({ page: 'search', query: { q } }), { replace: true });
  const [text, setText] = useSearchText(asked, toAddress, REST_MS);
  return [text, asked, setText];
}

/** Links shown before anything is asked. */
const Ways = () => {
  const { data } = useAsk('catalog', 'library', { limit: 1 });
  if (!data || data.facets.genres.length === 0) return null;
  return (
    <section aria-labelledby="genres">
      <h2 id="genres" className={css.heading}>
        {m.genres}
      </h2>
      <ul className={css.genres}>
        {data.facets.genres.slice(0, 24).map(({ value }) => (
          <li key={value}>
            <Link to={{ page: 'library', query: { genre: value } }} className={css.genre}>
              {value}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.search.label());
  const [text, asked, setText] = useQuestion();
  const field = useRef<HTMLInputElement>(null);
  const { data, error, refetch, isPlaceholderData } = useAsk(
    'catalog',
    'library',
    { q: asked, limit: MAX_RESULTS },
    { enabled: asked !== '', keep: true },
  );
  useEffect(() => {
    if (!isTelevision() && asked === '') field.current?.focus();
  }, []);
  return (
    <div className={css.page}>
      <h1 className="unseen">{DESTINATIONS.search.label()}</h1>
      <form className={css.box} role="search" onSubmit={(event) => event.preventDefault()}>
        <Icon of={search} size={1.5} className={css.glass ?? ''} />
        <label className="unseen" for="search-field">
          {m.searchFilmsShowsAndEpisodes}
        </label>
        <input
          ref={field}
          id="search-field"
          className={css.field}
          type="search"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          maxLength={128}
          placeholder={m.filmShowOrEpisode}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {text !== '' && (
          <IconButton
            icon={x}
            label={m.clear}
            onClick={() => {
              setText('');
              field.current?.focus();
            }}
          />
        )}
      </form>
      {asked === '' ? (
        <Ways />
      ) : data ? (
        <div className={cx(isPlaceholderData && css.before)}>
          <SearchResults library={data} asked={asked} />
          <AskForWords words={asked} />
        </div>
      ) : (
        error && <ErrorState title={m.theSearchFailed} error={error} retry={() => void refetch()} />
      )}
    </div>
  );
};
