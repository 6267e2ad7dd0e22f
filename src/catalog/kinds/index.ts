/**
 * The registered kinds. `contract/catalog/kinds.ts` says which libraries hold them; one that is missing here does not
 * compile.
 */
import { createKinds } from '../core/registry.ts';
import { audiobook } from './audiobook/index.ts';
import { series } from './book/index.ts';
import { film } from './film/index.ts';
import { album } from './music/index.ts';
import { clip, photo } from './photo/index.ts';
import { show } from './show/index.ts';
import { extraPlacement } from './video/extras.ts';

export const kinds = createKinds({ movie: film, show, album, audiobook, series, photo, video: clip }, [extraPlacement]);
