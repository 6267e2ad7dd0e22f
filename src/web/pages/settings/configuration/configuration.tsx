/** Every setting of the server, made from what the server says about each. */
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../../../lib/navigation/addresses.ts';
import { go, useQueryParams } from '../../../lib/navigation/navigate.ts';
import { useSearchText } from '../../../lib/search-text.ts';
import { useAsk } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Field } from '../../../kit/forms/field.tsx';
import { EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { SettingEditor } from './row.tsx';
import { translatedSetting } from '../../../parts/settings/translated.ts';
import { shownGroupsOf } from './values.ts';
import css from './configuration.module.css';
import { settingsWords as m } from '../../../messages/settings.ts';

/** Typing rests for this long before the list is searched. */
const REST_MS = 200;
const search = (q: string) =>
  go(hrefOf({ page: 'settingsPart', params: { part: 'configuration' }, query: { q: q.trim() || undefined } }), {
    replace: true,
  });

export const Configuration = () => {
  const { data, error, refetch } = useAsk('configuration', 'list', {});
  const asked = useQueryParams().get('q') ?? '';
  const [text, setText] = useSearchText(asked, search, REST_MS);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The slash goes to the search box, as it does in many places.
    const onKey = (event: KeyboardEvent) => {
      const { tagName } = event.target as Element;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || ['INPUT', 'TEXTAREA', 'SELECT'].includes(tagName))
        return;
      event.preventDefault();
      field.current?.querySelector('input')?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (!data)
    return error ? (
      <ErrorState title={m.theConfigurationCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const settings = data.settings.map(translatedSetting);
  const groups = shownGroupsOf(settings, text);
  const found = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      <div ref={field} role="search" aria-label={m.settings}>
        <Field label={m.searchSettings} type="search" value={text} onValue={setText} placeholder={m.aWordAKeyOr} />
      </div>
      <p className="unseen" role="status">
        {text ? m.settingsCount({ count: found }) : ''}
      </p>
      {groups.length === 0 && (
        <EmptyState title={m.noSettingMatches} action={<Button onClick={() => setText('')}>{m.showAll}</Button>}>
          {m.tryOneWordOfWhat}
        </EmptyState>
      )}
      {groups.map(({ group, name, rows }) => (
        <section key={group} className={css.group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{name}</h2>
          {rows.map((row) => (
            <SettingEditor
              key={row.key}
              row={row}
              secrets={settings.filter(({ configured, belongsTo }) => configured && belongsTo?.includes(row.key))}
            />
          ))}
        </section>
      ))}
    </>
  );
};
