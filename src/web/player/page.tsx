/** Plays an item. Asks the server how this browser can play it, and says why when it cannot. */
import { useEffect, useState } from 'preact/hooks';
import { itemFacts } from '../../contract/catalog/kinds.ts';
import { go, reload, useQueryParams } from '../lib/navigation/navigate.ts';
import { hrefOf, type To } from '../lib/navigation/addresses.ts';
import type { PageProps } from '../lib/navigation/addresses.ts';
import { useTitle } from '../lib/title.ts';
import { call, CallFailed } from '../data/client.ts';
import { type Reply, useAsk } from '../data/query.ts';
import { ButtonLink } from '../kit/forms/button.tsx';
import { ErrorState, Pending } from '../kit/states/states.tsx';
import { toast } from '../kit/layers/toast.tsx';
import { resolution } from '../lib/format.ts';
import { useOtherVersion } from './engine/other-version.ts';
import { pageOf } from '../parts/catalog/cards.tsx';
import { type QueuePlace, queueOf, queuePage, queueQuery, sameQueue, useQueue } from '../parts/playback/queue.ts';
import { isListenedTo, type ListenItem, listenItemOf } from '../parts/listening/items.ts';
import { listenedInList } from '../parts/listening/queued.ts';
import { listenTo } from '../parts/listening/requests.ts';
import { deliveryOf, usePlan, type PlanReply } from '../parts/playback/plan.ts';
import { CannotPlay } from './parts/cannot-play.tsx';
import { Stage } from './stage.tsx';
import css from './player.module.css';
import { playerWords as m } from '../messages/player.ts';

const partOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,2}$/.test(text) ? Number(text) : undefined;

export const Page = ({ params: { id } }: PageProps<'player'>) => {
  const query = useQueryParams();
  const version = query.get('version') ?? undefined;
  const part = partOf(query.get('part'));
  const queue = queueOf(query);
  const listed = sameQueue(queue);
  const { plan, error, choices, again, end } = usePlan({ id, version, part });
  const { data: item, error: itemError } = useAsk('catalog', 'item', { id });
  const [isTried, setTried] = useState(false);
  // The viewer chose no version: one that plays here is better than a page that says why the first does not.
  const other = useOtherVersion(version === undefined ? plan : undefined, item);
  const start = query.get('start') ?? undefined;
  useEffect(() => {
    if (typeof other !== 'object') return;
    toast({
      message: other.label ? m.playingVersion({ version: resolution(other.label) }) : m.playingAnotherVersion,
    });
    go(hrefOf({ page: 'player', params: { id }, query: { version: other.id, start, ...listed } }), { replace: true });
  }, [other, id, start]);
  const isAudio = item !== undefined && isListenedTo(item);
  useEffect(() => {
    if (!isAudio || !plan) return;
    // The audio player asks for its own session, and a Profile may have few at a time.
    end();
    const options = start === undefined ? {} : { from: Number(start) };
    void listenedFrom(item, queue).then(({ items, after }) => {
      listenTo(items, { ...options, after });
      go(hrefOf({ page: 'listening' }), { replace: true });
    });
  }, [isAudio, plan]);
  // Books and photos of a mixed list are passed over.
  const { next: following } = useQueue(queue) ?? {};
  const isPassedOver = queue !== undefined && item !== undefined && !hasSoundOrPicture(item);
  useEffect(() => {
    if (!isPassedOver || !following) return;
    const query = queueQuery(queue.kind, queue.list, following.entry, queue.from);
    go(hrefOf({ page: 'player', params: { id: following.item }, query }), { replace: true });
  }, [isPassedOver, following?.entry]);
  useTitle(item?.title);
  const behind: To = queue
    ? queuePage(queue)
    : item?.extra
      ? pageOf(item.extra.of)
      : item?.show
        ? { page: 'show', params: { id: item.show.id }, query: { season: item.season } }
        : { page: 'item', params: { id } };
  const failed = error ?? (item ? undefined : itemError);
  if (failed)
    return (
      <div className={css.alone}>
        <h1 className="unseen">{m.player}</h1>
        <ErrorState title={m.thisCannotBePlayedNow} error={failed} retry={() => void again().catch(() => reload())} />
        <p className={css.way}>
          {isTimeOver(failed) && <ButtonLink to={{ page: 'requests' }}>{m.askForMoreTime}</ButtonLink>}
          <ButtonLink look="quiet" to={behind}>
            {m.goBack}
          </ButtonLink>
        </p>
      </div>
    );
  if (!plan || !item || isAudio || other === 'asking' || typeof other === 'object')
    return (
      <div className={css.alone}>
        <h1 className="unseen">{m.player}</h1>
        <Pending says={m.loadingTheFilm} />
      </div>
    );
  if (!deliveryOf(plan) && !(isTried && plan.urls.media !== undefined))
    return <CannotPlay {...{ item, plan, version, behind }} onTry={() => setTried(true)} />;
  const first = part ?? firstPart(plan, start);
  if (part === undefined && first !== 0 && deliveryOf(plan) === 'direct') {
    go(hrefOf({ page: 'player', params: { id }, query: { version, part: first, start, ...listed } }), {
      replace: true,
    });
    return null;
  }
  return (
    <Stage
      key={`${version}/${part}/${queue?.entry}`}
      {...{ item, plan, choices, isTried, version, part: first, behind, again }}
    />
  );
};

const isTimeOver = (error: unknown): boolean => error instanceof CallFailed && error.reason === 'watch-time-over';

const hasSoundOrPicture = ({ kind }: Pick<Reply<'catalog', 'item'>, 'kind'>): boolean =>
  ['audio', 'video'].includes(itemFacts(kind).medium ?? '');

/** Returns what the audio player plays: the rest of the list or album, or the item if that cannot be read. */
async function listenedFrom(
  item: Parameters<typeof listenItemOf>[0],
  queue: QueuePlace | undefined,
): Promise<{ items: ListenItem[]; after?: string | undefined }> {
  try {
    if (queue) return await listenedInList(queue);
    if (item.kind === 'track')
      return { items: (await call.music.queue({ id: item.id })).items.map((one) => listenItemOf(one)) };
  } catch {
    // Better the item alone than nothing.
  }
  return { items: [listenItemOf(item)] };
}

/** The file to begin with, of a film in several: the one that the wanted time is in. */
function firstPart({ parts, position }: PlanReply, start: string | undefined): number {
  if (parts.length < 2) return 0;
  const wanted = start === undefined ? position : Number(start);
  return [...parts].reverse().find((one) => one.start <= wanted)?.part ?? 0;
}
