/** Countries of age ratings: that of the household, else that of the browser as a proposal. */
import { useAsk } from '../../../data/query.ts';

/** The country that the language of the browser names, in lower case; undefined if it names none. */
function browserCountry(): string | undefined {
  try {
    return new Intl.Locale(navigator.language).maximize().region?.toLowerCase();
  } catch {
    return undefined;
  }
}

/** Returns the certifications of the household's country; while none is set, those of the browser's country. */
export function useRatingAges() {
  const { data: own } = useAsk('ratings', 'list', {});
  const proposed = browserCountry();
  const isOpen = own !== undefined && own.country === undefined;
  const { data: other } = useAsk(
    'ratings',
    'list',
    { country: proposed },
    { enabled: isOpen && proposed !== undefined && own.countries.includes(proposed) },
  );
  const shown = own?.country === undefined ? other : own;
  return {
    country: shown?.country,
    ages: shown?.ages ?? [],
    countries: own?.countries ?? [],
    household: own?.country,
    isKnown: own !== undefined,
  };
}
