/** The catalogue: which language is chosen, what is loaded of it, and that no language lacks anything. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { area, chooseSpoken, SPOKEN_LANGUAGES, settled, speak, speaking, type Translation } from './catalogue.ts';
import { counted, plural } from './plural.ts';
import { rich } from './rich.ts';

interface Messages {
  a: string;
  b: (parameters: { name: string }) => string;
}

test('the first wish that there are words for is spoken, with the region of that language', () => {
  for (const [wishes, language, locale] of [
    [['de-AT', 'en'], 'de', 'de-AT'],
    [['de', 'en-GB', 'de-CH'], 'de', 'de-CH'],
    [['fr', 'EN-gb', 'de'], 'en', 'EN-gb'],
    [['fr', 'constructor'], 'en', 'en'],
    [[], 'en', 'en'],
  ] as const)
    assert.deepEqual(chooseSpoken(wishes), { language, locale }, wishes.join());
});

test('only the language that is spoken is loaded, each area once, and a failed one again', async () => {
  const loads: string[] = [];
  let shown = '';
  let isBroken = false;
  const loader = (language: string) => async () => {
    loads.push(language);
    await Promise.resolve();
    if (isBroken) throw new Error('not there');
    return { a: language };
  };
  area<{ a: string }>({ en: loader('en'), de: loader('de') }, ({ a }) => (shown = a));
  await speak(['en-GB']);
  await settled();
  assert.deepEqual([loads, shown, speaking().locale], [['en'], 'en', 'en-GB']);
  isBroken = true;
  await assert.rejects(speak(['de']));
  await assert.rejects(settled());
  isBroken = false;
  await settled();
  assert.deepEqual([loads, shown], [['en', 'de', 'de', 'de'], 'de']);
  // The language chosen last is shown, whichever arrives last.
  await Promise.all([speak(['en']), speak(['de'])]);
  assert.equal(shown, 'de');
});

test('numbers and their nouns follow the language', async () => {
  await speak(['en']);
  assert.equal(counted(1, 'film', 'films'), '1 film');
  assert.equal(counted(1204, 'film', 'films'), '1,204 films');
  assert.equal(plural(0, { one: 'is', other: 'are' }), 'are');
  await speak(['de']);
  assert.equal(counted(1204, 'Film', 'Filme'), '1.204 Filme');
});

test('elements replace their parameters in a message', () => {
  const message = ({ a, b }: { a: string; b: string }) => `${b}, then ${a}.`;
  assert.deepEqual(rich(message, { a: 'A', b: 'B' }), ['B', ', then ', 'A', '.']);
});

/** Returns the type of a message and the parameters that it reads. */
function used(message: unknown): string {
  if (typeof message !== 'function') return typeof message;
  const names = new Set<string>();
  const sample = new Proxy({}, { get: (_, name) => (names.add(String(name)), 2) });
  try {
    (message as (parameters: object) => string)(sample);
  } catch {
    // A parameter that is no number; which are read before is enough.
  }
  return `function of ${[...names].sort().join(', ')}`;
}
const flat = (messages: object, path = ''): Record<string, string> =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value as object, `${path}${key}.`))
        : [[`${path}${key}`, used(value)]],
    ),
  );
const only = async (path: string): Promise<object> =>
  Object.values((await import(path)) as Record<string, object>)[0] ?? {};
const AREAS = readdirSync(join(import.meta.dirname, 'en'));

test('every language has every message of every area, made of the same parameters', async () => {
  assert.ok(AREAS.length > 0);
  for (const language of Object.keys(SPOKEN_LANGUAGES)) {
    // Translations of English texts of the server have no English message.
    const files = readdirSync(join(import.meta.dirname, language)).filter(
      (file) => file !== 'reasons.ts' && !file.startsWith('server-'),
    );
    assert.deepEqual(files, AREAS);
    for (const file of AREAS) {
      const english = await only(`./en/${file}`);
      const messages = await only(`./${language}/${file}`);
      assert.deepEqual(flat(messages), flat(english), `${language}/${file}`);
    }
  }
});

/** Words that German has from English, or both from elsewhere, and names. All other messages differ. */
const SAME = new Set([
  ...(
    'Album App Audio Browser Clip Code Codec DVD Details Downloads Editor Encoder Esc Extra Featurette ' +
    'Film Filter Format Genre Genres ISBN Interview Label Logo Name Node Normal OK Offline Online ' +
    'Original PIN Passkey Passkeys Pause Person Planet Player Playlist Playlists Popcorn Position Poster ' +
    'Problem SAML Scan Sepia Server Special Specials Status Stream Studio Studios Subdomain System TV ' +
    'Text Timing Token Trailer Version Video digital deSEC DuckDNS FRITZ!Box'
  ).split(' '),
  'Dolby Vision',
  'OpenID Connect',
  'Unbound, pfSense, OPNsense',
  'dnsmasq, OpenWrt',
  'This product uses TMDB and the TMDB APIs but is not endorsed, certified, or otherwise approved by TMDB.',
]);
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test('no German message is English', async () => {
  const isText = (text: string): boolean => /\p{L}{2}/u.test(text);
  const [same, found]: [string[], string[]] = [[], []];
  for (const file of AREAS) {
    const english = new Set(textsIn(await only(`./en/${file}`)).filter(isText));
    for (const text of textsIn(await only(`./de/${file}`)))
      if (english.has(text)) (SAME.has(text) ? same : found).push(text);
  }
  assert.deepEqual(found, []);
  assert.deepEqual(
    [...SAME].filter((text) => !same.includes(text)),
    [],
    'words that are no longer the same',
  );
});

test('a message of other parameters than were given is found', () => {
  const english = { a: ({ name, count }: { name: string; count: number }) => `${name} ${count}` };
  const german: Translation<typeof english> = { a: ({ name }) => name };
  assert.notDeepEqual(flat(german), flat(english));
});

// None of these may compile: the type checker is the test.
declare const m: Messages;
export const notCompiled = (): unknown => [
  // @ts-expect-error a key that does not exist
  m.c,
  // @ts-expect-error a parameter is missing
  m.b({}),
  // @ts-expect-error a parameter too many
  m.b({ name: 'x', more: 1 }),
  // @ts-expect-error a parameter of another type
  m.b({ name: 1 }),
  // @ts-expect-error a message that no language provides
  { a: 'x' } satisfies Translation<Messages>,
  // @ts-expect-error a message that English does not have
  { a: 'x', b: () => 'y', c: 'z' } satisfies Translation<Messages>,
  // @ts-expect-error text with a parameter that English does not give
  { a: ({ name }: { name: string }) => name, b: () => 'y' } satisfies Translation<Messages>,
];
