/** The country of the household, which says what a rating without a country means. */
import { call } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { Select } from '../../../kit/forms/field.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { agesWords as m } from '../../../messages/ages.ts';
import { countryLabel } from '../../../lib/format.ts';
import { useRatingAges } from './countries.ts';

const KEY = 'metadata.country';

async function save(country: string): Promise<void> {
  await runWithToast(
    () =>
      country === '' ? call.configuration.reset({ key: KEY }) : call.configuration.save({ key: KEY, value: country }),
    m.countryOfRatingsSaved({ country: country === '' ? m.strictestMeaning : countryLabel(country) }),
  );
  readAgain('ratings');
  readAgain('configuration');
}

export const RatingCountry = () => {
  const { countries, household, isKnown } = useRatingAges();
  const { data: settings } = useAsk('configuration', 'list', {});
  if (!isKnown) return null;
  const named = countries.map((code) => ({ value: code, label: countryLabel(code) }));
  const isManaged = settings?.settings.find(({ key }) => key === KEY)?.managed === true;
  return (
    <Select
      label={m.countryOfRatings}
      hint={m.countryOfRatingsHint}
      value={household ?? ''}
      disabled={isManaged}
      choices={[{ value: '', label: m.strictestMeaning }, ...named.toSorted((a, b) => a.label.localeCompare(b.label))]}
      onValue={(country) => void save(country)}
    />
  );
};
