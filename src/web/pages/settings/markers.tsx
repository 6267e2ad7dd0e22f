/**
 * Intros, recaps and credits that were found without being certain: an Owner confirms or rejects them, a season at a
 * time, with undo.
 */
import { useState } from 'preact/hooks';
import check from 'lucide/dist/esm/icons/check.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { call, sentence } from '../../data/client.ts';
import { readAgain, useAsk, type Reply } from '../../data/query.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { capital, episodeCode, facts, position } from '../../lib/format.ts';
import css from './settings.module.css';
import { settingsWords as m } from '../../messages/settings.ts';

type Suggestion = Reply<'markerSuggestions', 'list'>['items'][number];
type Decision = 'confirm' | 'reject';

const PAGE = 100;
/** Seconds of the preview before the passage, so that the viewer sees what leads to it. */
const LEAD_S = 3;
const decisionWords = (): Readonly<Record<Decision, string>> => ({ confirm: m.confirmed, reject: m.rejected });
const nameOf = ({ item }: Suggestion): string =>
  item.show ? facts(episodeCode(item), item.title).join(' · ') : item.title;
const groupOf = ({ item }: Suggestion): string =>
  item.show
    ? facts(item.show.title, item.season !== undefined && m.season({ season: item.season })).join(' · ')
    : m.films;
const keyOf = ({ item, kind }: Suggestion): string => `${item.id} ${kind}`;

const inGroups = (all: readonly Suggestion[]): [string, Suggestion[]][] => {
  const groups = new Map<string, Suggestion[]>();
  for (const one of all) groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), one]);
  const order = ({ item }: Suggestion): number => item.episode ?? 0;
  return [...groups].map(([name, own]) => [name, own.toSorted((a, b) => order(a) - order(b))]);
};

async function send(decision: Decision | 'undo', suggestions: readonly Suggestion[]): Promise<boolean> {
  try {
    await call.markerSuggestions.decide({
      decision,
      suggestions: suggestions.map(({ item, kind }) => ({ item: item.id, kind })),
    });
    return true;
  } catch (error) {
    toast({ message: sentence(error), isError: true });
    return false;
  } finally {
    readAgain('markerSuggestions');
    readAgain('catalog', 'item');
  }
}

const Row = ({ one, onDecide }: { one: Suggestion; onDecide: (decision: Decision) => void }) => {
  const { item, kind, markers } = one;
  const [first] = markers;
  const name = nameOf(one);
  return (
    <li className={css.row}>
      <div className={css.facts}>
        <p className={css.tags}>
          <strong>{name}</strong> <Badge>{capital(kind)}</Badge>
        </p>
        <p className="small">
          {markers.map(({ start, end }) => m.n({ position: position(start), position2: position(end) })).join(', ')}
        </p>
      </div>
      <div>
        {first && (
          <ButtonLink
            look="quiet"
            icon={play}
            to={{
              page: 'player',
              params: { id: item.id },
              query: { start: String(Math.max(0, Math.floor(first.start - LEAD_S))) },
            }}
            aria-label={m.playTheOf({ kind, name })}
          >
            {m.play}
          </ButtonLink>
        )}
        <Button look="quiet" icon={x} onClick={() => onDecide('reject')} aria-label={m.rejectTheOf({ kind, name })}>
          {m.reject}
        </Button>
        <Button icon={check} onClick={() => onDecide('confirm')} aria-label={m.confirmTheOf({ kind, name })}>
          {m.confirm}
        </Button>
      </div>
    </li>
  );
};

export const MarkerSuggestions = () => {
  const { data, error, refetch } = useAsk('markerSuggestions', 'list', { limit: PAGE }, { keep: true });
  // Gone from the list at once, and not only when the server has answered.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  if (!data)
    return error ? (
      <ErrorState title={m.theSuggestionsCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const decide = async (decision: Decision, all: readonly Suggestion[]) => {
    const keys = all.map(keyOf);
    const show = () => setHidden((before) => new Set([...before].filter((key) => !keys.includes(key))));
    setHidden((before) => new Set([...before, ...keys]));
    if (!(await send(decision, all))) return show();
    toast({
      message:
        `${decisionWords()[decision]}: ` +
        (all.length === 1 && all[0]
          ? m.ofWithKindAndName({ kind: all[0].kind, name: nameOf(all[0]) })
          : m.suggestionsCount({ count: all.length })),
      undo: () => void send('undo', all).then(show),
    });
  };
  const groups = inGroups(data.items.filter((one) => !hidden.has(keyOf(one))));
  return (
    <>
      <p className={css.lead}>{m.introsRecapsAndCreditsThat}</p>
      {groups.length === 0 && (
        <EmptyState icon={check} title={m.noSuggestions}>
          {m.newEpisodesAreAnalysedWhile}
        </EmptyState>
      )}
      {groups.map(([name, all]) => (
        <section key={name} className={css.section} aria-label={name}>
          <div className={css.bar}>
            <h2>{name}</h2>
            {all.length > 1 && (
              <div>
                <Button
                  look="quiet"
                  icon={x}
                  onClick={() => void decide('reject', all)}
                  aria-label={m.rejectAllOf({ name })}
                >
                  {m.rejectAll}
                </Button>
                <Button
                  look="primary"
                  icon={check}
                  onClick={() => void decide('confirm', all)}
                  aria-label={m.confirmAllOf({ name })}
                >
                  {m.confirmAll}
                </Button>
              </div>
            )}
          </div>
          <ul className={css.rows}>
            {all.map((one) => (
              <Row key={keyOf(one)} one={one} onDecide={(decision) => void decide(decision, [one])} />
            ))}
          </ul>
        </section>
      ))}
      {data.nextCursor !== undefined && (
        <p className="muted small">{m.inAllTheNextOnes({ suggestions: m.suggestionsCount({ count: data.total }) })}</p>
      )}
    </>
  );
};
