/** For tests of the inventory: items with given subtitles, as the catalogue reports them. */
import type { Subject } from '../../catalog/index.ts';
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import type { Database } from '../../lib/db/index.ts';
import { readInventory, type InventoryQuery, type InventoryReply } from './inventory.ts';
import { inventoryRowOf } from './item.ts';
import { auditStore } from '../store/audits.ts';
import { installingStore } from '../store/installing.ts';
import { inventoryStore } from '../store/inventory.ts';
import { providerStore } from '../store/providers.ts';
import type { WantedSource } from '../wanted.ts';

export const LIBRARIES = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'] as const;

/** Indexes of a library that is offline, and of one that was removed from the configuration. */
export const OFFLINE = 1;
export const REMOVED = 2;
const MUSIC = 'eeeeeeeeeeeeeeee';
export const ALL: InventoryQuery = { view: 'library', status: 'all', kind: 'all', sort: 'title', page: 1, limit: 40 };

export const AT = Date.UTC(2026, 10, 21);

/**
 * A subtitle in the notation of these tests: `en`, `en:forced`, `en:picture`, `en:hidden`, `en:inside`, `-` for none.
 */
export type TrackSpec = string;

export interface ItemSpec {
  n: number;
  library: number;
  isEpisode: boolean;
  /** Whether the file was scanned, not scanned yet, or is broken. */
  state: 'known' | 'unknown' | 'broken';
  said: readonly TrackSpec[];
  version: number;
}

export const idOf = (n: number): string => n.toString(16).padStart(16, '0');

export const TITLES = ['The Lighthouse', 'Éclair', 'Zebra 2', 'Zebra 10', 'A Night', 'lighthouse II'];

export function subjectOf({ n, library, isEpisode, state, said, version }: ItemSpec): Subject {
  const relative = `Folder ${n}/Video ${n}.mkv`;
  const parts = said.map((one) => ({
    language: one.split(':')[0] === '-' ? undefined : one.split(':')[0],
    marks: one.split(':').slice(1),
  }));
  const stream = {
    type: 'subtitle' as const,
    default: false,
    hearingImpaired: false,
    commentary: false,
    original: false,
    cover: false,
  };
  const streams = parts.flatMap(({ language, marks }, index) =>
    marks.includes('inside')
      ? [
          {
            ...stream,
            index,
            codec: marks.includes('picture') ? 'hdmv_pgs_subtitle' : 'subrip',
            forced: marks.includes('forced'),
            hearingImpaired: marks.includes('sdh'),
            commentary: marks.includes('commentary'),
            ...(language !== undefined && { language }),
          },
        ]
      : [],
  );
  const sidecars = parts.flatMap(({ language, marks }, index) =>
    marks.includes('inside')
      ? []
      : [
          {
            relative: `Folder ${n}/Video ${n}.${index}.srt`,
            name: `Video ${n}.${index}.srt`,
            language,
            role: marks.includes('forced')
              ? ('forced' as const)
              : marks.includes('sdh')
                ? ('sdh' as const)
                : ('normal' as const),
            format: marks.includes('picture') ? 'sup' : 'srt',
            title: undefined,
            isHidden: marks.includes('hidden'),
            isDefault: false,
            size: 100 + index,
            modifiedMs: AT,
            version: idOf(n),
            part: 1,
          },
        ],
  );
  const title = TITLES[n % TITLES.length] ?? '';
  return {
    id: idOf(n),
    library: LIBRARIES[library] ?? LIBRARIES[0],
    kind: isEpisode ? 'episode' : 'movie',
    title: isEpisode ? `Part ${n}` : title,
    year: isEpisode ? undefined : 1950 + n,
    show: isEpisode ? { id: 'd'.repeat(16), title, year: 2001, ids: {} } : undefined,
    season: isEpisode ? 1 : undefined,
    episode: isEpisode ? n : undefined,
    episodeEnd: undefined,
    ids: {},
    added: AT,
    available: true,
    files: [
      {
        id: idOf(n),
        item: idOf(n),
        library: LIBRARIES[library] ?? LIBRARIES[0],
        root: '/media',
        relative,
        size: 1000 + version,
        modifiedMs: AT + n * 1000 + version,
        part: 1,
        info: state === 'known' ? { container: 'matroska', size: 1000, streams, chapters: [], tags: {} } : undefined,
        available: state !== 'broken',
      },
    ],
    sidecars,
    editLists: [],
    change: 0,
    gone: false,
  };
}

/** Returns what is wanted in every library, from the notation of these tests: `en`, `en:sdh`. */
export function wantedEverywhere(said: readonly string[]): WantedSource {
  const all = said.map((one): WantedSubtitle => {
    const [language = '', role = 'normal'] = one.split(':');
    return { language, role: role as WantedSubtitle['role'] };
  });
  return { first: () => all[0]?.language, in: () => all, all: () => all };
}

export const readAnswer = (
  db: Database,
  /** A language, `en:sdh`, or everything that is wanted by library. */
  wanted: readonly string[] | WantedSource,
  query: Partial<InventoryQuery> = {},
): Promise<InventoryReply> =>
  readInventory(
    {
      inventory: inventoryStore(db),
      installing: installingStore(db),
      providers: providerStore(db),
      audits: auditStore(db),
      wanted: 'in' in wanted ? wanted : wantedEverywhere(wanted),
      libraries: () => [
        { id: LIBRARIES[0], name: 'Films', kind: 'movies', isOnline: true },
        { id: LIBRARIES[OFFLINE], name: 'Attic', kind: 'mixed', isOnline: false },
        { id: MUSIC, name: 'Records', kind: 'music', isOnline: true },
      ],
      providerStates: async () => [],
    },
    { ...ALL, ...query },
  );

export const totalsOf = ({ total, ready, wanted, pending, unavailable }: InventoryReply) => ({
  total,
  ready,
  wanted,
  pending,
  unavailable,
});

export const plain = (n: number, more: Partial<ItemSpec> = {}): ItemSpec => ({
  n,
  library: 0,
  isEpisode: false,
  state: 'known',
  said: [],
  version: 0,
  ...more,
});

export const put = (db: Database, ...things: ItemSpec[]) =>
  inventoryStore(db).follow(
    things.map((one) => inventoryRowOf(subjectOf(one))).filter((row) => row !== undefined),
    [],
    { change: 7, gone: 3 },
  );
