/** One item of the inventory with what was done to its subtitles, and the state of one language of it. */
import type { z } from 'zod';
import type { Catalog } from '../catalog/index.ts';
import type { Actor, LanguageState, subtitles as endpoints } from '../contract/subtitles/library.ts';
import { iso } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { mainFile } from './inventory-item.ts';
import { inventoryOf, type InventoryNeeds, type InventoryReply } from './inventory.ts';

export interface InventoryOne {
  /** Fails as `missing` when the inventory has no such item. */
  item(id: string): Promise<z.input<typeof endpoints.item.result>>;
  /** The state of a language; of several roles the one that counts. */
  state(id: string, language: string): Promise<LanguageState>;
}

export function createInventoryOne(needs: InventoryNeeds & { catalog: Pick<Catalog, 'subject'> }): InventoryOne {
  const one = async (id: string, asked?: string): Promise<InventoryReply['items'][number]> => {
    const item = await inventoryOf(needs, id, asked);
    if (!item) throw new Failure('missing', 'no such film or episode');
    return item;
  };
  return {
    item: async (id) => {
      const item = await one(id);
      const subject = await needs.catalog.subject(id);
      const duration = subject && mainFile(subject)?.info?.duration;
      const history = await needs.installing.history(id);
      return {
        ...item,
        configured: [...needs.languages()],
        ...(duration !== undefined && { duration }),
        history: history.map(({ at, act, language, role, source, score, detail, actor }) => ({ at: iso(at), act, ...(actor !== null && { by: JSON.parse(actor) as Actor }), language, role, source, ...(score !== null && { score }), ...(detail !== null && { detail }) })),
      };
    },
    state: async (id, language) => {
      const { languages } = await one(id, language);
      const own = languages.filter((state) => state.language === language);
      const state = own.find(({ installed }) => installed !== undefined) ?? own[0];
      if (!state) throw new Failure('missing', 'no such film or episode');
      return state;
    },
  };
}
