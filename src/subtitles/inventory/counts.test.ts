/** The counts of the inventory always equal a recount of every item, after any steps, for any languages and kinds. */
import assert from 'node:assert/strict';
import { fc } from '../../../test/fast-check.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import type { Database } from '../../lib/db/index.ts';
import { inventoryRowOf } from './item.ts';
import { inventoryStore } from '../store/inventory.ts';
import { subtitleMigrations } from '../store/migrations.ts';
import { OFFLINE, REMOVED, AT, LIBRARIES, idOf, type ItemSpec, readAnswer, subjectOf, totalsOf } from './testing.ts';

/** Whether a thing has a wanted text (`en`, `en:sdh`): written again, and plainly, for the comparison. */
function has(thing: ItemSpec, wanted: string, first: string | undefined): boolean {
  const [language = '', kind = 'normal'] = wanted.split(':');
  return thing.said.some((one) => {
    const [tag = '', ...marks] = one.split(':');
    if (marks.includes('inside') && thing.state !== 'known') return false;
    if (['hidden', 'picture', 'commentary'].some((mark) => marks.includes(mark))) return false;
    if (marks.includes('forced') !== (kind === 'forced')) return false;
    if (kind === 'sdh' && !marks.includes('sdh')) return false;
    if (tag === '-') return !marks.includes('inside') && language === first;
    return tag === language || tag.startsWith(`${language}-`);
  });
}
const languageOf = (wanted: string): string => wanted.split(':')[0] ?? '';
const roleOf = (wanted: string) => (wanted.split(':')[1] ?? 'normal') as 'normal' | 'forced' | 'sdh';

interface Model {
  things: Map<number, ItemSpec>;
  unfound: Map<number, Set<string>>;
}

function recount({ things, unfound }: Model, wanted: readonly string[], first: string | undefined) {
  const totals = { total: 0, ready: 0, wanted: 0, pending: 0, unavailable: 0 };
  for (const thing of things.values()) {
    if (thing.library === REMOVED) continue;
    totals.total++;
    if (wanted.length === 0) continue;
    const missing = wanted.filter((one) => !has(thing, one, first));
    const isVain = missing.every((one) => unfound.get(thing.n)?.has(one));
    if (missing.length === 0) totals.ready++;
    else if (thing.library === OFFLINE || thing.state === 'broken') totals.unavailable++;
    else if (thing.state === 'unknown') totals.pending++;
    else if (isVain) totals.unavailable++;
    else totals.wanted++;
  }
  return totals;
}

const said = fc.constantFrom(
  'en',
  'en-us',
  'pt',
  'pt-br',
  'de',
  '-',
  'en:forced',
  'en:picture',
  'en:hidden',
  'en:sdh',
  'en:inside',
  'pt:inside:forced',
  '-:inside',
  '-:sdh',
  'pt:sdh:inside',
  'de:inside:picture',
  'de:inside:commentary',
  'pt-br:inside',
);

const thing = fc.record({
  n: fc.integer({ min: 1, max: 12 }),
  library: fc.integer({ min: 0, max: 2 }),
  isEpisode: fc.boolean(),
  state: fc.constantFrom('known' as const, 'known' as const, 'unknown' as const, 'broken' as const),
  said: fc.array(said, { maxLength: 4 }),
  version: fc.integer({ min: 0, max: 1 }),
});

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ put: fc.array(thing, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      search: fc.integer({ min: 1, max: 12 }),
      wanted: fc.constantFrom('en', 'pt', 'de', 'en:sdh', 'pt:forced'),
      outcome: fc.constantFrom('found' as const, 'nothing' as const, 'refused' as const, 'failed' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function apply(db: Database, model: Model, one: Step): Promise<void> {
  const store = inventoryStore(db);
  if ('put' in one) {
    // In one batch an item is there once.
    const things = [...new Map(one.put.map((each) => [each.n, each])).values()];
    await store.follow(
      things.map((each) => inventoryRowOf(subjectOf(each))).filter((row) => row !== undefined),
      [],
      { change: 1, gone: 1 },
    );
    for (const each of things) {
      if (model.things.has(each.n) && model.things.get(each.n)?.version !== each.version) model.unfound.delete(each.n);
      model.things.set(each.n, each);
    }
  } else if ('search' in one) {
    await store.searched(
      idOf(one.search),
      { language: languageOf(one.wanted), role: roleOf(one.wanted) },
      { at: AT, outcome: one.outcome, why: null },
    );
    if (!model.things.has(one.search)) return;
    const set = model.unfound.get(one.search) ?? new Set();
    model.unfound.set(one.search, set);
    if (one.outcome === 'nothing' || one.outcome === 'refused') set.add(one.wanted);
    else set.delete(one.wanted);
  } else {
    await store.follow([], one.remove.map(idOf), { change: 1, gone: 1 });
    for (const n of one.remove) {
      model.things.delete(n);
      model.unfound.delete(n);
    }
  }
}

eachEngine(
  'the counts equal a recount of every item, after any steps and for any languages and kinds',
  subtitleMigrations,
  async (_t, db) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom<readonly string[]>([], ['en'], ['pt'], ['en', 'pt', 'de'], ['en', 'pt', 'en:sdh', 'pt:forced']),
        async (steps, wanted) => {
          const languages = [...new Set(wanted.map(languageOf))];
          const of = (language: string) => wanted.filter((one) => languageOf(one) === language);
          const model: Model = { things: new Map(), unfound: new Map() };
          await inventoryStore(db).follow(
            [],
            Array.from({ length: 13 }, (_, n) => idOf(n)),
            { change: 0, gone: 0 },
          );
          assert.equal((await inventoryStore(db).shapes()).length, 0, 'nothing is counted when nothing is there');
          for (const one of steps) await apply(db, model, one);
          const reply = await readAnswer(db, wanted);
          assert.deepEqual(totalsOf(reply), recount(model, wanted, languages[0]));
          assert.equal(reply.matched, reply.total);
          assert.equal(reply.items.length, reply.total);
          for (const { language, ready, wanted } of reply.byLanguage) {
            const own = recount(model, of(language), languages[0]);
            assert.deepEqual({ ready, wanted }, { ready: own.ready, wanted: own.wanted });
          }
          assert.deepEqual(
            reply.byWanted.map(({ language, role, ...counts }) => [language, role, counts]),
            wanted.map((one) => {
              const { ready, wanted: lacking } = recount(model, [one], languages[0]);
              return [languageOf(one), roleOf(one), { ready, wanted: lacking }];
            }),
          );
          assert.deepEqual(
            reply.byLibrary.map(({ name }) => name),
            ['Films', 'Attic'],
            'libraries that are configured and hold videos, in their order',
          );
          for (const { library, total, languages: each } of reply.byLibrary) {
            const here: Model = {
              things: new Map([...model.things].filter(([, one]) => LIBRARIES[one.library] === library)),
              unfound: model.unfound,
            };
            assert.equal(total, here.things.size);
            assert.deepEqual(
              each,
              languages.map((language) => {
                const { ready, wanted: lacking } = recount(here, of(language), languages[0]);
                return { language, ready, wanted: lacking };
              }),
            );
            const listed = await readAnswer(db, wanted, { library });
            assert.equal(listed.matched, total);
            assert.deepEqual(
              listed.items,
              reply.items.filter(({ id }) => here.things.has(Number.parseInt(id, 16))),
              'a library chooses what is listed',
            );
            assert.deepEqual(totalsOf(listed), totalsOf(reply), 'and leaves the totals');
          }
          for (const item of reply.items) {
            const own = model.things.get(Number.parseInt(item.id, 16)) as ItemSpec;
            assert.deepEqual(
              item.lacks.map(({ language, role }) => (role === 'normal' ? language : `${language}:${role}`)),
              wanted.filter((one) => !has(own, one, languages[0])),
            );
            assert.deepEqual(item.missing, [...new Set(item.lacks.map(({ language }) => language))]);
            assert.equal(item.ready, wanted.length > 0 && item.missing.length === 0);
          }
          for (const status of ['ready', 'wanted', 'checking', 'unavailable'] as const) {
            assert.equal(
              (await readAnswer(db, wanted, { status, view: 'summary' })).matched,
              reply[status === 'checking' ? 'pending' : status],
            );
          }
          assert.deepEqual(
            totalsOf(await readAnswer(db, wanted, { language: 'de' })),
            recount(model, wanted.includes('de') ? of('de') : ['de'], languages[0]),
          );
        },
      ),
      { numRuns: db.engine === 'sqlite' ? 60 : 15 },
    );
  },
);
