/** Decides which show an episode belongs to: that of its folder, or the one that its own name states. */
import { PLACEMENT_CLUES, type PlacementClueText } from '../../../contract/catalog/clues.ts';
import type { FolderFacts } from '../../naming/folder.ts';
import { isCollectionFolder } from '../../naming/collection-folders.ts';
import { fold, hasIds } from '../../naming/text.ts';
import type { GuessInput } from '../../naming/types.ts';
import { countryOf, isCountry, isOtherShow } from './leads.ts';
import { agree, type ShowPlace, readShowName, type ShowName, tight } from './place.ts';

export interface ChosenShow extends ShowName {
  folder?: string;
  isFolder: boolean;
  /** Whether folder and file name the same show, if both name one. */
  isAgreed?: boolean;
}

export interface ShowEvidence {
  place: ShowPlace;
  /** The name before the numbers of the file. */
  lead: ShowName;
  facts: FolderFacts;
  kind: GuessInput['kind'];
  evidence: PlacementClueText[];
}

export function chooseShow({ place, lead, facts, kind, evidence }: ShowEvidence): ChosenShow | undefined {
  const folder = place.name === undefined ? undefined : readShowName(place.name);
  const own = fold(lead.title);
  const fromFile = own === '' ? undefined : { ...lead, isFolder: false };
  if (!folder || fold(folder.title) === '') return fromFile;
  if (fromFile && isOtherShow({ folder, lead, leads: facts.leads, isStated: isStated(folder), season: place.season })) {
    evidence.push(PLACEMENT_CLUES.severalShows);
    return fromFile;
  }
  // The folder of one season is not that of the show, whose other seasons are next to it.
  if (!place.showDirs) return hasOwnCountry(folder, own) && fromFile ? fromFile : { ...folder, isFolder: true };
  const fromFolder = {
    ...folder,
    ids: { ...lead.ids, ...folder.ids },
    folder: place.showDirs.join('/'),
    isFolder: true,
    ...(folder.year === undefined && lead.year !== undefined ? { year: lead.year } : {}),
  };
  if (own === '')
    return isCollectionFolder(place.name ?? '') && !isStated(folder) && place.seasonAt === undefined
      ? undefined
      : fromFolder;
  const title = fold(folder.title);
  if (agree(title, own) && (isStated(folder) || !isAmongOthers({ title, own, name: lead.title, place, facts }))) {
    evidence.push(PLACEMENT_CLUES.sameShow);
    return { ...fromFolder, isAgreed: true };
  }
  // A folder of one episode has the whole name of its release.
  const isRelease = place.episodeFolder !== undefined;
  const holdsOthers = place.seasonAt === undefined && (facts.showTitles.size > 1 || kind === 'mixed' || isRelease);
  const isNamed = isStated(folder) || (place.seasonAt !== undefined && !isCollectionFolder(place.name ?? ''));
  if ((isCollectionFolder(place.name ?? '') || holdsOthers) && !isNamed) {
    evidence.push(PLACEMENT_CLUES.severalShows);
    return fromFile;
  }
  evidence.push(PLACEMENT_CLUES.differentShows);
  return { ...fromFolder, isAgreed: false };
}

/** Whether the name of a file adds a country to that of the folder: `The.Office.S01/The.Office.US.S01E01`. */
const hasOwnCountry = ({ title }: ShowName, own: string): boolean =>
  own.startsWith(`${fold(title)} `) && countryOf(own) !== undefined && isCountry(own.slice(fold(title).length + 1));

/** Whether a year or an id says which show a folder is. */
const isStated = ({ year, ids }: ShowName): boolean => year !== undefined || hasIds(ids);

/** Separates the name of a show from the title of an episode that comes before its number. */
const DASHED = / [-–] /;

/**
 * Whether the folder `Star Trek` holds several shows, of which the file is one: the titles next to each other are
 * longer than that of the folder, and either count the same episodes or are not its title.
 */
function isAmongOthers(of: {
  title: string;
  own: string;
  name: string;
  place: ShowPlace;
  facts: FolderFacts;
}): boolean {
  const { title, own, name, place, facts } = of;
  const longer = (one: string) => one.startsWith(`${title} `) && !isCountry(one.slice(title.length + 1));
  if (place.seasonAt !== undefined || tight(own) === tight(title) || !longer(own)) return false;
  const others = [...facts.showTitles].filter(([one]) => one !== own);
  const episodes = facts.showTitles.get(own) ?? new Set<string>();
  const isRepeated = others.some(([, theirs]) => !theirs.isDisjointFrom(episodes));
  const isOwnTitle = others.some(([one]) => tight(one) === tight(title) || !longer(one));
  return others.length > 0 && (isRepeated || (!isOwnTitle && !DASHED.test(name)));
}
