/** Which items are analysed together: the episodes of a season, and each film alone. */
import { createHash } from 'node:crypto';
import {
  BEFORE_ALL,
  type CatalogBackground,
  changesSince,
  type FollowedPosition,
  type Subject,
} from '../../../catalog/index.ts';
import { Failure } from '../../../lib/failure.ts';
import { versionTimeline } from '../timeline.ts';

export interface AnalysisRequest {
  item?: string | undefined;
  show?: string | undefined;
  library?: string | undefined;
}
export interface EpisodeGroup {
  items: string[];
}
export interface AnalysisChanges {
  groups: EpisodeGroup[];
  /** The position in the catalogue when these are analysed. */
  position: FollowedPosition;
}

/** Reads groups out of the catalogue as background work sees it: all of it. */
export function createGroups({
  catalog,
}: {
  catalog: Pick<CatalogBackground, 'seasons' | 'subject' | 'changedSince' | 'isOnline'>;
}) {
  async function seasonsOf(show: string): Promise<EpisodeGroup[]> {
    return (await catalog.seasons(show)).map((items) => ({ items }));
  }
  async function groupOf(subject: Subject): Promise<EpisodeGroup> {
    const own = subject.show
      ? (await seasonsOf(subject.show.id)).find(({ items }) => items.includes(subject.id))
      : undefined;
    return own ?? { items: [subject.id] };
  }

  return {
    /** Returns the requested groups. Throws `Failure('missing')` if there are none. */
    async wanted({ item, show, library }: AnalysisRequest, signal: AbortSignal): Promise<EpisodeGroup[]> {
      if (item !== undefined) {
        const subject = await catalog.subject(item);
        if (!subject || subject.gone) throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
        return [await groupOf(subject)];
      }
      if (show !== undefined) {
        const groups = await seasonsOf(show);
        if (groups.length === 0) throw new Failure('missing', 'no such show', { reason: 'no-such-show' });
        return groups;
      }
      return (await this.changedSince(BEFORE_ALL, library, signal)).groups;
    },

    /** Groups with a member that changed after a position and whose library can be reached. */
    async changedSince(
      since: FollowedPosition,
      library: string | undefined,
      signal: AbortSignal,
    ): Promise<AnalysisChanges> {
      const films: EpisodeGroup[] = [];
      const shows = new Map<string, Set<string>>();
      let position = since;
      for await (const batch of changesSince(catalog, since, signal)) {
        ({ position } = batch);
        for (const { id, show, gone, library: own } of batch.items) {
          if (gone || (library !== undefined && own !== library)) continue;
          if (show) shows.set(show.id, (shows.get(show.id) ?? new Set()).add(id));
          else films.push({ items: [id] });
        }
      }
      const seasons: EpisodeGroup[] = [];
      for (const [show, ids] of shows)
        seasons.push(...(await seasonsOf(show)).filter(({ items }) => items.some((id) => ids.has(id))));
      return { groups: [...seasons, ...films], position };
    },

    /** The members of a group that are there. */
    async subjects({ items }: EpisodeGroup): Promise<Subject[]> {
      const subjects: Subject[] = [];
      for (const id of items) {
        const subject = await catalog.subject(id);
        if (subject && !subject.gone && subject.files.length > 0) subjects.push(subject);
      }
      return subjects;
    },
  };
}

/** Changes with the members of a group and with the bytes of their files. */
export function signatureOf(subjects: readonly Subject[]): string {
  const members = subjects
    .map((subject) => [subject.id, versionTimeline(subject)?.bytes])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 32);
}
