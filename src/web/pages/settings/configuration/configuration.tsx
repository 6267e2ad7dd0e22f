/**
 * The settings of the server, made from what the server says about each: the few of the page General, and all of them
 * under Advanced. A search finds all of them on both pages.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SettingRow } from '../../../../contract/config/configuration.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { go, useQueryParams } from '../../../lib/navigation/navigate.ts';
import { useSearchText } from '../../../lib/search-text.ts';
import { call } from '../../../data/client.ts';
import { useAsk } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Field } from '../../../kit/forms/field.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { listed } from '../../../lib/format.ts';
import { rich } from '../../../messages/rich.ts';
import { ConnectionTest } from './connection-test.tsx';
import { SettingEditor } from './row.tsx';
import { translatedSetting } from '../../../parts/settings/translated.ts';
import { generalGroupsOf, laterFeaturesOf, setUpState, shownGroupsOf, type ShownGroup } from './values.ts';
import shared from '../settings.module.css';
import css from './configuration.module.css';
import { configurationWords as m } from '../../../messages/configuration.ts';
import { peopleWords } from '../../../messages/people.ts';

/** Typing rests for this long before the list is searched. */
const REST_MS = 200;
/** Puts the search into the address of the page that is open, so that it can be linked and reloaded. */
const search = (q: string) =>
  go(`${location.pathname}${q === '' ? '' : `?${new URLSearchParams({ q }).toString()}`}`, { replace: true });

/** The slash goes to the search box, as it does in many places. */
function useSlash() {
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
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
  return field;
}

interface GroupProps {
  shown: ShownGroup;
  /** All settings, among which are the secrets of an address. */
  settings: readonly SettingRow[];
  isShort: boolean;
}
const Rows = ({ shown, settings, isShort }: GroupProps) => (
  <>
    {shown.rows.map((row) => (
      <SettingEditor
        key={row.key}
        row={row}
        secrets={settings.filter(({ configured, belongsTo }) => configured && belongsTo?.includes(row.key))}
        isShort={isShort}
      />
    ))}
    {shown.group === 'integrations.metadata' && (
      <ConnectionTest
        label={peopleWords.testProvider}
        test={() => call.onlineMetadata.test({})}
        works={peopleWords.testWorks}
        notSetUp={peopleWords.testNotSetUp}
        fails={(error) => peopleWords.testFails({ error })}
      />
    )}
    {shown.group === 'integrations.oidc' && (
      <ConnectionTest
        label={m.testIdentityProvider}
        test={() => call.outside.test({ protocol: 'oidc' })}
        works={m.identityProviderWorks}
        notSetUp={m.identityProviderNotSetUp}
      />
    )}
    {shown.group === 'integrations.saml' && <SamlProvider settings={settings} />}
  </>
);

/** Test of the SAML provider, and what it has to know about this server. */
const SamlProvider = ({ settings }: Pick<GroupProps, 'settings'>) => {
  const valueOf = (name: string) => settings.find(({ key }) => key === name)?.value;
  const own = valueOf('integrations.saml.url') ?? valueOf('auth.url');
  const isReady = own !== undefined && URL.canParse(own) && new URL(own).protocol === 'https:';
  return (
    <>
      <ConnectionTest
        label={m.testIdentityProvider}
        test={() => call.outside.test({ protocol: 'saml' })}
        works={m.samlProviderWorks}
        notSetUp={m.samlProviderNotSetUp}
      />
      <p className="muted">
        {isReady
          ? rich(m.samlProviderNeeds, {
              address: (
                <a className="link" href={`${new URL(own).origin}/saml/metadata`}>
                  {`${new URL(own).origin}/saml/metadata`}
                </a>
              ),
            })
          : m.samlNeedsAddress}
      </p>
    </>
  );
};
const Group = (props: GroupProps) => {
  const { group, name } = props.shown;
  return (
    <section className={css.group} aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`}>{name}</h2>
      <Rows {...props} />
    </section>
  );
};

const setUpWords = () =>
  ({
    all: { tone: 'good', word: m.complete },
    some: { tone: 'warn', word: m.incomplete },
    none: { tone: 'plain', word: m.notSetUp },
  }) as const;
/** A group of a section, such as one provider: closed, so that the page stays short, unless it is begun. */
const Folded = (props: GroupProps) => {
  const { name, rows } = props.shown;
  const state = setUpState(rows);
  const [isOpenAtFirst] = useState(state === 'some');
  const { tone, word } = setUpWords()[state];
  return (
    <details className={css.folded} open={isOpenAtFirst}>
      <summary>
        <h3>{name}</h3> <Badge tone={tone}>{word}</Badge>
        {rows.some(({ pending }) => pending) && <Badge tone="warn">{m.restartPending}</Badge>}
      </summary>
      <Rows {...props} />
    </details>
  );
};
const GeneralGroups = ({ settings }: { settings: readonly SettingRow[] }) => {
  const groups = generalGroupsOf(settings);
  return (
    <>
      {groups.map((shown, at) => {
        const { group, section } = shown;
        if (section === undefined) return <Group key={group} shown={shown} settings={settings} isShort />;
        // A section is shown at its first group.
        if (groups.findIndex((one) => one.section?.id === section.id) !== at) return null;
        return (
          <section key={section.id} className={css.group} aria-labelledby={`section-${section.id}`}>
            <h2 id={`section-${section.id}`}>{section.name}</h2>
            {groups
              .filter((one) => one.section?.id === section.id)
              .map((one) => (
                <Folded key={one.group} shown={one} settings={settings} isShort />
              ))}
          </section>
        );
      })}
    </>
  );
};

const Lead = () => (
  <p className={shared.lead}>
    {rich(m.theseApplyToTheServer, {
      account: (
        <Link to={{ page: 'account' }} className="link">
          {m.account}
        </Link>
      ),
    })}{' '}
    {rich(m.everyOtherIsUnder, {
      advanced: (
        <Link to={{ page: 'settingsPart', params: { part: 'configuration' } }} className="link">
          {m.advanced}
        </Link>
      ),
    })}
  </p>
);

const Settings = ({ isGeneral }: { isGeneral: boolean }) => {
  const { data, error, refetch } = useAsk('configuration', 'list', {});
  const asked = useQueryParams().get('q') ?? '';
  const [text, setText] = useSearchText(asked, search, REST_MS);
  const field = useSlash();
  if (!data)
    return error ? (
      <ErrorState title={m.theConfigurationCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const settings = data.settings.map(translatedSetting);
  const isSearch = text.trim() !== '';
  const groups = shownGroupsOf(settings, text);
  const found = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const later = laterFeaturesOf(settings, text);
  return (
    <>
      <div ref={field} role="search" aria-label={m.settings}>
        <Field label={m.searchSettings} type="search" value={text} onValue={setText} placeholder={m.aWordAKeyOr} />
      </div>
      <p className="unseen" role="status">
        {isSearch ? m.settingsCount({ count: found }) : ''}
      </p>
      {groups.length === 0 && (
        <EmptyState title={m.noSettingMatches} action={<Button onClick={() => setText('')}>{m.showAll}</Button>}>
          {later.length === 0 && m.tryOneWordOfWhat}
        </EmptyState>
      )}
      {later.length > 0 && <p className="muted">{m.notInThisVersion({ features: listed(later) })}</p>}
      {isGeneral && !isSearch ? (
        <>
          <Lead />
          <GeneralGroups settings={settings} />
        </>
      ) : (
        groups.map((shown) => <Group key={shown.group} shown={shown} settings={settings} isShort={false} />)
      )}
    </>
  );
};

export const General = () => <Settings isGeneral />;
export const Configuration = () => <Settings isGeneral={false} />;
