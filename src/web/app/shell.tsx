/**
 * The frame around a page after sign-in: the sidebar, or the bar of a phone, as `lib/navigation/destinations.ts`
 * declares them.
 */
import type { ComponentChildren, VNode } from 'preact';
import type { Page } from '../../contract/dashboard/pages.ts';
import grid from 'lucide/dist/esm/icons/layout-grid.mjs';
import command from 'lucide/dist/esm/icons/command.mjs';
import more from 'lucide/dist/esm/icons/ellipsis.mjs';
import { PaletteLayer } from '../parts/palette/layer.tsx';
import { openPalette } from '../parts/palette/open.ts';
import { AddToLists } from '../parts/catalog/add-to-list.tsx';
import { CardMenu } from '../parts/catalog/card-menu.tsx';
import { useOwnTime } from '../data/day-time.ts';
import { useAll } from '../data/query.ts';
import { useIsOwner, useMe } from '../data/session.ts';
import { ProfileFace } from '../kit/art/face.tsx';
import { Icon, type IconNode } from '../kit/art/icon.tsx';
import { Logo } from '../kit/art/mark.tsx';
import { Menu } from '../kit/layers/menu.tsx';
import { cx } from '../lib/cx.ts';
import { minutesOf, secondsLeft } from '../lib/day-time.ts';
import { kindIcon } from '../lib/kinds.ts';
import { hrefOf, pageAt, type To } from '../lib/navigation/addresses.ts';
import { destinationsIn, isCurrent, type Destination } from '../lib/navigation/destinations.ts';
import { Link } from '../lib/navigation/link.tsx';
import { go, usePath, useQueryParams } from '../lib/navigation/navigate.ts';
import { shellWords } from '../messages/shell.ts';
import css from './shell.module.css';
import { OfflineBanner } from './offline-banner.tsx';
import { useNoticeCount } from './notices.ts';
import { useRequestCount } from './requests.ts';

interface EntryProps {
  to: To;
  /** An icon, or what is in its place. */
  icon: IconNode | VNode;
  label: string;
  isHere: boolean;
  /** Number of new things there. */
  count?: number;
  /** Words for that number. */
  counts?: (of: { count: number }) => string;
}
const Entry = ({ to, icon, label, isHere, count = 0, counts = shellWords.requestsWaiting }: EntryProps) => (
  <li>
    <Link to={to} className={css.entry} aria-current={isHere ? 'page' : undefined} title={label}>
      {Array.isArray(icon) ? <Icon of={icon as IconNode} size={1.375} /> : (icon as VNode)}
      <span className={css.word}>{label}</span>
      {count > 0 && (
        <span className={css.count}>
          <span aria-hidden="true">{count}</span>
          <span className="unseen"> {counts({ count })}</span>
        </span>
      )}
    </Link>
  </li>
);

interface EntriesProps {
  of: readonly Destination[];
  here: Page | undefined;
  /** Number of new requests. */
  requests: number;
}
const Entries = ({ of, here, requests }: EntriesProps) => (
  <ul>
    {of.map((one) => (
      <Entry
        key={one.page}
        to={{ page: one.page }}
        icon={one.icon}
        label={one.label()}
        isHere={isCurrent(one, here)}
        count={one.page === 'requests' ? requests : 0}
      />
    ))}
  </ul>
);

const Libraries = ({ here, library }: { here: Page | undefined; library: string | null }) => {
  const isSignedIn = useMe() !== undefined;
  const { data } = useAll('libraries', 'list', {}, { enabled: isSignedIn });
  if (!data || data.items.length === 0) return null;
  return (
    <>
      <h2 className={css.heading}>{shellWords.libraries}</h2>
      <ul>
        {destinationsIn('libraries').map(({ page }) => (
          <Entry
            key={page}
            to={{ page }}
            icon={grid}
            label={shellWords.allLibraries}
            isHere={here === page && !library}
          />
        ))}
        {data.items.map(({ id, name, kind }) => (
          <Entry
            key={id}
            to={{ page: 'library', query: { library: id } }}
            icon={kindIcon(kind)}
            label={name}
            isHere={here === 'library' && library === id}
          />
        ))}
      </ul>
    </>
  );
};

/** Minutes that this Profile may still watch today, where that is limited. */
const TimeLeft = () => {
  const time = useOwnTime();
  const left = time && secondsLeft(time);
  // Outside the viewing hours the page says so.
  return left === undefined || time?.hours?.open === false ? null : (
    <li className={css.left}>{shellWords.minutesShort({ count: minutesOf(left) })}</li>
  );
};

interface SideProps {
  here: Page | undefined;
  library: string | null;
  requests: number;
  /** Number of unseen notices about security. */
  notices: number;
}
const Side = ({ here, library, requests, notices }: SideProps) => {
  const isOwner = useIsOwner();
  const me = useMe();
  return (
    <nav className={css.side} aria-label={shellWords.mainNavigation}>
      <Link to={{ page: 'home' }} className={css.brand} aria-label={shellWords.homePage}>
        <Logo />
        <span className={css.name}>Matinee</span>
      </Link>
      <div className={css.scroll}>
        <Entries of={destinationsIn('main', ...(isOwner ? [] : (['requests'] as const)))} {...{ here, requests }} />
        <Libraries here={here} library={library} />
        {isOwner && (
          <>
            <h2 className={css.heading}>{shellWords.owner}</h2>
            <Entries of={destinationsIn('requests', 'owner')} {...{ here, requests }} />
          </>
        )}
      </div>
      <ul className={css.last}>
        {destinationsIn('account').map((one) => (
          <Entry
            key={one.page}
            to={{ page: one.page }}
            icon={me ? <ProfileFace {...me.profile} size="small" /> : one.icon}
            label={me?.profile.name ?? one.label()}
            isHere={isCurrent(one, here)}
            count={notices}
            counts={shellWords.noticesWaiting}
          />
        ))}
        <TimeLeft />
      </ul>
    </nav>
  );
};

const Bar = ({ here, requests, notices }: Omit<SideProps, 'library'>) => {
  const news: Partial<Record<Page, number>> = { requests, account: notices };
  const isOwner = useIsOwner();
  const all = destinationsIn('main', 'requests', 'libraries', ...(isOwner ? (['owner'] as const) : []), 'account');
  const rest = [
    ...all
      .filter(({ isInBar }) => !isInBar)
      .map(({ page, label, icon }) => ({
        label: (news[page] ?? 0) > 0 ? `${label()} (${news[page]})` : label(),
        icon,
        onChoose: () => go(hrefOf({ page })),
      })),
    { label: shellWords.commandPalette, icon: command, onChoose: openPalette },
  ];
  return (
    <nav className={css.bar} aria-label={shellWords.mainNavigation}>
      <ul>
        {all
          .filter(({ isInBar }) => isInBar)
          .map((one) => (
            <Entry
              key={one.page}
              to={{ page: one.page }}
              icon={one.icon}
              label={one.label()}
              isHere={isCurrent(one, here)}
            />
          ))}
        <li className={cx(css.more, requests + notices > 0 && css.hasNew)}>
          <Menu label={shellWords.more} icon={more} items={rest} isRound className={css.moreButton ?? ''} />
          <span className={css.word} aria-hidden="true">
            {shellWords.more}
          </span>
        </li>
      </ul>
    </nav>
  );
};

export const Shell = ({ children }: { children: ComponentChildren }) => {
  const here = pageAt(usePath())?.page;
  const library = useQueryParams().get('library');
  const requests = useRequestCount();
  const notices = useNoticeCount();
  return (
    <>
      <a className={css.skip} href="#content">
        {shellWords.skipToContent}
      </a>
      <div className={css.wide}>
        <Side {...{ here, library, requests, notices }} />
      </div>
      <main id="content" className={css.main} tabIndex={-1}>
        <PaletteLayer />
        <OfflineBanner />
        {children}
        <CardMenu />
        <AddToLists />
      </main>
      <div className={css.narrow}>
        <Bar {...{ here, requests, notices }} />
      </div>
    </>
  );
};
