/** Subtitles of everything: coverage, providers, what is wanted and why, and fetching it. */
import captions from 'lucide/dist/esm/icons/captions.mjs';
import { useQueryParams } from '../../app/navigate.ts';
import { useTitle } from '../../app/title.ts';
import { useAsk } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { Link } from '../../app/link.tsx';
import { EmptyState, ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { List } from './list.tsx';
import { listingOf } from './listing.ts';
import { Overview } from './overview.tsx';
import { Running } from './running.tsx';
import css from './subtitles.module.css';

export const Page = () => {
  useTitle('Subtitles');
  const query = useQueryParams();
  const isOwner = useIsOwner();
  const { data, error, refetch } = useAsk('subtitles', 'inventory', listingOf(query), { keep: true, enabled: isOwner });
  return (
    <div className={css.page}>
      <h1>Subtitles</h1>
      {!isOwner ? <EmptyState title="Only an Owner manages subtitles">Ask an Owner of this server when something is missing.</EmptyState> : data ? <Body inventory={data} query={query} /> : error ? <ErrorState title="The subtitles could not be listed" error={error} retry={() => void refetch()} /> : <Pending />}
    </div>
  );
};

const Body = ({ inventory, query }: { inventory: NonNullable<Parameters<typeof Overview>[0]['inventory']>; query: URLSearchParams }) => {
  if (inventory.languages.length === 0)
    return (
      <EmptyState
        icon={captions}
        title="No language is chosen yet"
        action={
          <ButtonLink look="primary" to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles.language' } }}>
            Choose a language
          </ButtonLink>
        }
      >
        Once a language is chosen, this page shows which films and episodes have subtitles in it, and can fetch those that are missing.
      </EmptyState>
    );
  return (
    <>
      {!inventory.providers.some(({ configured }) => configured) && (
        <Notice tone="warn">
          No provider is set up, so missing subtitles cannot be fetched.{' '}
          <Link to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'integrations.subtitles' } }} className="link">
            Set up a provider
          </Link>
        </Notice>
      )}
      <Overview inventory={inventory} />
      <Running />
      <List inventory={inventory} query={query} />
    </>
  );
};
