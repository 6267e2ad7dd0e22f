/** The libraries: where they are, how they are, and scanning, adding, changing and removing them. */
import { useState } from 'preact/hooks';
import hardDrive from 'lucide/dist/esm/icons/hard-drive.mjs';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import refresh from 'lucide/dist/esm/icons/refresh-cw.mjs';
import type { Task } from '../../../../contract/ops/operations.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAll, useAsk } from '../../../data/query.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { ago, facts } from '../../../lib/format.ts';
import { kindName, kindIcon } from '../../../lib/kinds.ts';
import { runWithToast } from '../../../kit/layers/run.ts';
import { isUnfinished, useTasks } from '../../../parts/tasks/live.ts';
import { cancelTask, TaskProgress, startTask } from '../../../parts/tasks/running.tsx';
import { useIsDefault } from '../../../parts/libraries/default-library.ts';
import { LibraryForm, type Library } from '../../../parts/libraries/form.tsx';
import { LibraryWantedDialog, wantedInWords } from '../../../parts/subtitles/wanted/dialogs.tsx';
import type { WantedLists } from '../../../parts/subtitles/wanted/rows.tsx';
import css from '../settings.module.css';
import { settingsWords as m } from '../../../messages/settings.ts';
import { rich } from '../../../messages/rich.ts';

type LibraryWanted = WantedLists['libraries'][number];

const scan = (library?: Library) => startTask('scan', library && { library: library.id });
async function remove(library: Library, isLast: boolean): Promise<void> {
  const says = (
    <>
      <p>{m.andItsWillNoLonger({ name: library.name, items: m.itemsCount({ count: library.items }) })}</p>
      <ul className={css.list}>
        <li>{rich(m.noFileTouched, { folder: library.path ? <code>{library.path}</code> : m.theFolder })}</li>
        <li>{m.watchHistoryIsKeptAnd}</li>
        {isLast && <li>{m.itIsTheLastLibrary}</li>}
      </ul>
    </>
  );
  if (
    !(await confirm({ title: m.removeWithName({ name: library.name }), says, action: m.removeLibrary, isDanger: true }))
  )
    return;
  await runWithToast(
    () => call.libraries.remove({ id: library.id }),
    m.removedNoFileWasTouched({ name: library.name }),
  );
  readAgain('libraries');
  readAgain('catalog');
  readAgain('configuration');
}

const One = ({
  library,
  isScanning,
  isDefault,
  wanted,
  onChange,
  onWanted,
  onRemove,
}: {
  library: Library;
  isScanning: boolean;
  isDefault: boolean;
  /** Subtitles that are wanted in a library with videos. */
  wanted: LibraryWanted | undefined;
  onChange: () => void;
  onWanted: () => void;
  onRemove: () => void;
}) => {
  const { name, kind, path, items, online, watching, lastScanAt, managed } = library;
  return (
    <section className={css.card} aria-label={name}>
      <div className={css.cardHead}>
        <Icon of={kindIcon(kind)} />
        <h2>{name}</h2>
        <Badge tone={online ? 'good' : 'danger'}>{online ? m.online : m.offline}</Badge>
        {managed && <Icon of={lock} size={1} />}
        {managed && <Badge>{m.managed}</Badge>}
      </div>
      {path !== undefined && (
        <p className={css.facts}>
          <code>{path}</code>
        </p>
      )}
      <p className="muted small">
        {facts(
          kindName(kind),
          m.itemsCount({ count: items }),
          lastScanAt === undefined ? m.notScannedYet : m.scanned({ when: ago(lastScanAt) }),
          watching ? m.changesAreDetectedAtOnce : m.changesAreDetectedAtThe,
        ).join(' · ')}
      </p>
      {wanted?.own && <p className="muted small">{m.wantedSubtitlesOf({ wanted: wantedInWords(wanted.wants) })}</p>}
      {!online && <p className="small">{m.itsFolderIsNotAvailable}</p>}
      {isDefault && <p className="small">{m.thisIsTheMediaFolder}</p>}
      {managed && <p className="small">{m.itIsSetInThe}</p>}
      <div className={css.actions}>
        <Button
          icon={refresh}
          disabled={isScanning || !online}
          onClick={() => void scan(library)}
          aria-label={m.scan({ name })}
        >
          {m.scanLabel}
        </Button>
        {wanted && (
          <Button onClick={onWanted} aria-label={m.wantedSubtitlesIn({ name })}>
            {m.subtitlesOfLibrary}
          </Button>
        )}
        {!managed && (
          <>
            <Button onClick={onChange} aria-label={m.edit({ name })}>
              {m.editLabel}
            </Button>
            {!isDefault && (
              <Button look="quiet" onClick={onRemove} aria-label={m.remove2({ name })}>
                {m.remove}
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  );
};

const Scanning = ({ task }: { task: Task }) => (
  <section className={css.card} aria-label={m.scanLabel}>
    <div className={css.bar}>
      <h2>{m.scanning}</h2>
      <Button onClick={() => void cancelTask(task.id)}>{m.cancel}</Button>
    </div>
    <p className="muted small">{m.itemsAppearWhileItRuns}</p>
    <TaskProgress task={task} />
  </section>
);

export const LibrariesSection = () => {
  const { data, error, refetch } = useAll('libraries', 'list', {});
  const { tasks } = useTasks();
  const isDefault = useIsDefault();
  const [changing, setChanging] = useState<Library | 'new'>();
  const { data: wanted } = useAsk('wantedSubtitles', 'list', {});
  const [wantedOf, setWantedOf] = useState<string>();
  const changed = wanted?.libraries.find(({ library }) => library === wantedOf);
  if (!data)
    return error ? (
      <ErrorState title={m.theLibrariesCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const scans = tasks?.items.filter((task) => task.name.startsWith('scan') && isUnfinished(task)) ?? [];
  const isManaged = data.items.some(({ managed }) => managed);
  const add = (
    <Button look="primary" icon={plus} onClick={() => setChanging('new')}>
      {m.addLibrary}
    </Button>
  );
  return (
    <>
      {data.items.length === 0 ? (
        <EmptyState icon={hardDrive} title={m.noLibraryYet} action={add}>
          {m.aLibraryIsAFolder}
        </EmptyState>
      ) : (
        <>
          <div className={css.bar}>
            <p className={css.lead}>{m.foldersThatTheServerReads}</p>
            <div className={css.actions}>
              <Button icon={refresh} disabled={scans.length > 0} onClick={() => void scan()}>
                {m.scanAll}
              </Button>
              {add}
            </div>
          </div>
          {scans.map((task) => (
            <Scanning key={task.id} task={task} />
          ))}
          {data.items.map((library) => (
            <One
              key={library.id}
              isDefault={isDefault}
              library={library}
              isScanning={scans.length > 0}
              wanted={wanted?.libraries.find((one) => one.library === library.id)}
              onChange={() => setChanging(library)}
              onWanted={() => setWantedOf(library.id)}
              onRemove={() => void remove(library, data.items.length === 1)}
            />
          ))}
        </>
      )}
      {isManaged && data.items.length === 0 && <p className="muted">{m.librariesAreSetInThe}</p>}
      {wanted && changed && (
        <LibraryWantedDialog wanted={wanted} library={changed} onClose={() => setWantedOf(undefined)} />
      )}
      {changing !== undefined && (
        <LibraryForm library={changing === 'new' ? undefined : changing} onClose={() => setChanging(undefined)} />
      )}
    </>
  );
};
