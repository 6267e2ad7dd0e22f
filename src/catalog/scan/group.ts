/** Sorting the videos of a folder into the items that they make; what makes none is loose, with its reason. */
import { guess } from '../naming/guess.ts';
import { fold } from '../naming/text.ts';
import type { Guess } from '../naming/types.ts';
import type { FileTable, LibraryTable } from '../store/tables.ts';
import { UNWANTED, type Gathered } from './gather.ts';
import { episodeKey, type FolderView } from './place.ts';
import { joined, parentOf } from './scope.ts';

/** A video with what its name says. */
export interface Named {
  row: FileTable;
  guess: Guess;
}
/** The files of one item in one folder. */
export interface Group {
  /** Of a film its whole key; of an episode the show's, and its own within the show. */
  key: string;
  folder: Gathered;
  view: FolderView;
  /** Whether the folder holds nothing else, so that its pictures and its NFO are this film's. */
  isAlone: boolean;
  /** The folder of the film where its parts lie in folders of their own. */
  home: string | undefined;
  rows: Named[];
  /** Whether those who follow changes are to hear of it, though the item may look as before. */
  isTouched: boolean;
}

export const showKey = ({ show, title }: Guess): string => `show:${fold(show?.title ?? title)}:${show?.year ?? ''}`;
const kindOf = ({ kind }: LibraryTable) => (kind === 'movies' || kind === 'shows' ? kind : 'mixed');
/** In a folder of few videos, any subtitle that changed may be of any of them. */
const FEW = 20;

/** What the name of a file means in its library. */
export const named = (library: LibraryTable, row: FileTable, names: readonly string[]): Guess =>
  guess({ kind: kindOf(library), path: joined(row.folder, row.name), siblings: names });
export const groupKey = (said: Guess, name: string): string =>
  said.kind === 'movie' ? `film:${said.folderKey}` : `${showKey(said)}#${episodeKey(said, name)}`;

export function groupsOf(one: Gathered, library: LibraryTable): { groups: Group[]; loose: FileTable[] } {
  const view: FolderView = { path: one.folder.path, videos: one.videos.map(({ name }) => name), asides: one.asides };
  const byKey = new Map<string, Group>();
  const loose: FileTable[] = [...one.flaws];
  for (const row of one.videos) {
    const said = named(library, row, one.names);
    if (said.kind !== 'movie' && said.kind !== 'episode') {
      loose.push({
        ...row,
        label: said.kind,
        problem: said.kind === 'unplaced' ? (said.reason ?? 'nothing in its name says what it is') : null,
        evidence: JSON.stringify(said.evidence),
        probed: UNWANTED,
      });
      continue;
    }
    const key = groupKey(said, row.name);
    const had = byKey.get(key) ?? {
      key,
      folder: one,
      view,
      isAlone: false,
      home: homeOf(said, row.folder),
      rows: [],
      isTouched: false,
    };
    had.rows.push({ row, guess: said });
    byKey.set(key, had);
  }
  const groups = [...byKey.values()];
  for (const each of groups) {
    each.isAlone = groups.length === 1 && each.rows[0]?.guess.kind === 'movie';
    each.isTouched =
      each.rows.some(({ row }) => one.unread.has(row.id) || one.moved.has(row.id)) || isStirred(each, one);
  }
  return { groups, loose };
}

/** The folder above, where a film's parts lie in folders of their own. */
function homeOf(said: Guess, folder: string): string | undefined {
  return said.kind === 'movie' && parentOf(said.folderKey) !== folder.normalize('NFC') ? parentOf(folder) : undefined;
}

function isStirred({ rows }: Group, { stirred, videos }: Gathered): boolean {
  if (stirred.length === 0 || videos.length <= FEW) return stirred.length > 0;
  return rows.some(({ row }) => {
    const base = row.name
      .replace(/\.[^.]+$/, '')
      .normalize('NFC')
      .toLowerCase();
    return stirred.some((name) => name.startsWith(base));
  });
}
