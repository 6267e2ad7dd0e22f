/** Saves and resets one setting. A change can be undone from its notification; removing a secret asks first. */
import { useState } from 'preact/hooks';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { call, sentence } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { toast } from '../../../kit/layers/toast.tsx';
import { clearedWords } from './values.ts';
import { restartWords } from '../../../messages/restart.ts';
import { configurationWords as m } from '../../../messages/configuration.ts';

/** Brings back what was saved before, or nothing. */
const restore = ({ key, title, source, value = '' }: SettingRow): Promise<unknown> =>
  runWithToast(
    () => (source === 'owner' ? call.configuration.save({ key, value }) : call.configuration.reset({ key })),
    m.restored({ title }),
  ).then(() => readAgain('configuration'));

export function useSaving({
  row,
  secrets,
  onSaved,
}: {
  row: SettingRow;
  /** Those that are set and belong to this address. */
  secrets: readonly SettingRow[];
  onSaved: () => void;
}) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = async (
    work: () => Promise<{ restartRequired: boolean; cleared?: string[] | undefined }>,
    done: string,
  ) => {
    setBusy(true);
    setError(undefined);
    try {
      const { restartRequired, cleared } = await work();
      const message = [
        done,
        cleared && clearedWords(secrets.filter(({ key: one }) => cleared.includes(one))),
        restartRequired && m.itTakesEffectAfterA,
      ]
        .filter(Boolean)
        .join('. ');
      // The previous value of a secret is not known here, so it cannot be restored.
      const isUndoable = !row.secret && cleared === undefined;
      toast({ message, ...(isUndoable && { undo: () => void restore(row) }) });
      readAgain('configuration');
      onSaved();
    } catch (failed) {
      // The server's message names the key; here the message is next to the setting, so the key is left out.
      setError(sentence(failed).replace(new RegExp(`^${row.key.replace(/\./g, '\\.')} `, 'i'), 'It '));
      // A switch or choice shows again what is true.
      readAgain('configuration');
    }
    setBusy(false);
  };
  const { key, title } = row;
  return {
    error,
    isBusy,
    clear: () => setError(undefined),
    save: (value: string) => void change(() => call.configuration.save({ key, value }), m.saved({ title })),
    reset: async () => {
      const name = restartWords.groupAndTitle({ group: row.groupTitle, title });
      if (
        row.secret &&
        !(await confirm({
          title: m.removeWithName({ name }),
          says: m.itIsNotShownAgain,
          action: m.remove,
          isDanger: true,
        }))
      )
        return;
      await change(
        () => call.configuration.reset({ key }),
        row.secret ? m.removed({ name: title }) : m.resetToDefault({ title }),
      );
    },
  };
}
