/** The state of an item's audio analysis: whether it runs, how far it is, and what it waits for. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { createInventoryDetails } from './item-details.ts';
import { wantedEverywhere } from './testing.ts';
import type { ListeningState } from '../../speech/index.ts';
import { installingStore } from '../store/installing.ts';
import { inventoryStore } from '../store/inventory.ts';
import { auditStore } from '../store/audits.ts';
import { providerStore } from '../store/providers.ts';

test('an item whose audio waits to be analysed names the item before it', async (t) => {
  const folder = await openTemporaryFolder(t);
  await makeVideo(join(folder, 'media/Mine (2001)/Mine (2001).mkv'));
  await makeVideo(join(folder, 'media/Some Show/Season 1/Some Show S01E02.mkv'));
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const [mine, other] = [await world.idOf('Mine'), await world.idOf('S01E02')];
  const states = new Map<string, ListeningState>();
  const one = createInventoryDetails({
    inventory: inventoryStore(world.db),
    installing: installingStore(world.db),
    providers: providerStore(world.db),
    audits: auditStore(world.db),
    wanted: wantedEverywhere(['en']),
    libraries: () => world.catalog.libraries(),
    providerStates: () => Promise.resolve([]),
    catalog: world.catalog,
    speech: { stateOf: (id) => states.get(id) },
  });
  const listening = async () => endpoints.item.result.parse(await one.item(mine)).listening;
  assert.equal(await listening(), undefined);
  states.set(mine, { state: 'waiting', behind: other });
  const told = await listening();
  assert.match(told?.waitsFor ?? '', /^Some Show, S01E02/);
  assert.equal(told?.state, 'waiting');
  states.set(mine, { state: 'waiting', behind: 'f'.repeat(16) });
  assert.deepEqual(await listening(), { state: 'waiting' });
  states.set(mine, { state: 'listening', progress: 0.5 });
  assert.deepEqual(await listening(), { state: 'listening', progress: 0.5 });
});
