/**
 * Items that match a rule, as one Profile may see them. Conditions on people and playlists are looked up first, because
 * the library index does not hold them; the rest is tested in the index.
 */
import { leavesOf, type RuleLeaf } from '../../contract/catalog/rule-fields.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { RuleMatches, RuleQuestion, SubtitledItems } from './library-index/types.ts';
import { foldWord } from './library-index/words.ts';
import type { PageNeeds } from './kind.ts';
import type { TextSearch } from './text-search/index.ts';
import type { Watching } from './watching.ts';

/** The answer before a domain that reads subtitles is there. */
export const NO_SUBTITLES: SubtitledItems = { version: 0, all: new Set(), byLanguage: new Map() };

export interface RuleMatchNeeds extends Pick<PageNeeds, 'index' | 'store' | 'sidecarFacts'> {
  texts: Pick<TextSearch, 'find' | 'version'>;
  watching: Pick<Watching, 'rows' | 'versionOf'>;
}

const textsOf = ({ value }: RuleLeaf): string[] => [...new Set((Array.isArray(value) ? value : [value]).map(String))];

/** Returns the items that have a person of one of these names among their people. */
async function itemsWith({ texts, store }: RuleMatchNeeds, names: readonly string[]): Promise<Set<string>> {
  const wanted = new Set(names.map((name) => foldWord(name).trim()));
  // The text search finds items by the words of the name; their people then decide.
  const candidates = new Set(
    (await Promise.all(names.map((name) => texts.find(name)))).flatMap(({ people }) => people),
  );
  const details = await store.details([...candidates]);
  return new Set(
    [...details].flatMap(([id, { people }]) =>
      people.some(({ name }) => wanted.has(foldWord(name).trim())) ? [id] : [],
    ),
  );
}

export async function ruleMatches(
  needs: RuleMatchNeeds,
  by: { profile: string; policy: Policy },
  { query, now, itemsOfPlaylist, playlistVersion, from, limit }: RuleQuestion,
): Promise<RuleMatches> {
  const { index, texts, watching } = needs;
  const leaves = leavesOf(query.rules);
  const named = new Map<RuleLeaf, ReadonlySet<string>>();
  for (const leaf of leaves) {
    if (leaf.field === 'person') named.set(leaf, await itemsWith(needs, textsOf(leaf)));
    if (leaf.field !== 'playlist') continue;
    const items = await Promise.all(textsOf(leaf).map(itemsOfPlaylist));
    named.set(leaf, new Set(items.flatMap((some) => [...some])));
  }
  const isAboutSubtitles = leaves.some(({ field }) => field === 'subtitle');
  const subtitled = isAboutSubtitles ? await needs.sidecarFacts.subtitled() : NO_SUBTITLES;
  const watched = await watching.rows(by.profile);
  const asker = {
    policy: by.policy,
    watched,
    watchKey: `${by.profile} ${watching.versionOf(by.profile)}`,
    now,
    named,
    namedKey: named.size === 0 ? '' : `${by.profile} ${playlistVersion} ${texts.version()}`,
    subtitled,
  };
  return index.matching(query, asker, { from, limit });
}
