/** The editor of a smart playlist: its name, rules, order and limit, with what matches them while they are edited. */
import { useEffect, useState } from 'preact/hooks';
import {
  leafFault,
  leavesOf,
  MAX_RULE_LIMIT,
  RULE_SORTS,
  type RuleGroup,
  type RuleSortField,
  type RuleSortKey,
} from '../../../contract/catalog/rule-fields.ts';
import { hrefOf, type PageProps } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { formatDuration } from '../../lib/format.ts';
import { call, sentence } from '../../data/client.ts';
import { readAgain, type Reply, type RequestOf, useAsk } from '../../data/query.ts';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Field, Select } from '../../kit/forms/field.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { useRuleChoices } from './choices.ts';
import { RuleGroupEditor } from './rules.tsx';
import { newLeaf } from './tree.ts';
import css from './smart-editor.module.css';
import { ruleWords as m } from '../../messages/rules.ts';
import { later } from '../../lib/pending-work.ts';

/** Id in the address of a smart playlist that is being made. */
const NEW = 'new';
/** Pause after a change before it is counted. */
const COUNT_AFTER_MS = 250;

interface Draft {
  name: string;
  rules: RuleGroup;
  sort: RuleSortKey;
  limit: string;
}
const emptyDraft = (): Draft => ({
  name: '',
  rules: { match: 'all', rules: [newLeaf()] },
  sort: { by: 'title', order: 'ascending' },
  limit: '',
});
const draftOf = ({ name, rules, sort, limit }: Reply<'smartPlaylists', 'read'>): Draft => ({
  name,
  rules,
  sort: sort[0] ?? { by: 'title', order: 'ascending' },
  limit: limit === undefined ? '' : String(limit),
});

const limitOf = (text: string): number | undefined => (text === '' ? undefined : Number(text));
const hasLimitFault = (text: string): boolean =>
  text !== '' && !(Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= MAX_RULE_LIMIT);
const isComplete = ({ rules, limit }: Draft): boolean =>
  !hasLimitFault(limit) && leavesOf(rules).every((leaf) => leafFault(leaf) === undefined);

/** Returns what matches the draft, some time after it was changed last. */
function usePreview({ rules, sort, limit }: Draft, isAsked: boolean) {
  const now = JSON.stringify({ rules, sort: [sort], limit: limitOf(limit) });
  const [asked, setAsked] = useState(now);
  useEffect(() => later(COUNT_AFTER_MS, () => setAsked(now)), [now]);
  const question = JSON.parse(asked) as RequestOf<'smartPlaylists', 'preview'>;
  return useAsk('smartPlaylists', 'preview', question, { enabled: isAsked && asked === now, keep: true });
}

const Preview = ({ draft }: { draft: Draft }) => {
  const isAsked = isComplete(draft);
  const { data, error } = usePreview(draft, isAsked);
  const found = isAsked ? data : undefined;
  return (
    <section className={css.preview} aria-label={m.preview}>
      <p role="status" className={css.count}>
        {!isAsked
          ? m.incomplete
          : error
            ? sentence(error)
            : found &&
              m.matching({ count: found.total, duration: found.duration > 0 ? formatDuration(found.duration) : '' })}
      </p>
      {found && found.items.length > 0 && <SmallGrid cards={found.items} label={m.preview} />}
    </section>
  );
};

const Order = ({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) => (
  <div className={css.inputs}>
    <Select
      label={m.sortBy}
      value={draft.sort.by}
      choices={RULE_SORTS.map((value) => ({ value, label: value === 'random' ? m.random : m.fields[value] }))}
      onValue={(by: RuleSortField) => onDraft({ ...draft, sort: { ...draft.sort, by } })}
    />
    <Select
      label={m.order}
      value={draft.sort.order}
      choices={[
        { value: 'ascending', label: m.ascending },
        { value: 'descending', label: m.descending },
      ]}
      onValue={(order: RuleSortKey['order']) => onDraft({ ...draft, sort: { ...draft.sort, order } })}
    />
    <Field
      label={m.limit}
      hint={m.limitHint}
      type="number"
      min={1}
      max={MAX_RULE_LIMIT}
      value={draft.limit}
      error={hasLimitFault(draft.limit) ? m.limitFault({ most: MAX_RULE_LIMIT }) : undefined}
      onValue={(limit) => onDraft({ ...draft, limit })}
    />
  </div>
);

const Editor = ({ id, first }: { id: string; first: Draft }) => {
  const [draft, setDraft] = useState(first);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const choices = useRuleChoices();
  const isReady = draft.name.trim() !== '' && isComplete(draft);
  const save = async (event: Event) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setBusy(true);
    const { name, rules, sort, limit } = draft;
    const given = { name, rules, sort: [sort] };
    const most = limitOf(limit);
    try {
      const saved =
        id === NEW
          ? await call.smartPlaylists.create({ ...given, limit: most })
          : await call.smartPlaylists.update({ id, ...given, limit: most ?? null });
      readAgain('smartPlaylists');
      go(hrefOf({ page: 'smartPlaylist', params: { id: saved.id } }), { replace: true });
    } catch (failed) {
      setError(sentence(failed));
      setBusy(false);
    }
  };
  return (
    <form className={css.page} onSubmit={(event) => void save(event)}>
      <h1>{id === NEW ? m.newSmartPlaylist : m.editSmartPlaylist}</h1>
      <div className={css.columns}>
        <div className={css.form}>
          <Field
            label={m.name}
            value={draft.name}
            error={error}
            maxLength={200}
            autoComplete="off"
            onValue={(name) => setDraft({ ...draft, name })}
          />
          <RuleGroupEditor
            group={draft.rules}
            path={[]}
            tree={draft.rules}
            choices={choices}
            onTree={(rules) => setDraft({ ...draft, rules })}
          />
          <Order draft={draft} onDraft={setDraft} />
          <div className={css.actions}>
            <Button look="primary" type="submit" isBusy={isBusy} disabled={!isReady}>
              {m.save}
            </Button>
            <ButtonLink
              look="quiet"
              to={id === NEW ? { page: 'playlists' } : { page: 'smartPlaylist', params: { id } }}
            >
              {m.cancel}
            </ButtonLink>
          </div>
        </div>
        <Preview draft={draft} />
      </div>
    </form>
  );
};

export const Page = ({ params: { id } }: PageProps<'smartPlaylistEdit'>) => {
  useTitle(id === NEW ? m.newSmartPlaylist : m.editSmartPlaylist);
  const { data, error, refetch } = useAsk('smartPlaylists', 'read', { id }, { enabled: id !== NEW });
  if (id === NEW) return <Editor id={id} first={emptyDraft()} />;
  if (data) return <Editor key={id} id={id} first={draftOf(data)} />;
  return error ? (
    <ErrorState isAlone title={m.couldNotBeLoaded} error={error} retry={() => void refetch()} />
  ) : (
    <Pending />
  );
};
