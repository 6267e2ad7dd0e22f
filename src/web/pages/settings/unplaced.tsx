/**
 * Files that a scan could not place or read, with the reason. None is lost: it stays here until it is named or mended.
 */
import { useState } from 'preact/hooks';
import files from 'lucide/dist/esm/icons/file-question-mark.mjs';
import type { MatchCandidate } from '../../../contract/catalog/candidates.ts';
import { useAll, useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Select } from '../../kit/forms/field.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { MatchDialog, WorkChoices } from '../../parts/editing/match-dialog.tsx';
import { ago, capital, facts } from '../../lib/format.ts';
import css from './settings.module.css';
import { clueText } from '../../messages/server-clues.ts';
import { settingsWords as m } from '../../messages/settings.ts';

const PAGE = 100;
const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;

const Clues = ({ clues }: { clues: readonly string[] }) =>
  clues.length === 0 ? null : (
    <ul className={css.list}>
      {clues.map((one) => (
        <li key={one}>{capital(clueText(one))}</li>
      ))}
    </ul>
  );

/** A film or show that no work is certain to be: its candidates, and the dialog that searches for others. */
const Unsure = ({
  item,
  title,
  candidates,
}: {
  item: string;
  title: string;
  candidates: readonly MatchCandidate[];
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WorkChoices item={item} title={title} current={undefined} candidates={candidates} />
      <Button onClick={() => setOpen(true)}>{m.searchForOthers}</Button>
      {isOpen && <MatchDialog id={item} title={title} current={undefined} onClose={() => setOpen(false)} />}
    </>
  );
};

export const UnplacedSection = () => {
  const [library, setLibrary] = useState('');
  const [offset, setOffset] = useState(0);
  const { data: libraries } = useAll('libraries', 'list', {});
  const { data, error, refetch } = useAsk(
    'catalog',
    'unplaced',
    { limit: PAGE, offset, ...(library && { library }) },
    { keep: true },
  );
  if (!data)
    return error ? <ErrorState title={m.theFilesCouldNotBe} error={error} retry={() => void refetch()} /> : <Pending />;
  const nameOf = (id: string) => libraries?.items.find((one) => one.id === id)?.name;
  return (
    <>
      <p className={css.lead}>{m.filmsAndEpisodesAreMatched}</p>
      {libraries && libraries.items.length > 1 && (
        <Select
          label={m.library}
          value={library}
          choices={[
            { value: '', label: m.allLibrariesLabel },
            ...libraries.items.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValue={(id) => (setLibrary(id), setOffset(0))}
        />
      )}
      {data.items.length === 0 ? (
        <EmptyState icon={files} title={m.allFilesAreMatched} />
      ) : (
        <>
          <p className="muted small" role="status">
            {m.filesCount({ count: data.total })}
          </p>
          <ul className={css.rows}>
            {data.items.map(
              ({ id, file, reason, evidence, seenAt, library: of, item, title = '', candidates = [] }) => (
                <li key={id} className={css.row}>
                  <div className={css.facts}>
                    <code>{file}</code>
                    <p>{asSentence(clueText(reason))}</p>
                    <Clues clues={evidence.filter((one) => one !== reason)} />
                    <p className="small">{facts(nameOf(of), m.lastSeen({ when: ago(seenAt) })).join(' · ')}</p>
                    {item !== undefined && <Unsure item={item} title={title} candidates={candidates} />}
                  </div>
                </li>
              ),
            )}
          </ul>
          <div className={css.actions}>
            {offset > 0 && <Button onClick={() => setOffset(Math.max(0, offset - PAGE))}>{m.history}</Button>}
            {offset + data.items.length < data.total && (
              <Button onClick={() => setOffset(offset + PAGE)}>{m.more}</Button>
            )}
          </div>
        </>
      )}
    </>
  );
};
