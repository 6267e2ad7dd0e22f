/**
 * Which passwords are good enough: 12 to 1024 characters, and not one that is tried first.
 *
 * What is common is made by rules rather than copied from a list: the words people choose, alone, joined, repeated,
 * dressed up with digits, punctuation and look-alike characters; walks over a keyboard; runs and repeats; the name
 * of the Profile or of this server. What is left after taking all of that away must still be
 * something.
 */
import { Failure } from '../../lib/failure.ts';
import { COMMON_WORDS, KEYBOARD_ROWS } from './words.ts';

export const SHORTEST = 12;
export const LONGEST = 1024;

/** How many characters must remain once everything that is guessed first is taken away. */
const MIN_LEFT = 4;
/** How many different common words together are no longer common. */
const PASSPHRASE = 4;

const LOOKALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '€': 'e',
  '+': 't',
  '(': 'c',
};

/** Fails as `invalid` and says why, without repeating anything. `names` are the Profile's and the server's. */
export function checkPassword(password: string, names: readonly string[]): void {
  const text = password.normalize('NFC');
  const length = [...text].length;
  if (length < SHORTEST || length > LONGEST)
    throw new Failure('invalid', `a password has ${SHORTEST} to ${LONGEST} characters`, { reason: 'password-length' });
  if (isCommon(text, names))
    throw new Failure('invalid', 'this password is too common; several unrelated words make a better one', {
      reason: 'password-common',
    });
}

/** Whether a password is among those that are guessed first. Linear in its length. */
export function isCommon(password: string, names: readonly string[]): boolean {
  const low = password.toLowerCase();
  if (new Set(low).size < 5 || isRepeat(low)) return true;
  const own = names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length >= 3);
  const words = new Set([...COMMON_WORDS, ...own]);
  return isGuessed(low, words);
}

/** Whether a text is one piece over and over, such as abcabcabcabc. */
function isRepeat(text: string): boolean {
  for (let size = 1; size <= Math.min(8, text.length / 2); size++) {
    let at = size;
    while (at < text.length && text[at] === text[at - size]) at++;
    if (at === text.length) return true;
  }
  return false;
}

/**
 * Whether next to nothing is left without common words, runs and walks, and decoration. Four different words are a
 * passphrase.
 */
function isGuessed(text: string, words: ReadonlySet<string>): boolean {
  // Letter for letter, so that places in the one are places in the other.
  const read = Array.from({ length: text.length }, (_, at) => LOOKALIKES[text.charAt(at)] ?? text.charAt(at)).join('');
  const found = new Set<string>();
  let left = 0;
  for (let at = 0; at < text.length;) {
    const word = Math.max(wordAt(text, at, words), wordAt(read, at, words));
    const taken = Math.max(word, walkAt(text, at), decorationAt(text, at));
    if (taken === 0) left += 1;
    if (word > 0 && word === taken) found.add(read.slice(at, at + word));
    if (left >= MIN_LEFT || found.size >= PASSPHRASE) return false;
    at += Math.max(1, taken);
  }
  return true;
}

const LONGEST_WORD = 24;
/** The length of the longest common word that starts here. */
function wordAt(text: string, at: number, words: ReadonlySet<string>): number {
  for (let size = Math.min(LONGEST_WORD, text.length - at); size >= 3; size--)
    if (words.has(text.slice(at, at + size))) return size;
  return 0;
}

/** A run (abcd, 4321, aaaa) or a walk over neighbouring keys (qwer, lkjh), of four characters or more. */
function walkAt(text: string, at: number): number {
  let longest = 0;
  for (const line of KEYBOARD_ROWS) {
    for (const step of [1, -1, 0]) {
      let place = line.indexOf(text.charAt(at));
      let size = place < 0 ? 0 : 1;
      while (size > 0 && at + size < text.length) {
        const next = place + step;
        if (line.charAt(next) === '' || line.charAt(next) !== text.charAt(at + size)) break;
        place = next;
        size += 1;
      }
      longest = Math.max(longest, size);
    }
  }
  return longest >= 4 ? longest : 0;
}

/** Digits and punctuation, which are what a common word is dressed up with. */
const decorationAt = (text: string, at: number): number => (/[\d\p{P}\p{S}\s]/u.test(text.charAt(at)) ? 1 : 0);
