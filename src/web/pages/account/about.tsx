/** What this program is, and where its information about films comes from. */
import { useTitle } from '../../lib/title.ts';
import { accountWords as m } from '../../messages/account.ts';
import { AccountPart } from './part.tsx';
import css from './account.module.css';

/** As the terms of the service word it, so it is not translated. */
const TMDB_NOTICE = 'This product uses the TMDB API but is not endorsed or certified by TMDB.';

export const Page = () => {
  useTitle(m.about);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{m.about}</h1>
      </header>
      <AccountPart title="Matinee" says={m.aboutMatinee}>
        {null}
      </AccountPart>
      <AccountPart title={m.informationOnline} says={m.fromTmdb}>
        <p lang="en">{TMDB_NOTICE}</p>
      </AccountPart>
    </div>
  );
};
