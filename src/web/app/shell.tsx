/** What stands around a page once someone is signed in: the way to every other page. */
import type { ComponentChildren } from 'preact';
import type { Page } from '../../contract/dashboard/pages.ts';
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import captions from 'lucide/dist/esm/icons/captions.mjs';
import film from 'lucide/dist/esm/icons/film.mjs';
import grid from 'lucide/dist/esm/icons/layout-grid.mjs';
import clock from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import house from 'lucide/dist/esm/icons/house.mjs';
import more from 'lucide/dist/esm/icons/ellipsis.mjs';
import search from 'lucide/dist/esm/icons/search.mjs';
import settings from 'lucide/dist/esm/icons/settings.mjs';
import user from 'lucide/dist/esm/icons/circle-user-round.mjs';
import { CardMenu } from '../parts/catalog/card-menu.tsx';
import { useAsk } from '../data/query.ts';
import { useIsOwner, useMe } from '../data/session.ts';
import { Icon, type IconNode } from '../kit/art/icon.tsx';
import { Mark } from '../kit/art/mark.tsx';
import { Menu } from '../kit/layers/menu.tsx';
import { kindIcon } from '../lib/kinds.ts';
import { hrefOf, pageAt, type To } from '../lib/navigation/addresses.ts';
import { Link } from '../lib/navigation/link.tsx';
import { go, usePath, useQueryParams } from '../lib/navigation/navigate.ts';
import css from './shell.module.css';
import { OfflineBanner } from './offline-banner.tsx';

const Entry = ({ to, icon, label, isHere }: { to: To; icon: IconNode; label: string; isHere: boolean }) => (
  <li>
    <Link to={to} className={css.entry} aria-current={isHere ? 'page' : undefined} title={label}>
      <Icon of={icon} size={1.375} />
      <span className={css.word}>{label}</span>
    </Link>
  </li>
);

const Libraries = ({ here, library }: { here: Page | undefined; library: string | null }) => {
  const { data } = useAsk('libraries', 'list', {});
  if (!data || data.items.length === 0) return null;
  return (
    <>
      <h2 className={css.heading}>Libraries</h2>
      <ul>
        <Entry to={{ page: 'library' }} icon={grid} label="Everything" isHere={here === 'library' && !library} />
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

const Side = ({ here, library }: { here: Page | undefined; library: string | null }) => {
  const isOwner = useIsOwner();
  const me = useMe();
  return (
    <nav className={css.side} aria-label="Main">
      <Link to={{ page: 'home' }} className={css.brand} aria-label="Matinee, home">
        <Mark />
        <span className={css.name}>Matinee</span>
      </Link>
      <div className={css.scroll}>
        <ul>
          <Entry to={{ page: 'home' }} icon={house} label="Home" isHere={here === 'home'} />
          <Entry to={{ page: 'search' }} icon={search} label="Search" isHere={here === 'search'} />
          <Entry to={{ page: 'list' }} icon={bookmark} label="My List" isHere={here === 'list'} />
          <Entry to={{ page: 'history' }} icon={clock} label="History" isHere={here === 'history'} />
        </ul>
        <Libraries here={here} library={library} />
        {isOwner && (
          <>
            <h2 className={css.heading}>Owner</h2>
            <ul>
              <Entry
                to={{ page: 'subtitles' }}
                icon={captions}
                label="Subtitles"
                isHere={here === 'subtitles' || here === 'subtitleItem'}
              />
              <Entry
                to={{ page: 'settings' }}
                icon={settings}
                label="Settings"
                isHere={here === 'settings' || here === 'settingsPart'}
              />
            </ul>
          </>
        )}
      </div>
      <ul className={css.last}>
        <Entry to={{ page: 'account' }} icon={user} label={me?.profile.name ?? 'Account'} isHere={here === 'account'} />
      </ul>
    </nav>
  );
};

const Bar = ({ here }: { here: Page | undefined }) => {
  const isOwner = useIsOwner();
  const to = (page: 'history' | 'subtitles' | 'settings' | 'account') => () => go(hrefOf({ page }));
  const rest = [
    { label: 'History', icon: clock, onChoose: to('history') },
    ...(isOwner
      ? [
          { label: 'Subtitles', icon: captions, onChoose: to('subtitles') },
          { label: 'Settings', icon: settings, onChoose: to('settings') },
        ]
      : []),
    { label: 'Account', icon: user, onChoose: to('account') },
  ];
  return (
    <nav className={css.bar} aria-label="Main">
      <ul>
        <Entry to={{ page: 'home' }} icon={house} label="Home" isHere={here === 'home'} />
        <Entry to={{ page: 'library' }} icon={film} label="Library" isHere={here === 'library'} />
        <Entry to={{ page: 'search' }} icon={search} label="Search" isHere={here === 'search'} />
        <Entry to={{ page: 'list' }} icon={bookmark} label="My List" isHere={here === 'list'} />
        <li className={css.more}>
          <Menu label="More" icon={more} items={rest} isRound className={css.moreButton ?? ''} />
          <span className={css.word} aria-hidden="true">
            More
          </span>
        </li>
      </ul>
    </nav>
  );
};

export const Shell = ({ children }: { children: ComponentChildren }) => {
  const here = pageAt(usePath())?.page;
  const library = useQueryParams().get('library');
  return (
    <>
      <a className={css.skip} href="#content">
        Skip to content
      </a>
      <div className={css.wide}>
        <Side here={here} library={library} />
      </div>
      <main id="content" className={css.main} tabIndex={-1}>
        <OfflineBanner />
        {children}
        <CardMenu />
      </main>
      <div className={css.narrow}>
        <Bar here={here} />
      </div>
    </>
  );
};
