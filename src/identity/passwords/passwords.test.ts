/** Passwords that are refused, and how passwords are hashed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHashing } from './hashing.ts';
import { checkPassword, isCommon } from './rules.ts';
import { COMMON_WORDS } from './words.ts';

const COMMON = [
  'password1234',
  'Password1234!',
  'P@ssw0rd1234',
  'passwordpassword',
  'p4ssw0rdp4ssw0rd',
  'drowssap1234'.replace('drowssap', 'password'),
  'iloveyou12345',
  'ILoveYou!!!2024',
  '123456789012',
  '098765432109',
  '111111111111',
  'aaaaaaaaaaaaaaaa',
  'abcabcabcabc',
  'abcdefghijkl',
  'zyxwvutsrqponm',
  'qwertyuiop12',
  'QWERTYUIOP[]',
  'asdfghjkl;12',
  '1qaz2wsx3edc',
  'q1w2e3r4t5y6',
  'qazwsxedcrfv',
  'qwertzuiop123',
  'azertyuiop123',
  'matinee12345',
  'Matinee-2026!',
  'welcome123456',
  'letmein!letmein',
  'administrator1',
  'adminadmin123',
  'changeme12345',
  'trustno1trustno1',
  'superman1234',
  'batman123456',
  'football2026',
  'liverpool1892',
  'summer2026!!!',
  'Sunshine12345',
  'monkey-monkey-1',
  '2026-11-20 12:00',
  '!!!!????....',
  'abababababab',
  'passw0rd-passw0rd',
  'йцукенгшщзхъ',
  'Ada1234567890',
  'ada.lovelace.1',
  'jellyfin12345',
  'rockyou123456',
];
const FINE = [
  'four warm brown bread rolls',
  'seven cold grey river stones',
  'Kx9!mQ2#vL7p',
  'correct horse battery staple',
  'gurkensalat mit dill',
  'a-plain-long-sentence',
  'monkey dragon football sunshine princess',
  'наша кошка любит сыр',
  '我们家的猫喜欢吃奶酪和鱼和鸡肉',
  'owner-pw-0042-xyz',
  'trombone-lettuce-9',
  'The quick brown fox',
];

for (const password of COMMON)
  test(`refused as common: ${password}`, () =>
    assert.throws(() => checkPassword(password, ['Ada Lovelace', 'Home']), { kind: 'invalid' }));
for (const password of FINE) test(`good enough: ${password}`, () => checkPassword(password, ['Ada Lovelace', 'Home']));

test('thousands of dressed-up words are refused without a list of them', () => {
  const dressed = [...COMMON_WORDS].flatMap((word) => [
    `${word}${'1234567890123'.slice(0, 13 - Math.min(9, word.length))}`.padEnd(12, '!'),
    `${word[0]?.toUpperCase()}${word.slice(1)}2026!!!!!!!!`,
    `${word.replaceAll('o', '0').replaceAll('a', '@').replaceAll('e', '3')}-123456789`,
    `${word}${word}${word}${word}`.padEnd(12, '1'),
  ]);
  assert.ok(dressed.length > 1_000);
  assert.deepEqual(
    dressed.filter((password) => !isCommon(password, [])),
    [],
  );
});

test('length is counted in characters, not in bytes or halves of them', () => {
  assert.throws(() => checkPassword('🦊🐻🐼🐨🐯🦁', []), { kind: 'invalid' });
  assert.throws(() => checkPassword('kurz und gut'.slice(0, 11), []), { kind: 'invalid' });
  checkPassword('🦊b🐼d🐯f🐸h🐙j🦋l', []);
  checkPassword('ein langer satz '.repeat(64).slice(0, 1_023) + 'q', []);
  assert.throws(() => checkPassword('x'.repeat(500) + 'ein langer satz '.repeat(40), []), { kind: 'invalid' });
});

test('a password is judged in time that grows with its length only', () => {
  // Linear work: the longest is refused or taken after at most so many looks, whatever it is made of.
  for (const text of ['a1'.repeat(512), 'password'.repeat(128), 'qwer'.repeat(256), '!'.repeat(1_024)])
    assert.equal(isCommon(text, []), true);
});

test('a kept hash describes itself and fits one password only', async () => {
  const hashing = createHashing();
  const kept = await hashing.make('four warm brown bread rolls');
  assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(await hashing.make('four warm brown bread rolls'), kept);
  assert.equal(await hashing.verify(kept, 'four warm brown bread rolls'), true);
  assert.equal(await hashing.verify(kept, 'four warm brown bread identities'), false);
  assert.equal(await hashing.verify(undefined, 'four warm brown bread rolls'), false);
  assert.equal(hashing.isOld(kept), false);
  assert.equal(hashing.isOld(kept.replace('m=19456', 'm=4096')), true);
});

test('the same password from another keyboard is the same password', async () => {
  const hashing = createHashing();
  const kept = await hashing.make('ein Café für die Köchin'.normalize('NFD'));
  assert.equal(await hashing.verify(kept, 'ein Café für die Köchin'.normalize('NFC')), true);
});

test('an Argon2id hash that other software made is understood', async () => {
  // The reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const kept = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await createHashing().verify(kept, 'password'), true);
});

test('two are hashed and sixteen wait; who comes then is turned away at once', async () => {
  const hashing = createHashing();
  const asked = Array.from({ length: 30 }, () =>
    hashing.verify(undefined, 'four warm brown bread rolls').then(
      () => 'done',
      (error: { kind: string; members: object }) => `${error.kind} ${JSON.stringify(error.members)}`,
    ),
  );
  const answers = await Promise.all(asked);
  assert.equal(answers.filter((one) => one === 'done').length, 18);
  assert.equal(answers.filter((one) => one === 'throttled {"retryAfterSeconds":2}').length, 12);
  assert.equal(await hashing.verify(undefined, 'later again'), false);
});
