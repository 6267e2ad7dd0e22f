/**
 * The placement version: it is part of the signature of every scanned folder, so a new one makes the next scan place
 * every file again without reading its header. It is derived from the names of all stored facts of an item and from the
 * versions of the registered placements. A fact that is added is therefore filled in for old files, too.
 */
import { hash } from 'node:crypto';
import { ITEM_FACTS } from '../../store/records.ts';

export const placementVersion = (placementVersions: string, facts: object = ITEM_FACTS): string =>
  hash('sha1', JSON.stringify([facts, placementVersions]), 'base64url').slice(0, 8);
