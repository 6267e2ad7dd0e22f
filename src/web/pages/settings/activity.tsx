/** The activity log: what happened, the newest first, with filters, an export, and what the last check found. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'preact/hooks';
import download from 'lucide/dist/esm/icons/download.mjs';
import type { ActivityItem } from '../../../contract/activity/activity.ts';
import type { ActivityKind } from '../../../contract/activity/kinds.ts';
import { address, call, routes } from '../../data/client.ts';
import { onEvent } from '../../data/events.ts';
import { readAgain, useAll, useAsk, type RequestOf } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, EmptyState, ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { ago, count } from '../../lib/format.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import { activityWords as m } from '../../messages/activity.ts';
import { entryFacts, entrySentence } from '../../parts/activity/entry.ts';
import { startTask } from '../../parts/tasks/running.tsx';
import css from './activity.module.css';
import shared from './settings.module.css';

const PAGE_ENTRIES = 50;
const DAY_MS = 86_400_000;
/** For what no event of the server announces. */
const READ_EVERY_MS = 30_000;
const CATEGORIES = {
  security: () => m.security,
  administration: () => m.administration,
  playback: () => m.playback,
  system: () => m.system,
} as const;
/** Returns the names of the kinds of a category, or of all. */
const kindNames = (about: keyof typeof CATEGORIES | ''): Partial<Record<ActivityKind, string>> =>
  about === '' ? Object.assign({}, ...Object.values(m.kindNames)) : m.kindNames[about];
const OUTCOMES = { done: () => m.done, refused: () => m.refused, failed: () => m.failed } as const;
const SPANS = { day: 1, week: 7, month: 30 } as const;

type Asked = RequestOf<'activity', 'list'>;
interface Chosen {
  about: keyof typeof CATEGORIES | '';
  kind: ActivityKind | '';
  outcome: keyof typeof OUTCOMES | '';
  profile: string;
  span: keyof typeof SPANS | '';
}

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];
const oneOf = <T extends object>(table: T, text: string | null): (keyof T & string) | '' =>
  keysOf(table).find((one) => one === text) ?? '';
function chosenIn(params: URLSearchParams): Chosen {
  const about = oneOf(CATEGORIES, params.get('about'));
  return {
    about,
    kind: oneOf(kindNames(about), params.get('kind')),
    outcome: oneOf(OUTCOMES, params.get('outcome')),
    profile: /^[0-9a-f]{16}$/.exec(params.get('profile') ?? '')?.[0] ?? '',
    span: oneOf(SPANS, params.get('span')),
  };
}
const filtersOf = ({ about, kind, outcome, profile, span }: Chosen): Asked => ({
  ...(about && { category: about }),
  ...(kind && { kind }),
  ...(outcome && { outcome }),
  ...(profile && { profile }),
  ...(span && { from: new Date(Date.now() - SPANS[span] * DAY_MS).toISOString() }),
});
const choose = (chosen: Chosen): void => {
  const query = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''));
  go(hrefOf({ page: 'settingsPart', params: { part: 'activity' }, query }), { replace: true });
};

const Filters = ({ chosen }: { chosen: Chosen }) => {
  const { data } = useAll('profiles', 'list', {});
  const profiles = data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const names = kindNames(chosen.about);
  const kinds = keysOf(names)
    .map((value) => ({ value, label: names[value] ?? '' }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <div className={css.filters}>
      <Select
        label={m.about}
        value={chosen.about}
        choices={[
          { value: '', label: m.everything },
          ...keysOf(CATEGORIES).map((value) => ({ value, label: CATEGORIES[value]() })),
        ]}
        onValue={(about) => choose({ ...chosen, about, kind: oneOf(kindNames(about), chosen.kind) })}
      />
      <Select
        label={m.kind}
        value={chosen.kind}
        choices={[{ value: '', label: m.allKinds }, ...kinds]}
        onValue={(kind) => choose({ ...chosen, kind })}
      />
      <Select
        label={m.profile}
        value={chosen.profile}
        choices={[{ value: '', label: m.allProfiles }, ...profiles]}
        onValue={(profile) => choose({ ...chosen, profile })}
      />
      <Select
        label={m.span}
        value={chosen.span}
        choices={[
          { value: '', label: m.anyTime },
          { value: 'day', label: m.lastDay },
          { value: 'week', label: m.lastWeek },
          { value: 'month', label: m.lastMonth },
        ]}
        onValue={(span) => choose({ ...chosen, span })}
      />
      <Select
        label={m.outcome}
        value={chosen.outcome}
        choices={[
          { value: '', label: m.anyOutcome },
          ...keysOf(OUTCOMES).map((value) => ({ value, label: OUTCOMES[value]() })),
        ]}
        onValue={(outcome) => choose({ ...chosen, outcome })}
      />
    </div>
  );
};

const Check = () => {
  const { data } = useAsk('activity', 'check', {});
  useEffect(() => onEvent(({ task }) => task?.name === 'check-activity' && readAgain('activity', 'check')), []);
  if (!data) return null;
  const { state, checkedAt = '', entries = 0, brokenAt } = data;
  const check = () => void startTask('check-activity').then((isTaken) => isTaken && toast({ message: m.checking }));
  return (
    <Notice tone={state === 'broken' ? 'danger' : 'plain'}>
      <div className={css.check}>
        <p>
          {state === 'unchecked'
            ? m.unchecked
            : brokenAt
              ? m.broken({ number: count(brokenAt.number), when: ago(checkedAt) })
              : m.whole({ when: ago(checkedAt), entries: m.entries({ count: entries }) })}
        </p>
        <Button onClick={check}>{m.checkNow}</Button>
      </div>
    </Notice>
  );
};

const Entry = ({ item }: { item: ActivityItem }) => (
  <li className={shared.row}>
    <div>
      <p className={shared.tags}>
        <span>{entrySentence(item)}</span>{' '}
        {item.outcome !== 'done' && (
          <Badge tone={item.outcome === 'refused' ? 'warn' : 'danger'}>
            {item.outcome === 'refused' ? m.refused : m.failed}
          </Badge>
        )}
      </p>
      <p className="muted small">{entryFacts(item).join(' · ')}</p>
    </div>
  </li>
);

export const ActivitySection = () => {
  const chosen = chosenIn(useQueryParams());
  const isFiltered = Object.values(chosen).some((value) => value !== '');
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['activity', 'list', chosen],
    queryFn: async ({ pageParam: { cursor, filters }, signal }) => {
      const page = await call.activity.list({ ...filters, limit: PAGE_ENTRIES, ...(cursor && { cursor }) }, signal);
      return { ...page, filters };
    },
    // A cursor belongs to its filters, so a span begins where it began for the first page.
    initialPageParam: { cursor: '', filters: filtersOf(chosen) },
    getNextPageParam: ({ nextCursor, filters }) =>
      nextCursor === undefined ? undefined : { cursor: nextCursor, filters },
    refetchInterval: READ_EVERY_MS,
  });
  useEffect(
    () => onEvent(({ kind, task }) => kind !== 'hello' && task?.state !== 'running' && readAgain('activity', 'list')),
    [],
  );
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const file = (format: 'csv' | 'jsonl') => address(routes.activity.export, { ...filtersOf(chosen), format });
  return (
    <>
      <p className={shared.lead}>{m.lead}</p>
      <Check />
      <Filters chosen={chosen} />
      <div className={shared.bar}>
        <p className="muted" role="status">
          {data ? m.entries({ count: data.pages[0]?.total ?? 0 }) : ''}
        </p>
        <div className={css.files}>
          <a className={css.file} href={file('csv')} download="">
            <Icon of={download} /> <span>{m.exportCsv}</span>
          </a>
          <a className={css.file} href={file('jsonl')} download="">
            <Icon of={download} /> <span>{m.exportJson}</span>
          </a>
        </div>
      </div>
      {!data && !error && <Pending />}
      {!data && error && <ErrorState title={m.couldNotBeRead} error={error} retry={() => void refetch()} />}
      {data && entries.length === 0 && (
        <EmptyState
          title={isFiltered ? m.nothingFound : m.nothing}
          action={
            isFiltered ? (
              <Button onClick={() => choose({ about: '', kind: '', outcome: '', profile: '', span: '' })}>
                {m.clearFilters}
              </Button>
            ) : undefined
          }
        >
          {isFiltered ? m.nothingFoundSays : m.nothingSays}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <ul className={shared.rows} aria-label={m.log}>
          {entries.map((item) => (
            <Entry key={item.id} item={item} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <p className={css.more}>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {m.showEarlier}
          </Button>
        </p>
      )}
    </>
  );
};
