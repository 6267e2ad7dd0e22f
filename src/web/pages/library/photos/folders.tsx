/** The folders of photos, each with its latest picture. */
import folder from 'lucide/dist/esm/icons/folder.mjs';
import type { Reply } from '../../../data/query.ts';
import { Artwork } from '../../../kit/art/artwork.tsx';
import { EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { day, facts } from '../../../lib/format.ts';
import type { Query } from '../../../lib/navigation/addresses.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { FoldersLink } from '../../../parts/libraries/folders-link.tsx';
import { photoWords as m } from '../../../messages/photos.ts';
import css from './photos.module.css';

type Folder = Reply<'photos', 'folders'>['items'][number];

const span = ({ from, to }: Folder): string | undefined =>
  from === undefined || to === undefined ? undefined : from === to ? day(from) : `${day(from)} – ${day(to)}`;

export const PhotoFolders = ({
  reply,
  error,
  retry,
  base,
}: {
  reply: Reply<'photos', 'folders'> | undefined;
  error: Error | null;
  retry: () => void;
  base: Query;
}) => {
  if (!reply)
    return error ? <ErrorState isAlone title={m.foldersCouldNotBeLoaded} error={error} retry={retry} /> : <Pending />;
  if (reply.items.length === 0)
    return (
      <EmptyState
        isAlone
        icon={folder}
        title={m.noPhotosYet}
        action={<FoldersLink isOfOne={base.library !== undefined} />}
      >
        {m.noPhotosHelp}
      </EmptyState>
    );
  return (
    <ul className={css.folders} aria-label={m.byFolder}>
      {reply.items.map((one) => (
        <li key={one.id} className={css.folder}>
          <Link to={{ page: 'library', query: { ...base, folder: one.id } }} className={css.folderLink}>
            <span className={css.cover}>
              <Artwork
                id={one.cover.id}
                kind="thumb"
                version={one.cover.version}
                title={one.title}
                sizes="240px"
                isFilling
              />
            </span>
            <strong className={css.folderName}>{one.title}</strong>
            <span className="muted small">
              {facts(one.parents.join(' / ') || undefined, m.photosCount({ count: one.count }), span(one)).join(' · ')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
