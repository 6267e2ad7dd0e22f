/** Reads one item of the inventory with the history of its subtitles, and the state of one of its languages. */
import type { z } from 'zod';
import type { CatalogBackground } from '../../catalog/index.ts';
import type { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import type { LanguageState, ListeningView } from '../../contract/subtitles/states.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { totalLength, mainFile } from './item.ts';
import type { Speech } from '../../speech/index.ts';
import { createPartFinder } from '../parts/part-catalog.ts';
import type { HistoryRow } from '../store/rows.ts';
import { distinctLanguages } from '../wanted.ts';
import { readInventoryItem, type InventoryReply } from './inventory.ts';
import type { InventoryNeeds } from './page-items.ts';

export interface InventoryDetails {
  /** Throws `Failure('missing')` if the inventory has no such item. */
  item(id: string): Promise<z.input<typeof endpoints.item.result>>;
  /** Returns the state of one role of a language. */
  state(id: string, language: string, role: LanguageState['role']): Promise<LanguageState>;
}

export interface InventoryDetailsNeeds extends InventoryNeeds {
  /** The catalogue with whole items. */
  catalog: Pick<CatalogBackground, 'subject'>;
  speech: Pick<Speech, 'stateOf'>;
}

export function createInventoryDetails(needs: InventoryDetailsNeeds): InventoryDetails {
  const finder = createPartFinder(needs.catalog);
  const one = async (
    id: string,
    asked?: Pick<LanguageState, 'language' | 'role'>,
  ): Promise<InventoryReply['items'][number]> => {
    const item = await readInventoryItem(needs, id, asked);
    if (!item) throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
    return item;
  };
  return {
    item: async (id) => {
      const item = await one(id);
      // The item as a whole, with all of its parts.
      const subject = await needs.catalog.subject(id);
      const duration = subject && totalLength(subject);
      const keys = await finder.keysOf(id);
      const history = await historyOf(needs, keys);
      const library = subject && mainFile(subject)?.library;
      const wants = library === undefined ? needs.wanted.all() : needs.wanted.in(library);
      const listening = await listeningOf(needs, keys);
      return {
        ...item,
        configured: distinctLanguages(wants),
        wants: [...wants],
        ...(duration !== undefined && { duration }),
        ...(listening && { listening }),
        history: history.map(({ at, act, language, role, source, score, detail, notes, actor, part }) => ({
          ...(part !== undefined && { part }),
          at: iso(at),
          act,
          ...(actor !== null && { by: actor }),
          language,
          role,
          source,
          ...(score !== null && { score }),
          ...(detail !== null && { detail }),
          ...(notes && { notes }),
        })),
      };
    },
    state: async (id, language, role) => {
      const { languages } = await one(id, { language, role });
      const state = languages.find((each) => each.language === language && each.role === role);
      if (!state) throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
      return state;
    },
  };
}

/** Returns what was changed next to each part, the latest change first. Items with one file have no part numbers. */
async function historyOf(
  { installing }: InventoryDetailsNeeds,
  keys: readonly { key: string; part: number }[],
): Promise<(HistoryRow & { part?: number })[]> {
  const all = await Promise.all(
    keys.map(async ({ key, part }) =>
      (await installing.history(key)).map((row) => (keys.length > 1 ? { ...row, part } : row)),
    ),
  );
  return all.flat().sort((a, b) => b.n - a.n);
}

/** Returns the state of the audio analysis of a part, with the title of the item that it waits for. */
async function listeningOf(
  { speech, inventory }: InventoryDetailsNeeds,
  keys: readonly { key: string }[],
): Promise<z.input<typeof ListeningView> | undefined> {
  const states = keys.map(({ key }) => speech.stateOf(key));
  const now = states.find((one) => one?.state === 'listening') ?? states.find((one) => one !== undefined);
  if (now?.state !== 'waiting') return now;
  const other = await inventory.row(now.behind);
  return {
    state: 'waiting',
    ...(other && { waitsFor: [other.title, other.context ?? ''].filter((part) => part !== '').join(', ') }),
  };
}
