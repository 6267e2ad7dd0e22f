/** The age of a Profile: what it includes, the switch for unrated items, and how much that shows. */
import type { Policy } from '../../../../contract/identity/profiles.ts';
import { useAsk } from '../../../data/query.ts';
import { Select, Switch } from '../../../kit/forms/field.tsx';
import { listed } from '../../../lib/format.ts';
import { agesWords as m } from '../../../messages/ages.ts';
import { settingsWords } from '../../../messages/settings.ts';
import shared from '../settings.module.css';
import { ageWords, emptyWords, offeredAges } from './policy.ts';
import { countryLabel } from '../../../lib/format.ts';
import { useRatingAges } from './countries.ts';

const EXAMPLES = 6;

/** Names certifications that an age includes, the highest last. */
function includedWords(rating: Policy['rating'], ages: readonly { age: number; ratings: readonly string[] }[]): string {
  const included = ages
    .filter(({ age }) => rating === 'all' || age <= rating)
    .flatMap(({ ratings }) => ratings[0] ?? []);
  return listed(included.slice(-EXAMPLES));
}

/** Counts what a Profile with these limits would see, and says why it is nothing. */
const Preview = ({ policy, profile }: { policy: Policy; profile: string | undefined }) => {
  const { data } = useAsk(
    'ratings',
    'preview',
    {
      profile,
      libraries: policy.libraries === 'all' ? 'all' : policy.libraries.join() || 'none',
      rating: String(policy.rating),
      unrated: policy.unrated ? 'true' : 'false',
    },
    { keep: true },
  );
  if (!data) return null;
  return (
    <p className={shared.lead} role="status">
      {m.showsSomeOf(data)}. {emptyWords(policy, data)}
    </p>
  );
};

export const AgeLimit = ({
  policy,
  profile,
  onPolicy,
}: {
  policy: Policy;
  profile: string | undefined;
  onPolicy: (policy: Policy) => void;
}) => {
  const { country, ages } = useRatingAges();
  const { rating } = policy;
  const included = includedWords(rating, ages);
  const hint =
    rating === 'all'
      ? m.noAgeLimitIsSet
      : included !== ''
        ? m.includesRatings({ ratings: included })
        : country === undefined
          ? undefined
          : m.noRatingOfCountry({ country: countryLabel(country) });
  const choices = [
    ...offeredAges(
      ages.map(({ age }) => age),
      rating,
    ),
    'all' as const,
  ];
  return (
    <>
      <Select
        label={settingsWords.ageRatingLimit}
        hint={hint}
        value={String(rating)}
        choices={choices.map((value) => ({ value: String(value), label: ageWords(value) }))}
        onValue={(value) => onPolicy({ ...policy, rating: value === 'all' ? 'all' : Number(value) })}
      />
      <Switch
        label={m.showUnratedItems}
        hint={m.unratedItemsHint}
        checked={policy.unrated}
        onValue={(unrated) => onPolicy({ ...policy, unrated })}
      />
      <Preview policy={policy} profile={profile} />
    </>
  );
};
