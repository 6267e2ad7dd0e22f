/** The head of a list's page: its picture, name and facts, and what can be done with it. */
import type { ComponentChildren } from 'preact';
import type { Cover } from '../../../contract/lists/playlists.ts';
import { Covers, type CoversProps } from './covers.tsx';
import css from './list-head.module.css';

export interface ListHeadProps {
  name: string;
  covers: readonly Cover[];
  picture?: CoversProps['picture'];
  says: readonly string[];
  /** Its buttons. */
  children: ComponentChildren;
}
export const ListHead = ({ name, covers, picture, says, children }: ListHeadProps) => (
  <header className={css.head}>
    <div className={css.cover}>
      <Covers covers={covers} title={name} picture={picture} />
    </div>
    <div className={css.words}>
      <h1>{name}</h1>
      <p className="muted">{says.join(' · ')}</p>
      <div className={css.actions}>{children}</div>
    </div>
  </header>
);
