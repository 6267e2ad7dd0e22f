/** Whether a user matches a filter. Pure; the time it takes grows with the filter times the values of the user. */
import type { ScimAttribute } from '../contract/scim/attributes.ts';
import type { AttributePath, ScimFilter, Literal, Operator } from './syntax.ts';

/** A resource, or a part of one, with the names of the attribute table. */
export type ScimObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ScimObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text as it is compared: in any case, unless the attribute tells them apart. */
const folded = (text: string, { caseExact }: ScimAttribute): string =>
  caseExact ? text : text.normalize('NFC').toUpperCase().toLowerCase();

/** Returns the elements of an attribute: those of a list, the one value of another, or none. */
function elementsOf(object: ScimObject, { name }: ScimAttribute): readonly unknown[] {
  const value = object[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

function valuesAt(
  object: ScimObject,
  { attribute, sub }: AttributePath,
  where: ScimFilter | undefined,
): readonly unknown[] {
  const elements = elementsOf(object, attribute).filter(
    (one) => where === undefined || (isObject(one) && matches(where, one)),
  );
  if (!sub) return elements;
  return elements.flatMap((one) => (isObject(one) && one[sub.name] !== undefined ? [one[sub.name]] : []));
}

/** Compares two texts in an order: times by the moment they mean, others by their characters. */
function inOrder(type: ScimAttribute['type'], value: string, literal: string): number {
  if (type === 'dateTime') return Date.parse(value) - Date.parse(literal);
  return value < literal ? -1 : value > literal ? 1 : 0;
}

function holds(value: unknown, operator: Operator, literal: Literal, attribute: ScimAttribute): boolean {
  if (typeof value !== 'string' || typeof literal !== 'string')
    return operator === 'eq' ? value === literal : operator === 'ne' && value !== literal;
  const [have, want] = [folded(value, attribute), folded(literal, attribute)];
  const order = (): number => inOrder(attribute.type, have, want);
  switch (operator) {
    case 'eq':
      return order() === 0;
    case 'ne':
      return order() !== 0;
    case 'co':
      return have.includes(want);
    case 'sw':
      return have.startsWith(want);
    case 'ew':
      return have.endsWith(want);
    case 'gt':
      return order() > 0;
    case 'ge':
      return order() >= 0;
    case 'lt':
      return order() < 0;
    case 'le':
      return order() <= 0;
    case 'pr':
      return true;
  }
}

/** Returns whether an object matches a filter. */
export function matches(filter: ScimFilter, object: ScimObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, object));
    case 'or':
      return filter.parts.some((part) => matches(part, object));
    case 'not':
      return !matches(filter.part, object);
    case 'absent':
      return filter.isMatch;
    case 'some':
      return elementsOf(object, filter.attribute).some((one) => isObject(one) && matches(filter.where, one));
    case 'compare': {
      const { path, where, operator, literal } = filter;
      const values = valuesAt(object, path, where);
      if (operator === 'pr') return values.length > 0;
      if (literal === null) return (values.length === 0) === (operator === 'eq');
      // A value that is missing equals no literal.
      if (values.length === 0) return operator === 'ne';
      return values.some((value) => holds(value, operator, literal, path.sub ?? path.attribute));
    }
  }
}
