/**
 * Edits of metadata by an Owner: one item, many at once with a preview, pictures, and undo.
 *
 * A preview and the edit itself compute the changes by the same function, the edit inside its transaction. Items that
 * the caller may not see do not exist: one of them among many refuses the whole edit.
 */
import { createHash } from 'node:crypto';
import type { ItemKind } from '../../contract/catalog/kinds.ts';
import { canHaveFact, EDITABLE_FACTS, type EditableFact, KIND_FACTS } from '../../contract/catalog/editable-facts.ts';
import type { BulkResult, EditedFacts, Metadata } from '../../contract/catalog/metadata.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { indexChange } from '../store/index-rows.ts';
import type { EditStore } from '../store/layers/edits.ts';
import { tidyEdit } from '../store/layers/edits.ts';
import { factsOfItem, type FactLayers, foldLayers, type LayerFacts, sourceOfFact } from '../store/layers/facts.ts';
import type { LayeredItem, LayerStore } from '../store/layers/index.ts';
import type { Person } from '../store/records.ts';
import { createImageEdits, type ImageEditNeeds, type ImageEdits, type VisibleItems } from './image-edits.ts';
import type { IndexSync } from './index-sync.ts';
import type { Snapshot } from './snapshot/index.ts';

export interface BulkEditRequest {
  ids: readonly string[];
  set?: Partial<EditedFacts> | undefined;
  add?: NameLists | undefined;
  remove?: NameLists | undefined;
  unlock?: readonly EditableFact[] | undefined;
  dryRun: boolean;
  digest?: string | undefined;
}
interface NameLists {
  genres?: readonly string[] | undefined;
  studios?: readonly string[] | undefined;
  artists?: readonly string[] | undefined;
}
const LISTS = ['genres', 'studios', 'artists'] as const;

export interface MetadataEdits {
  read(seen: VisibleItems, id: string): Promise<Metadata>;
  edit(
    seen: VisibleItems,
    id: string,
    given: { set: Partial<EditedFacts>; unlock: readonly EditableFact[] },
  ): Promise<Metadata>;
  bulk(seen: VisibleItems, request: BulkEditRequest): Promise<BulkResult>;
  undo(seen: VisibleItems, change: string): Promise<void>;
  images: ImageEdits;
}

export interface MetadataEditNeeds extends ImageEditNeeds {
  layers: LayerStore;
  edits: EditStore;
  sync: IndexSync;
  snapshot: Snapshot;
  clock: Clock;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const editable = (item: LayeredItem['record'], layers: FactLayers): Metadata['values'] => {
  const {
    plot = null,
    tagline = null,
    originalTitle = null,
    year = null,
    released = null,
    ...facts
  } = factsOfItem(foldLayers(item, layers));
  const kind = item.kind as ItemKind;
  const { title = '', sortTitle = '', genres = [], studios = [], people = [], communityRating = null } = facts;
  return {
    ...{ title, sortTitle, originalTitle, year, released, tagline, plot, communityRating },
    ...{ genres: [...genres], studios: [...studios], people: people.map(namedPerson) },
    ...Object.fromEntries(
      KIND_FACTS.filter((fact) => canHaveFact(fact, kind)).map((fact) => [
        fact,
        (facts as Partial<Record<EditableFact, unknown>>)[fact] ?? (fact === 'artists' ? [] : null),
      ]),
    ),
  };
};
const namedPerson = ({ name, role, job }: Pick<Person, 'name' | 'job'> & { role?: string | undefined }) => ({
  name,
  ...(role !== undefined && { role }),
  job,
});
/** Returns people as an edit names them, with the ids of those whom the item already has. */
function identified(people: NonNullable<Partial<EditedFacts>['people']>, known: readonly Person[]): Person[] {
  const byName = new Map(known.map((person) => [person.name, person]));
  return people.map((person) => {
    const { ids, picture } = byName.get(person.name) ?? {};
    return { ...namedPerson(person), ...(ids && { ids }), ...(picture !== undefined && { picture }) };
  });
}
const lockedFacts = ({ edit }: FactLayers): EditableFact[] =>
  EDITABLE_FACTS.filter((name) => edit?.[name] !== undefined);

/** Returns each name once, whatever its case, as it is written first. */
function distinct(names: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const name of names)
    if (!known.has(name.trim().toLowerCase())) known.set(name.trim().toLowerCase(), name.trim());
  return [...known.values()];
}

/** Returns the edit of an item after a request. */
function editAfter(
  { record, layers }: LayeredItem,
  { set = {}, add, remove, unlock = [] }: Omit<BulkEditRequest, 'ids' | 'dryRun'>,
): LayerFacts | null {
  const edit: Record<string, unknown> = { ...layers.edit };
  for (const name of unlock) delete edit[name];
  for (const [name, value] of Object.entries(set)) if (value !== undefined) edit[name] = value;
  if (set.people) edit['people'] = identified(set.people, factsOfItem(foldLayers(record, layers)).people ?? []);
  for (const name of LISTS) if (set[name]) edit[name] = distinct(set[name]);
  const shown = editable(record, { ...layers, edit: edit as LayerFacts });
  requireFitting(record.kind as ItemKind, { ...remove, ...add, ...set }, shown);
  for (const name of LISTS) {
    const before = shown[name] ?? [];
    const without = new Set((remove?.[name] ?? []).map((one) => one.trim().toLowerCase()));
    const names = distinct([...before.filter((one) => !without.has(one.toLowerCase())), ...(add?.[name] ?? [])]);
    if ((add?.[name] ?? remove?.[name]) !== undefined && !isSame(names, before)) edit[name] = names;
  }
  return tidyEdit(edit as LayerFacts);
}

/** Facts of a request, whatever it does with them. */
type GivenFacts = Partial<Readonly<Record<EditableFact, unknown>>>;
function requireFitting(kind: ItemKind, set: GivenFacts, shown: Metadata['values']): void {
  const other = EDITABLE_FACTS.find((fact) => set[fact] !== undefined && !canHaveFact(fact, kind));
  if (other !== undefined)
    throw new Failure('conflict', `an item of this kind has no ${other}`, { reason: 'fact-not-of-kind' });
  if (set.seriesNumber != null && shown.series == null)
    throw new Failure('conflict', 'a number without a series', { reason: 'number-without-series' });
}

const withEdit = ({ edit: _edit, ...others }: FactLayers, edit: LayerFacts | null): FactLayers =>
  edit === null ? others : { ...others, edit };

function changesOf(item: LayeredItem, request: Omit<BulkEditRequest, 'ids' | 'dryRun'>): BulkResult['items'] {
  const after = withEdit(item.layers, editAfter(item, request));
  const [was, is] = [editable(item.record, item.layers), editable(item.record, after)];
  const [wasLocked, isLocked] = [lockedFacts(item.layers), lockedFacts(after)];
  const changes = EDITABLE_FACTS.flatMap((fact) => {
    const locked = isLocked.includes(fact);
    const isChanged = !isSame(was[fact], is[fact]) || locked !== wasLocked.includes(fact);
    return isChanged ? [{ fact, before: was[fact], after: is[fact], locked }] : [];
  });
  return changes.length === 0 ? [] : [{ id: item.record.id, title: item.record.title, changes }];
}

const digestOf = (items: BulkResult['items']): string =>
  createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 32);

const kindsOf = (items: readonly LayeredItem[]): ItemKind[] => [
  ...new Set(items.map(({ record }) => record.kind as ItemKind)),
];

/** Returns the items in the order of the request, or fails if one is not there. */
function inOrder(ids: readonly string[], items: readonly LayeredItem[]): LayeredItem[] {
  const byId = new Map(items.map((item) => [item.record.id, item]));
  return ids.map((id) => found(byId.get(id), 'no such item', 'no-such-item'));
}

function requireSeen(seen: VisibleItems, ids: readonly string[]): void {
  if (!ids.every((id) => seen.isSeen(id) && !seen.extras.isExtra(id)))
    throw new Failure('missing', 'no such item', { reason: 'no-such-item' });
}
function requireDistinct({ set = {}, add, remove, unlock = [] }: Omit<BulkEditRequest, 'ids' | 'dryRun'>): void {
  const listed = [...Object.keys(add ?? {}), ...Object.keys(remove ?? {})];
  if ([...unlock, ...listed].some((name) => set[name as EditableFact] !== undefined))
    throw new Failure('invalid', 'a fact is set and unlocked, or set and added to', {
      reason: 'fact-set-and-unlocked',
    });
}

export function createMetadataEdits(needs: MetadataEditNeeds): MetadataEdits {
  const { layers, edits, sync, snapshot, clock } = needs;

  const layered = async (seen: VisibleItems, id: string): Promise<LayeredItem> => {
    requireSeen(seen, [id]);
    return inOrder([id], await layers.read([id]))[0] as LayeredItem;
  };
  const change = (
    { recorded }: VisibleItems,
    ids: readonly string[],
    editOf: (item: LayeredItem) => LayerFacts | null,
    check: (items: readonly LayeredItem[]) => void = () => {},
  ): Promise<string | undefined> =>
    snapshot.during(async () => {
      const done = await edits.change(ids, {
        editOf,
        check: (items) => check(inOrder(ids, items)),
        now: clock.now(),
        recorded,
      });
      sync.applied(done.rows.map(indexChange));
      return done.change;
    });
  const metadataOf = async (seen: VisibleItems, id: string, changed?: string): Promise<Metadata> => {
    const { record, layers: own } = await layered(seen, id);
    const locked = lockedFacts(own);
    const below = editable(record, withEdit(own, null));
    const values = editable(record, own);
    const sources = EDITABLE_FACTS.flatMap((name) => {
      const source = sourceOfFact(own, name);
      // An empty list states nothing unless an Owner set it.
      const isNothing = source !== 'edit' && isSame(values[name], []);
      return source === undefined || isNothing ? [] : [[name, source] as const];
    });
    return {
      id,
      kind: record.kind as ItemKind,
      values,
      sources: Object.fromEntries(sources),
      locked,
      without: Object.fromEntries(locked.map((name) => [name, below[name]])),
      lockedByFile: own.nfo?.locked === true,
      ...(changed !== undefined && { change: changed }),
    };
  };

  return {
    read: (seen, id) => metadataOf(seen, id),
    edit: async (seen, id, { set, unlock }) => {
      requireSeen(seen, [id]);
      requireDistinct({ set, unlock });
      return metadataOf(seen, id, await change(seen, [id], (item) => editAfter(item, { set, unlock })));
    },
    bulk: async (seen, { ids: given, dryRun, ...request }) => {
      const ids = [...new Set(given)];
      requireSeen(seen, ids);
      requireDistinct(request);
      if (dryRun) {
        const all = inOrder(ids, await layers.read(ids));
        const items = all.flatMap((item) => changesOf(item, request));
        return { items, kinds: kindsOf(all), digest: digestOf(items) };
      }
      let items: BulkResult['items'] = [];
      let kinds: BulkResult['kinds'] = [];
      const changed = await change(
        seen,
        ids,
        (item) => editAfter(item, request),
        (all) => {
          items = all.flatMap((item) => changesOf(item, request));
          kinds = kindsOf(all);
          if (request.digest !== undefined && request.digest !== digestOf(items))
            throw new Failure('conflict', 'the items changed after the dry run', { reason: 'items-changed' });
        },
      );
      return { items, kinds, digest: digestOf(items), ...(changed !== undefined && { change: changed }) };
    },
    undo: async (seen, id) => {
      const ids = await edits.itemsOf(id);
      if (ids.length === 0 || !ids.every(seen.isSeen))
        throw new Failure('missing', 'no such change', { reason: 'no-such-edit' });
      await snapshot.during(async () => {
        sync.applied((await edits.undo(id, { now: clock.now(), recorded: seen.recorded })).map(indexChange));
      });
    },
    images: createImageEdits(needs, { layered, change, requireSeen }),
  };
}
