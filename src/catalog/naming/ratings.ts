/**
 * Age ratings of several countries, as the three ceilings that a Profile can have.
 *
 * `family` is fit for children up to about ten, `teen` up to about fifteen, `all` is the rest. A rating that is
 * missing, unknown or means "not rated" is `all`: unrated items are not shown to children.
 */
export type Ceiling = 'family' | 'teen' | 'all';

/** Ratings that mean the same in every country that uses them. */
const ANYWHERE: Readonly<Record<string, Ceiling>> = {
  ...classes(
    'family',
    'G,PG,U,UC,TV-Y,TV-Y7,TV-Y7-FV,TV-7,TV-G,TV-PG,ALL,TP,AL,E,EC,E10+,A.L.,APT,ATP,L,LIVRE,BTL,TE,SU,GA',
  ),
  ...classes('teen', 'T,PG-13,PG13,PG12,PG-12,PG15,TV-13,TV-14,12A,TEEN,M/12,14A,R13'),
  ...classes('all', 'R,NC-17,X,XXX,TV-MA,MA,MA15+,MA-17,R18,R18+,X18+,18A,A,AO,18+,R-18'),
};

/** Words that only one country uses, or uses differently. Numbers are ages unless they are listed here. */
const BY_COUNTRY: Readonly<Record<string, Readonly<Record<string, Ceiling>>>> = {
  us: { ...classes('family', 'APPROVED,PASSED'), ...classes('teen', 'GP') },
  gb: { ...classes('family', 'U,UC,PG'), ...classes('teen', '12,12A'), ...classes('all', '15,18,R18') },
  ie: { ...classes('family', 'G,PG'), ...classes('teen', '12,12A,12RA'), ...classes('all', '15,15A,15RA,16,18') },
  au: {
    ...classes('family', 'G,PG,P,C,E'),
    ...classes('teen', 'M'),
    ...classes('all', 'MA15+,MA 15+,MA15,AV15+,R18+,X18+,RC'),
  },
  nz: { ...classes('family', 'G,PG'), ...classes('teen', 'M,R13,RP13'), ...classes('all', 'R15,R16,RP16,R18,RP18') },
  ca: {
    ...classes('family', 'G,PG,C,C8'),
    ...classes('teen', '13+,14A,14+,PA'),
    ...classes('all', '16+,18A,18+,R,A,E'),
  },
  de: {
    ...classes('family', '0,6,FSK0,FSK6,O.AL.'),
    ...classes('teen', '12,FSK12'),
    ...classes('all', '16,18,FSK16,FSK18'),
  },
  at: { ...classes('family', '0,6,8,10'), ...classes('teen', '12,14'), ...classes('all', '16,18') },
  ch: { ...classes('family', '0,6,8,10'), ...classes('teen', '12,14'), ...classes('all', '16,18') },
  fr: {
    ...classes('family', 'U,TP,TOUS PUBLICS,10,-10'),
    ...classes('teen', '12,-12'),
    ...classes('all', '16,-16,18,-18,X'),
  },
  nl: { ...classes('family', 'AL,6,9'), ...classes('teen', '12,14'), ...classes('all', '16,18') },
  be: {
    ...classes('family', 'AL,KT,KT/EA,EA,6,9'),
    ...classes('teen', '12,14'),
    ...classes('all', '16,18,KNT,KNT/ENA'),
  },
  es: { ...classes('family', 'A,APTA,TP,AI,I,7,7I'), ...classes('teen', '12,13'), ...classes('all', '16,18,X') },
  pt: {
    ...classes('family', 'M/3,M/4,M/6,3,4,6,T'),
    ...classes('teen', 'M/12,M/14,12,14'),
    ...classes('all', 'M/16,M/18,16,18,P'),
  },
  it: { ...classes('family', 'T,6+'), ...classes('teen', 'VM12,VM14,14+,12+'), ...classes('all', 'VM18,18+') },
  se: { ...classes('family', 'BTL,BARNTILLÅTEN,7'), ...classes('teen', '11'), ...classes('all', '15') },
  no: { ...classes('family', 'A,6,9'), ...classes('teen', '12'), ...classes('all', '15,18') },
  dk: { ...classes('family', 'A,7'), ...classes('teen', '11'), ...classes('all', '15,F') },
  fi: {
    ...classes('family', 'S,T,K7,K-7,7'),
    ...classes('teen', 'K12,K-12,12'),
    ...classes('all', 'K16,K-16,K18,K-18,16,18'),
  },
  is: { ...classes('family', 'L,6,7,9,10'), ...classes('teen', '12,14'), ...classes('all', '16,18') },
  pl: { ...classes('family', 'BO,7'), ...classes('teen', '12'), ...classes('all', '15,16,18') },
  cz: { ...classes('family', 'U'), ...classes('teen', '12,12+'), ...classes('all', '15,15+,18,18+') },
  hu: { ...classes('family', 'KN,6'), ...classes('teen', '12'), ...classes('all', '16,18,X') },
  ro: {
    ...classes('family', 'AG,A.G.,AP'),
    ...classes('teen', 'AP-12,AP12,12'),
    ...classes('all', 'N-15,N15,15,IM-18,18,IM-18-XXX'),
  },
  gr: { ...classes('family', 'K,K8'), ...classes('teen', 'K12,K-12,12'), ...classes('all', 'K16,K-16,K17,K18,K-18') },
  ru: { ...classes('family', '0+,6+'), ...classes('teen', '12+'), ...classes('all', '16+,18+') },
  ua: { ...classes('family', '0+,6+'), ...classes('teen', '12+'), ...classes('all', '16+,18+') },
  tr: {
    ...classes('family', 'G,GENEL,6A,6+,7+,10A,7A,10+'),
    ...classes('teen', '13A,13+,12A'),
    ...classes('all', '16+,18+'),
  },
  br: {
    ...classes('family', 'L,LIVRE,10,AL,A10'),
    ...classes('teen', '12,14,A12,A14'),
    ...classes('all', '16,18,A16,A18'),
  },
  mx: { ...classes('family', 'AA,A'), ...classes('teen', 'B,B12'), ...classes('all', 'B15,B-15,C,D') },
  ar: {
    ...classes('family', 'ATP,AM'),
    ...classes('teen', 'SAM13,SAM 13,13'),
    ...classes('all', 'SAM16,SAM 16,SAM18,SAM 18,C'),
  },
  in: {
    ...classes('family', 'U,U/A 7+,UA7+'),
    ...classes('teen', 'UA,U/A,UA13+,U/A 13+'),
    ...classes('all', 'A,S,UA16+,U/A 16+'),
  },
  jp: { ...classes('family', 'G'), ...classes('teen', 'PG12,PG-12'), ...classes('all', 'R15+,R-15,R15,R18+,R-18,R18') },
  kr: {
    ...classes('family', 'ALL,7'),
    ...classes('teen', '12,12+'),
    ...classes('all', '15,15+,18,19,19+,RESTRICTED SCREENING'),
  },
  hk: { ...classes('family', 'I'), ...classes('teen', 'IIA'), ...classes('all', 'IIB,III') },
  tw: { ...classes('family', '0+,6+,G,P'), ...classes('teen', '12+,PG12'), ...classes('all', '15+,18+,PG15,R') },
  sg: { ...classes('family', 'G,PG'), ...classes('teen', 'PG13'), ...classes('all', 'NC16,M18,R21') },
  my: { ...classes('family', 'U,P12'), ...classes('teen', '13,P13'), ...classes('all', '16,18,18SG,18SX,18PA,18PL') },
  th: { ...classes('family', 'P,G'), ...classes('teen', '13,13+'), ...classes('all', '15,15+,18,18+,20,20-') },
  za: { ...classes('family', 'A,PG,7-9PG,10-12PG,7,10'), ...classes('teen', '13'), ...classes('all', '16,18,X18') },
};

/** Names of the rating boards, which people write in place of the country. */
const BOARDS: Readonly<Record<string, string>> = {
  mpaa: 'us',
  mpa: 'us',
  'us-tv': 'us',
  tv: 'us',
  usa: 'us',
  bbfc: 'gb',
  uk: 'gb',
  fsk: 'de',
  germany: 'de',
  kijkwijzer: 'nl',
  cnc: 'fr',
  csa: 'fr',
  acb: 'au',
  oflc: 'au',
  eirin: 'jp',
  kmrb: 'kr',
  kavi: 'fi',
  cbfc: 'in',
  ifco: 'ie',
  icaa: 'es',
  smsa: 'se',
  medietilsynet: 'no',
  france: 'fr',
  australia: 'au',
  japan: 'jp',
  sweden: 'se',
  netherlands: 'nl',
  spain: 'es',
  canada: 'ca',
  ireland: 'ie',
  brazil: 'br',
  italy: 'it',
  norway: 'no',
  denmark: 'dk',
  finland: 'fi',
  dejus: 'br',
  classind: 'br',
};

/** Words for unrated items. */
const UNRATED = new Set([
  '',
  'NR',
  'NOT RATED',
  'UNRATED',
  'UR',
  'N/A',
  'NA',
  'NONE',
  'NOTRATED',
  'EXEMPT',
  'NO RATING',
  'TBA',
  'UNKNOWN',
  '?',
]);

const LONGEST = 100;
/** Ages without a country: below this one for the family, below fifteen for teens. */
const FAMILY_BELOW = 11;
const TEEN_BELOW = 15;

/**
 * Returns the ceiling of a rating: `PG-13`, `Rated R for violence`, `FSK 12`, `DE:16`, `gb/15`, `se-11`, `TV-MA`.
 * `country` (ISO 3166-1, two letters) is used for ratings that name none. Never throws.
 */
export function ceilingOf(rating: string | undefined, country?: string): Ceiling {
  if (rating === undefined || rating.length > LONGEST) return 'all';
  // NFO files may give several countries' ratings, of which the first known one applies: "USA:PG-13 / UK:12A".
  for (const one of rating.split(/\s\/\s|[;|]/)) {
    const found = single(one, country);
    if (found) return found;
  }
  return 'all';
}

/** Whether a Profile with this ceiling may see an item with this rating. */
export const isRatingWithin = (ceiling: Ceiling, rating: string | undefined, country?: string): boolean =>
  RANK[ceilingOf(rating, country)] <= RANK[ceiling];

const RANK: Readonly<Record<Ceiling, number>> = { family: 0, teen: 1, all: 2 };

function single(text: string, fallback: string | undefined): Ceiling | undefined {
  const { country, mark } = divided(tidy(text));
  if (UNRATED.has(mark)) return undefined;
  const place = country ?? fallback?.toLowerCase();
  const table = place === undefined ? undefined : own(BY_COUNTRY, own(BOARDS, place) ?? place);
  const tight = mark.replaceAll(' ', '');
  const listed = own(table, mark) ?? own(table, tight) ?? own(ANYWHERE, mark) ?? own(ANYWHERE, tight);
  return listed ?? own(ANYWHERE, tight.replace(/^TV(?=\d|[A-Z])/, 'TV-')) ?? byAge(tight);
}

/**
 * Reads `16`, `16+`, `-16`, `K-16`, `VM14`, `from 12 years`, with any country before it. A number among other words is
 * no age.
 */
function byAge(mark: string): Ceiling | undefined {
  const digits =
    /^(?:[A-Z]{2}[:/-])?(?:K|VM|FSK|AGES?|FROM|AB|R|M|PG)?[-+/]?(\d{1,2})[-+]?(?:YEARS|ANS|JAHRE|AÑOS|YO)?$/.exec(
      mark,
    )?.[1];
  if (digits === undefined) return undefined;
  const age = Number(digits);
  return age < FAMILY_BELOW ? 'family' : age < TEEN_BELOW ? 'teen' : 'all';
}

/** Removes "Rated …", the reasons after it, and differences in spelling. */
const tidy = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .trim()
    .replace(/^RATED[ :]{1,3}/, '')
    .replace(/ (?:FOR|BECAUSE) .*$/, '')
    .replaceAll(/[–—_]/g, '-')
    .replaceAll(/\s+/g, ' ');

/** Splits `DE:16`, `DE-16`, `GB/15`, `FSK 12` into country and rating. */
function divided(text: string): { country?: string; mark: string } {
  const match = /^([A-Z]{2,14}(?:-TV)?)([:/ -])\s?(.{1,40})$/.exec(text);
  const name = match?.[1]?.toLowerCase();
  const mark = match?.[3];
  if (!match || name === undefined || mark === undefined) return { mark: text };
  const isCountry = Object.hasOwn(BOARDS, name) || Object.hasOwn(BY_COUNTRY, name);
  // "TV-14" and "PG-13" are ratings in themselves, and so are "U/A" and "M/12".
  if (!isCountry || own(ANYWHERE, text) !== undefined || (match[2] !== ':' && name === 'tv')) return { mark: text };
  return { country: name, mark: mark.trim() };
}

const own = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

function classes(ceiling: Ceiling, marks: string): Record<string, Ceiling> {
  return Object.fromEntries(marks.split(',').map((mark) => [mark, ceiling]));
}
