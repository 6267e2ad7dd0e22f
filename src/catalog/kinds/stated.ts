/** Notes which facts of an item its file states, so that an editor can say where each is from. Pure. */
import type { FactName } from '../store/layers/names.ts';
import type { Details } from '../store/records.ts';

type StatedValue = string | number | readonly unknown[] | null | undefined;

/** Returns the names of the facts with a value; nothing if the file states none. */
export function statedInTags(facts: Partial<Record<FactName, StatedValue>>): Pick<Details, 'stated'> {
  const tags = (Object.keys(facts) as FactName[]).filter((name) => {
    const value = facts[name];
    return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
  });
  return tags.length === 0 ? {} : { stated: { tags } };
}
