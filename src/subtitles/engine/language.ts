/** In which language a text is: a second opinion on what a file name or a provider says. */
import { Failure } from '../../lib/failure.ts';

export interface LanguageEvidence {
  /** ISO 639-1 (or 639-3 where there is none) of the text; left out when the text does not tell. */
  language?: string;
  /** 0 to 1. */
  confidence: number;
  reliable: boolean;
  by: 'cld3' | 'eld' | 'none';
  /** Only with `claimed`: whether the text says the same. Left out when the text does not tell. */
  agrees?: boolean;
}

/** Never fails on text. `claimed` is a BCP 47 tag or ISO 639 code. */
export function detectLanguage(_text: string, _claimed?: string): Promise<LanguageEvidence> {
  return Promise.reject(new Failure('unavailable', 'not ready'));
}
