/** The folders of the server, one level at a time. Nothing is created or changed. */
import folderIcon from 'lucide/dist/esm/icons/folder.mjs';
import upIcon from 'lucide/dist/esm/icons/corner-left-up.mjs';
import { sentence } from '../../data/client.ts';
import { useAsk, type Reply } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Pending } from '../../kit/states/states.tsx';
import { many } from '../../lib/format.ts';
import css from './libraries.module.css';

/** What a folder holds, so that the right one is recognised. */
function held({ videos, folders }: Reply<'libraries', 'folders'>): string {
  if (videos === 0 && folders.length === 0) return 'There is no folder and no video in here.';
  const both = [
    ...(videos > 0 ? [many(videos, 'video')] : []),
    ...(folders.length > 0 ? [many(folders.length, 'folder')] : []),
  ].join(' and ');
  return `${both} in here.`;
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
      <ul aria-label={`Folders in ${data.path}`}>
        {parent !== undefined && (
          <li>
            <button type="button" className={css.folder} onClick={() => onPath(parent)}>
              <Icon of={upIcon} />
              <span>Up to {parent}</span>
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
