/** The folders of the server, one level at a time. Nothing is created or changed. */
import folderIcon from 'lucide/dist/esm/icons/folder.mjs';
import upIcon from 'lucide/dist/esm/icons/corner-left-up.mjs';
import { sentence } from '../../data/client.ts';
import { useAsk, type Reply } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Pending } from '../../kit/states/states.tsx';
import { listed } from '../../lib/format.ts';
import css from './libraries.module.css';
import { accountWords as m } from '../../messages/account.ts';

/** Contents of a folder, so that the right one is recognized. */
function held({ videos, sounds, books, photos, folders }: Reply<'libraries', 'folders'>): string {
  const content = [
    ...(videos > 0 ? [m.videosCount({ count: videos })] : []),
    ...(sounds > 0 ? [m.soundsCount({ count: sounds })] : []),
    ...(books > 0 ? [m.booksCount({ count: books })] : []),
    ...(photos > 0 ? [m.photosCount({ count: photos })] : []),
    ...(folders.length > 0 ? [m.foldersCount({ count: folders.length })] : []),
  ];
  return content.length === 0 ? m.noFoldersOrMediaHere : m.here({ content: listed(content) });
}

export const Folders = ({ path, onPath }: { path: string | undefined; onPath: (path: string) => void }) => {
  // Before anything is chosen the server proposes its media folder; without one, all of the machine.
  const proposed = useAsk('libraries', 'folders', {});
  const asked = path ?? (proposed.error ? '/' : undefined);
  const { data, error } = useAsk('libraries', 'folders', asked === undefined ? {} : { path: asked }, { keep: true });
  if (!data) return error ? <p className={css.problem}>{sentence(error)}</p> : <Pending />;
  const { parent } = data;
  return (
    <div className={css.folders}>
      <ul aria-label={m.foldersIn({ path: data.path })}>
        {parent !== undefined && (
          <li>
            <button type="button" className={css.folder} onClick={() => onPath(parent)}>
              <Icon of={upIcon} />
              <span>{m.upTo({ parent })}</span>
            </button>
          </li>
        )}
        {data.folders.map((one) => (
          <li key={one.path}>
            <button type="button" className={css.folder} onClick={() => onPath(one.path)}>
              <Icon of={folderIcon} />
              <span>{one.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={css.inside} role="status">
        {error ? sentence(error) : held(data)}
      </p>
    </div>
  );
};
