/**
 * Parsers of texts next to media that take more than a few milliseconds for the largest ones: those run in the helper.
 */
import { type ParsedLyrics, parseLyrics } from '../naming/lyrics.ts';
import { type NfoResult, parseNfo } from '../naming/nfo.ts';

export interface ParsedTexts {
  nfo: NfoResult;
  lyrics: ParsedLyrics;
}
export type NeighbourText = keyof ParsedTexts;

/** Largest text that is parsed where it is asked for, in about 3 ms. Ordinary ones have some kilobytes. */
export const MAX_INLINE_TEXT_BYTES = 64 * 1024;

const PARSERS: { readonly [F in NeighbourText]: (bytes: Uint8Array) => ParsedTexts[F] } = {
  nfo: parseNfo,
  lyrics: (bytes) => parseLyrics(new TextDecoder().decode(bytes)),
};

export const parseTextOf = <F extends NeighbourText>(format: F, bytes: Uint8Array): ParsedTexts[F] =>
  PARSERS[format](bytes);
