/** The libraries as an Owner sees them: where each is, whether it can be reached, and ways to change them. */
import { useState } from 'preact/hooks';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { attempt } from '../catalog/actions.ts';
import { call } from '../../data/client.ts';
import { readAgain, useAll } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, facts } from '../../lib/format.ts';
import { kindName, kindIcon } from '../../lib/kinds.ts';
import { useIsDefault } from './default-library.ts';
import { LibraryForm, type Library } from './form.tsx';
import css from './libraries.module.css';
import { accountWords as m } from '../../messages/account.ts';
import { rich } from '../../messages/rich.ts';

async function remove({ id, name, items, path }: Library): Promise<void> {
  const isSure = await confirm({
    title: m.removeWithName({ name }),
    says: (
      <>
        <p>
          {rich(m.willNoLongerBeShown, {
            items: m.itemsCount({ count: items }),
            path: <code>{path ?? m.itsFolder}</code>,
          })}
        </p>
      </>
    ),
    action: m.removeLibrary,
    isDanger: true,
  });
  if (isSure && (await attempt(() => call.libraries.remove({ id })))) toast({ message: m.removed({ name }) });
  readAgain('libraries', 'list');
  readAgain('configuration');
}

const Row = ({ library, isDefault }: { library: Library; isDefault: boolean }) => (
  <li className={css.library}>
    <span className={css.icon}>
      <Icon of={kindIcon(library.kind)} size={1.5} />
    </span>
    <span className={css.about}>
      <strong>{library.name}</strong>
      {library.path !== undefined && <code>{library.path}</code>}
      <span className="muted small">
        {facts(
          kindName(library.kind),
          m.itemsCount({ count: library.items }),
          library.lastScanAt !== undefined && m.scanned({ when: ago(library.lastScanAt) }),
        ).join(' · ')}
      </span>
    </span>
    {!library.online && <Badge tone="warn">{m.offline}</Badge>}
    {library.managed ? (
      <span className={css.locked} title={m.setInTheConfigurationFile}>
        <Icon of={lock} size={1} /> {m.managed}
      </span>
    ) : isDefault ? null : (
      <IconButton icon={trash} label={m.removeWithName({ name: library.name })} onClick={() => void remove(library)} />
    )}
  </li>
);

export const LibraryEditor = () => {
  const { data, error, refetch } = useAll('libraries', 'list', {});
  const [isAdding, setAdding] = useState(false);
  const isDefault = useIsDefault();
  if (!data)
    return error ? (
      <ErrorState title={m.theLibrariesCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const isManaged = data.items.some(({ managed }) => managed);
  return (
    <>
      {data.items.length > 0 && (
        <ul className={css.libraries} aria-label={m.libraries}>
          {data.items.map((library) => (
            <Row key={library.id} library={library} isDefault={isDefault} />
          ))}
        </ul>
      )}
      {isDefault && data.items.length > 0 && <p className={css.note}>{m.thisIsTheMediaFolder}</p>}
      {isManaged && <p className={css.note}>{m.managedLibrariesAreSetIn}</p>}
      {!isManaged && (
        <Button
          icon={plus}
          isLarge={data.items.length === 0}
          look={data.items.length === 0 ? 'primary' : 'plain'}
          onClick={() => setAdding(true)}
        >
          {data.items.length === 0 ? m.chooseAFolder : m.addLibrary}
        </Button>
      )}
      {isAdding && <LibraryForm onClose={() => setAdding(false)} />}
    </>
  );
};
