/** How a choice in the row above a library changes the address, and with it what is on show. */
import { go } from '../../lib/navigation/navigate.ts';
import { DOWN, FILTERS, type Filter, type Sort } from './listing.ts';

let focusTarget: Filter | 'first' | undefined;
/**
 * Returns which filter has the focus once the choice is on show, because its button was replaced: the one that was
 * changed, or the first after all were taken away.
 */
export const focusAfterChoice = (): Filter | 'first' | undefined => focusTarget;
export const endFocusAfterChoice = (): void => {
  focusTarget = undefined;
};

const change = (how: (params: URLSearchParams) => void) => {
  const params = new URLSearchParams(location.search);
  how(params);
  const text = params.toString();
  window.scrollTo(0, 0);
  go(text ? `${location.pathname}?${text}` : location.pathname, { replace: true });
};
/** Chooses a value for a filter; undefined takes it away. */
export const chooseFilter = (name: Filter, value: string | undefined): void => {
  focusTarget = name;
  change((params) => (value === undefined ? params.delete(name) : params.set(name, value)));
};
export const clear = (): void => {
  focusTarget = 'first';
  change((params) => {
    for (const name of FILTERS) params.delete(name);
  });
};
export const sortBy = (sort: Sort): void =>
  change((params) => {
    params.set('sort', sort);
    if (DOWN.includes(sort)) params.set('order', 'descending');
    else params.delete('order');
    if (sort === 'random') params.set('seed', String(1 + Math.floor(Math.random() * 2_000_000_000)));
    else params.delete('seed');
  });
export const turnAround = (): void =>
  change((params) =>
    params.get('order') === 'descending' ? params.set('order', 'ascending') : params.set('order', 'descending'),
  );
