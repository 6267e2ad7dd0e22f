/** Edits many items at once: a form, then a preview of exactly what will change, then the change. */
import { useState } from 'preact/hooks';
import type { BulkResult } from '../../../contract/catalog/metadata.ts';
import { call, sentence } from '../../data/client.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, Switch } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { editingWords as m } from '../../messages/editing.ts';
import { shellWords } from '../../messages/shell.ts';
import { splitNames } from './facts.ts';
import { showEdited } from './undo.ts';
import css from './editing.module.css';

const FIELDS = ['addGenres', 'removeGenres', 'addStudios', 'removeStudios'] as const;
type NameField = (typeof FIELDS)[number];
const labels = (): Record<NameField, string> => ({
  addGenres: m.addGenres,
  removeGenres: m.removeGenres,
  addStudios: m.addStudios,
  removeStudios: m.removeStudios,
});
type Change = BulkResult['items'][number]['changes'][number];

const words = (value: unknown): string =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? m.none
    : Array.isArray(value)
      ? value.map((one: unknown) => (typeof one === 'string' ? one : (one as { name: string }).name)).join(', ')
      : typeof value === 'number'
        ? String(value)
        : (value as string);
const changeWords = ({ fact, before, after, locked }: Change): string =>
  JSON.stringify(before) === JSON.stringify(after)
    ? (locked ? m.isLockedNow : m.isUnlockedNow)({ fact: m.fact[fact] })
    : m.becomes({ fact: m.fact[fact], before: words(before), after: words(after) });

const Preview = ({ items }: { items: BulkResult['items'] }) => (
  <section aria-label={m.previewOf} tabIndex={0} className={css.preview}>
    {items.length === 0 && <p>{m.nothingChanges}</p>}
    <ul>
      {items.map(({ id, title, changes }) => (
        <li key={id}>
          <strong>{title}</strong>
          <ul>
            {changes.map((one) => (
              <li key={one.fact} className="small">
                {changeWords(one)}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </section>
);

export const BulkDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const [names, setNames] = useState<Record<NameField, string>>({
    addGenres: '',
    removeGenres: '',
    addStudios: '',
    removeStudios: '',
  });
  const [year, setYear] = useState('');
  const [isUnlocking, setUnlocking] = useState(false);
  const [preview, setPreview] = useState<BulkResult>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const list = (field: NameField) => splitNames(names[field]);
  const request = {
    ids: [...ids],
    ...(year !== '' && !isUnlocking && { set: { year: Number(year) } }),
    add: { genres: list('addGenres'), studios: list('addStudios') },
    remove: { genres: list('removeGenres'), studios: list('removeStudios') },
    ...(isUnlocking && { unlock: ['genres' as const, 'studios' as const, 'year' as const] }),
  };
  const send = async (dryRun: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      const digest = dryRun ? undefined : preview?.digest;
      const result = await call.metadata.bulk({ ...request, dryRun, ...(digest !== undefined && { digest }) });
      if (dryRun) return setPreview(result);
      showEdited(m.changedMany({ count: result.items.length }), result.change);
      onClose();
    } catch (failed) {
      setError(sentence(failed));
      setPreview(undefined);
    } finally {
      setBusy(false);
    }
  };
  const actions = preview ? (
    <>
      <Button look="quiet" onClick={() => setPreview(undefined)}>
        {m.back}
      </Button>
      <Button look="primary" isBusy={isBusy} disabled={preview.items.length === 0} onClick={() => void send(false)}>
        {m.apply({ count: preview.items.length })}
      </Button>
    </>
  ) : (
    <>
      <Button look="quiet" onClick={onClose}>
        {shellWords.cancel}
      </Button>
      <Button look="primary" isBusy={isBusy} onClick={() => void send(true)}>
        {m.preview}
      </Button>
    </>
  );
  return (
    <Dialog title={m.editMany({ count: ids.length })} onClose={onClose} actions={actions} isWide isFirm>
      {error !== undefined && <Notice tone="warn">{error}</Notice>}
      {preview ? (
        <Preview items={preview.items} />
      ) : (
        <>
          {FIELDS.map((field) => (
            <Field
              key={field}
              label={labels()[field]}
              hint={m.commaSeparated}
              value={names[field]}
              onValue={(value) => setNames((now) => ({ ...now, [field]: value }))}
              autoComplete="off"
            />
          ))}
          <Field
            label={m.setYear}
            type="number"
            min={1800}
            max={2200}
            value={year}
            onValue={setYear}
            disabled={isUnlocking}
          />
          <Switch label={m.unlockFields} hint={m.unlockHint} checked={isUnlocking} onValue={setUnlocking} />
        </>
      )}
    </Dialog>
  );
};
