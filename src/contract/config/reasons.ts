/** Reasons of failures of the configuration. */
import type { ReasonTable } from '../kernel/failure.ts';

export const configReasons = {
  invalid: {
    'setting-invalid': 'The value is not allowed for this setting or together with other settings; `error` says why.',
  },
  missing: { 'no-such-setting': 'There is no such setting.' },
  conflict: {
    'setting-managed': 'The setting is set by the environment or the YAML file, and is read-only here.',
    'setting-at-start-only':
      'The setting is read before saved ones are, so only the environment or the YAML file can set it.',
    'setting-clash': 'The value clashes with what exists, such as a folder that is in use.',
    'secret-managed':
      'A secret that belongs to the current address is set by the environment or the YAML file; change both there.',
  },
  unavailable: {
    'key-file-different': 'A saved secret was encrypted with another key file; put that key file back.',
    'key-file-missing': 'The key file of saved secrets is missing; put it back.',
    'key-file-unreadable': 'The key file of saved secrets cannot be read or is damaged.',
    'secret-damaged': 'A saved secret was damaged or changed in the database.',
  },
} as const satisfies ReasonTable;

/** Reasons of operations that save a secret. */
export const SAVING_SECRET = ['key-file-unreadable', 'file-unwritable'] as const;
/** Reasons of operations that read a saved secret. */
export const READING_SECRET = [...SAVING_SECRET, 'key-file-different', 'key-file-missing', 'secret-damaged'] as const;
