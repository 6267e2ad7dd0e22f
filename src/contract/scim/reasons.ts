/** Reasons of failures of the directory's requests that only SCIM has. */
import type { ReasonTable } from '../kernel/failure.ts';

export const scimReasons = {
  invalid: {
    'filter-invalid': 'The filter cannot be read, is too long or nested too deeply, or names an unknown attribute.',
    'path-invalid': 'A path of the change cannot be read, or names an unknown attribute.',
    'value-invalid': 'A value is missing, or is not one that the attribute can have.',
    'target-missing': 'The path of the change leads to nothing that could be changed.',
    'attribute-read-only': 'The attribute cannot be changed or removed.',
    'schema-missing': 'The request does not name the schema of its content.',
  },
} as const satisfies ReasonTable;
