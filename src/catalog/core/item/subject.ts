/** Subjects: films and episodes as work in the background sees them, with everything next to their files. */
import { isPersonal, itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import type { ItemRecord } from '../../store/records.ts';
import type { Subject } from '../../types.ts';
import type { PageNeeds } from '../kind.ts';
import { editListsOf, filesOf, itemSidecars, markedSidecars, readOnce } from './files.ts';

type SubjectNeeds = Pick<PageNeeds, 'store' | 'itemFiles' | 'rootOf' | 'isOnline'>;

/** Returns a subject for playing, in which unreadable sidecars are marked. */
export const playedSubjectOf = (needs: SubjectNeeds & Pick<PageNeeds, 'sidecarFacts'>, item: ItemRecord) =>
  makeSubject(needs, item, (store, files) => markedSidecars({ ...needs, store }, item.id, files));

export const subjectOf = (needs: SubjectNeeds, item: ItemRecord): Promise<Subject> =>
  makeSubject(needs, item, itemSidecars);

async function makeSubject(needs: SubjectNeeds, item: ItemRecord, sidecarsOf: typeof itemSidecars): Promise<Subject> {
  const files = item.present === 1 ? await filesOf(needs, item.id) : [];
  const show = item.show === null ? undefined : await needs.store.item(item.show);
  const near = readOnce(needs.store);
  return {
    id: item.id,
    library: item.library,
    // An extra and a clip are played as a film is.
    kind:
      itemFacts(item.kind as ItemKind).role === 'extra' || isPersonal(item.kind as ItemKind)
        ? 'movie'
        : (item.kind as Subject['kind']),
    title: item.title,
    year: item.year ?? undefined,
    show: show && { id: show.id, title: show.title, year: show.year ?? undefined, ids: show.detail.ids },
    season: item.season_number ?? undefined,
    episode: item.episode_number ?? undefined,
    episodeEnd: item.episode_end ?? undefined,
    ids: item.detail.ids,
    added: item.added,
    available: needs.isOnline(item.library),
    files,
    sidecars: await sidecarsOf(near, files),
    editLists: await editListsOf(near, files),
    change: item.change,
    gone: item.present === 0,
  };
}
