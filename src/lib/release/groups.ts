/** Finds the group that signed a release, in front of its name or at the end. */
import { findWord, type NameToken } from './tokens.ts';
import { REPOST_TAGS, WORDS } from './words.ts';

/** `[Group] Show - 01`: the way fansub groups sign. */
export function leadingGroup(text: string): { name?: string; end: number } | undefined {
  const match = /^\s{0,4}(?:[[【]([^\]】]{1,60})[\]】]|\(\d{4}\)|www\.[\w.-]{3,40} {1,3})/i.exec(text);
  if (!match || match[0].length >= text.trimEnd().length) return undefined;
  const name = match[1]?.trim() ?? '';
  // "[1999]" is a year, "[tmdbid-603]" an id, and "[1080p]" a word.
  const isGroup =
    name !== '' && !/^(?:\d{4}$|imdb|tmdb|tvdb)/i.test(name) && WORDS.get(name.toLowerCase())?.strong !== true;
  return isGroup ? { name, end: match[0].length } : { end: match[0].length };
}

/** Removes tags that were added when a release was posted again: `-GRP-postbot`. */
function withoutRepostTags(name: string): string {
  for (let tags = 0, rest = name; tags <= 3; tags++) {
    const tag = /[-_. ]\[?([\p{L}\p{N}]{2,30})\]?$/u.exec(rest.slice(-34));
    if (!tag || !REPOST_TAGS.has((tag[1] ?? '').toLowerCase())) return rest;
    rest = rest.slice(0, -tag[0].length);
  }
  return name;
}

/** `-GRP` at the end, before a tag of the site it was taken from. */
export function trailingGroup(text: string, found: { tokens: NameToken[]; wordsAt: number }): string | undefined {
  const signed = /-\[([\p{L}\p{N}][\p{L}\p{N}_.]{0,29})\]$/u.exec(text.slice(-40))?.[1];
  if (signed !== undefined && found.wordsAt < text.length) return signed;
  let end = text.length;
  for (let tags = 0; tags < 3; tags++) {
    const tag = /[\s._-]?\[[^[\]]{1,30}\]$/.exec(text.slice(Math.max(0, end - 40), end));
    if (!tag) break;
    end -= tag[0].length;
  }
  const name = text.slice(0, end);
  return groupAtEnd(withoutRepostTags(name), text, found) ?? groupAtEnd(name, text, found);
}

function groupAtEnd(name: string, text: string, found: { tokens: NameToken[]; wordsAt: number }): string | undefined {
  const dash = name.lastIndexOf('-');
  if (dash < 0 || dash < found.wordsAt) return undefined;
  const group = name.slice(dash + 1).trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_@.]{0,29}$/u.test(group) || /^\d{1,2}$/.test(group)) return undefined;
  const first = found.tokens.findIndex((token) => token.start >= dash);
  const known = first > 0 ? findWord(found.tokens, first - 1, text) : undefined;
  // "WEB-DL" and "Blu-ray" hold a dash themselves.
  if (known && known.to > first) return undefined;
  return WORDS.get(group.toLowerCase())?.strong === true ? undefined : group;
}
