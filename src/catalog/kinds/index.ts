/**
 * The registered kinds. `contract/catalog/kinds.ts` says which libraries hold them; one that is missing here does not
 * compile.
 */
import { createKinds } from '../core/registry.ts';
import { film } from './film/index.ts';
import { show } from './show/index.ts';

export const kinds = createKinds({
  movie: film,
  show,
});
