/** The attributes of a reply: those that the caller chose, or all but some (RFC 7644, section 3.9). */
import { COMMON_ATTRIBUTES } from '../contract/scim/attributes.ts';
import type { ScimObject } from './matching.ts';
import { attributeAt } from './syntax.ts';
import { invalidValue } from './resource.ts';

const MAX_NAMES = 64;
const ALWAYS: ReadonlySet<string> = new Set(COMMON_ATTRIBUTES.flatMap(({ name, always }) => (always ? [name] : [])));

export interface ChosenAttributes {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

/** Names of parts by the name of their attribute; undefined for all of it. */
type Names = Map<string, Set<string> | undefined>;

/** Reads a list of names. Those that are not known here choose nothing. */
function namesOf(list: string): Names {
  const names: Names = new Map();
  const parts = list.split(',');
  if (parts.length > MAX_NAMES) throw invalidValue('attributes', 'too many names');
  for (const part of parts) {
    const found = attributeAt(part.trim());
    if (found === undefined || found === 'dropped') continue;
    const { name } = found.attribute;
    const isWhole = !found.sub || (names.has(name) && names.get(name) === undefined);
    names.set(name, isWhole ? undefined : (names.get(name) ?? new Set()).add(found.sub?.name ?? ''));
  }
  return names;
}

/** Returns the function that makes replies of resources. Throws `Failure('invalid')` for a choice that is two. */
export function createProjection({ attributes, excludedAttributes }: ChosenAttributes): (of: ScimObject) => ScimObject {
  if (attributes !== undefined && excludedAttributes !== undefined)
    throw invalidValue('excludedAttributes', 'not together with attributes');
  const list = attributes ?? excludedAttributes;
  if (list === undefined) return (of) => of;
  const names = namesOf(list);
  const isChosen = attributes !== undefined;
  const partOf = (value: unknown, subs: ReadonlySet<string>): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => partOf(one, subs));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => subs.has(key) === isChosen));
  };
  return (of) =>
    Object.fromEntries(
      Object.entries(of).flatMap(([key, value]): [string, unknown][] => {
        if (ALWAYS.has(key)) return [[key, value]];
        const subs = names.get(key);
        if (subs) return [[key, partOf(value, subs)]];
        return names.has(key) === isChosen ? [[key, value]] : [];
      }),
    );
}
