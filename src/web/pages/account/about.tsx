/** The licence of this program, and the source of its information about films. */
import { Logo } from '../../kit/art/mark.tsx';
import { useTitle } from '../../lib/title.ts';
import { accountWords as m } from '../../messages/account.ts';
import { AccountPart } from './part.tsx';
import { TmdbLogo } from './tmdb-logo.tsx';
import css from './account.module.css';

const TMDB_URL = 'https://www.themoviedb.org/';

export const Page = () => {
  useTitle(m.about);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{m.about}</h1>
      </header>
      <AccountPart title={m.thisProgram} says={m.aboutMatinee}>
        <Logo size={3} />
      </AccountPart>
      <AccountPart title={m.informationOnline} says={m.fromTmdb}>
        <p lang="en">{m.tmdbNotice}</p>
        <p className={css.source}>
          <TmdbLogo className={css.sourceLogo} />
          <a className="link" href={TMDB_URL} target="_blank" rel="noreferrer">
            {m.tmdbName}
          </a>
        </p>
      </AccountPart>
    </div>
  );
};
