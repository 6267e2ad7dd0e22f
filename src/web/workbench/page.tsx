/**
 * The page of the workbench for an item: `?language=en`, `&kind=forced` for one of several files of the
 * language, `&part=2` for a part of a film, and `&draft=…` to review a draft.
 */
import type { PageProps } from '../lib/navigation/addresses.ts';
import { Link } from '../lib/navigation/link.tsx';
import { useQueryParams } from '../lib/navigation/navigate.ts';
import { useTitle } from '../lib/title.ts';
import { useAsk } from '../data/query.ts';
import { useIsOwner } from '../data/session.ts';
import { ErrorState, Pending } from '../kit/states/states.tsx';
import { languageLabel as nameOf } from '../lib/format.ts';
import { SubtitleWorkbench } from './workbench.tsx';
import { inspectRequest } from './model/inspect-request.ts';
import { FRESH, kindIn } from './model/settings.ts';
import { OwnersOnly } from '../parts/settings/owners-only.tsx';
import css from './workbench.module.css';
import { workbenchWords as m } from '../messages/workbench.ts';

const TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/;
const PART = /^\d{1,2}$/;
const ID = /^[0-9a-f]{16}$/;

export const Page = ({ params: { id } }: PageProps<'subtitleEdit'>) => {
  const query = useQueryParams();
  const isOwner = useIsOwner();
  const asked = query.get('language') ?? '';
  const draft = query.get('draft') ?? '';
  const role = kindIn(query.get('kind'));
  const part = PART.test(query.get('part') ?? '') ? Number(query.get('part')) : undefined;
  const item = useAsk('subtitles', 'item', { id }, { enabled: isOwner });
  const language = TAG.test(asked)
    ? asked.toLowerCase()
    : (item.data?.missing[0] ?? item.data?.configured[0] ?? (item.data || item.error ? 'en' : undefined));
  const inspected = useAsk('workbench', 'inspect', inspectRequest({ id, part, language: language ?? '', role }), {
    enabled: isOwner && language !== undefined,
  });
  const title = inspected.data?.title ?? item.data?.title;
  useTitle(title === undefined || language === undefined ? m.subtitleEditor : `${title}, ${nameOf(language)}`);
  if (isOwner && inspected.data && language !== undefined)
    return (
      <SubtitleWorkbench
        key={`${id}/${part}/${language}`}
        id={id}
        part={part}
        language={language}
        role={role}
        inspected={inspected.data}
        item={item.data}
        first={ID.test(draft) ? { ...FRESH, source: { kind: 'draft', id: draft, method: undefined } } : FRESH}
      />
    );
  const failed = inspected.error ?? (language === undefined ? item.error : undefined);
  return (
    <div className={css.alone}>
      <h1 className="unseen">{m.subtitleEditor}</h1>
      {!isOwner ? (
        <OwnersOnly title={m.onlyOwnersCanEditSubtitles} says={m.askAnOwnerOfThis} />
      ) : failed ? (
        <>
          <ErrorState
            title={m.thisSubtitleCannotBeEdited}
            error={failed}
            retry={() => void (inspected.error ? inspected.refetch() : item.refetch())}
          />
          <p className={css.way}>
            <Link to={{ page: 'subtitleItem', params: { id } }} className="link">
              {m.allSubtitlesOfThisItem}
            </Link>
          </p>
        </>
      ) : (
        <Pending says={m.readingTheSubtitle} />
      )}
    </div>
  );
};
