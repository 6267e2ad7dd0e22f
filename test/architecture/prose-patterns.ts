/**
 * Constructions and names that the project does not use, and the plain wording to use instead.
 *
 * A pattern belongs here only when a plainer sentence exists for every match. So the patterns match phrases, not
 * single common words: "stands for", "gives up", "answers a request" and "go on sale" are good English and pass. Each
 * pattern lists examples of what it finds and of what it lets through, and both are tested.
 */

/** Kinds of text. A statement is a summary or description of the API or of a setting. */
export type TextKind = 'comment' | 'statement' | 'message' | 'document' | 'subject' | 'file name' | 'export' | 'type';

export interface Pattern {
  name: string;
  kinds: readonly TextKind[];
  pattern: RegExp;
  instead: string;
  /** Texts that it finds. */
  finds: readonly string[];
  /** Similar texts that are good English, or that mean something else. */
  allows: readonly string[];
}

const PROSE = ['comment', 'statement', 'message', 'document', 'subject'] as const;
const ABOUT_CODE = ['comment', 'statement'] as const;

/** Names of the table in the writing guide whose meaning a reader cannot guess. */
const RIDDLES = 'crowd|roll|desk|ear|spot|beside|hands|looker|lane|shelf|bettering|retake|calmly';
/** Words that are banned as a whole name, because as a part of one they can be ordinary words. */
const RIDDLES_ALONE = 'standing|silence|again|told|thin|taken|ran';
const capitalized = (words: string) =>
  words
    .split('|')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('|');

export const PATTERNS: readonly Pattern[] = [
  {
    name: 'clause as subject',
    kinds: ABOUT_CODE,
    // Headings of documents and labels of the dashboard may be questions, so only comments and statements count.
    pattern: /^(?:What(?:ever)?|Who(?:ever|se)?|Of|Where(?:ver)?|Without)\b(?!.{0,60}\?)/,
    instead: 'start with a verb ("Returns…") or a noun ("Rows of…")',
    finds: [
      'What a caller gets.',
      'Whoever holds the lock.',
      'Of two, the first.',
      'Where it is kept.',
      'Without it, no.',
    ],
    allows: [
      'Returns what a caller gets.',
      'What does a seek cost? Two reads.',
      'Offers one track.',
      'Whole files only.',
    ],
  },
  {
    name: 'gives',
    kinds: ABOUT_CODE,
    pattern: /\bgives\b(?! (?:up|way|rise)\b)/i,
    instead: 'functions return, produce or emit; people enter or grant',
    finds: ['Gives the rows of a page.', 'The reader gives undefined.'],
    allows: ['It gives up after ten seconds.', 'A stream that gives way to a seek.', 'Given two rows, returns one.'],
  },
  {
    name: 'tells',
    kinds: ABOUT_CODE,
    pattern: /\b(?:is|are|be|been|being|was|were) told\b|\btells\b(?!.{1,40}\bapart\b)/i,
    instead: 'functions return or report; listeners are notified; owners are shown a message',
    finds: ['Tells the others.', 'Listeners are told at once.'],
    allows: ['A tag tells two files apart.', 'A retold story.'],
  },
  {
    name: 'answers',
    kinds: ABOUT_CODE,
    // Servers answer requests, and answers are things; only a function that "answers" a value is a breach.
    pattern:
      /(?:^|[.;] )answers\b(?!.{0,24}\b(?:requests?|questions?|calls?|probes?)\b)|\banswers (?:with|what|whether|how|which|undefined|null|true|false|nothing)\b/i,
    instead: 'functions return; servers reply or respond',
    finds: ['Answers the new token.', 'It answers undefined.', 'Reads it. Answers the rows.'],
    allows: ['Answers a request that no route takes.', 'A server that answers slowly.', 'Reads answers of a provider.'],
  },
  {
    name: 'stands',
    kinds: PROSE,
    pattern: /\b(?:stands|stood|stand)\b(?![-\w])(?! (?:for|in for|out|up|by|alone|still)\b)/i,
    instead: 'is, exists, is stored, is listed',
    finds: ['The key stands in the header.', 'A file that stands there.'],
    allows: [
      'A row stands for a season.',
      'A stand-in for a provider.',
      'As things stand alone.',
      'It stands in for a provider.',
    ],
  },
  {
    name: 'somebody',
    kinds: PROSE,
    pattern: /\b(?:some|no|any)body\b/i,
    instead: 'name the caller, user, Owner, player or process; else "no one"',
    finds: ['Nobody asked for it.', 'Somebody else changed it.', 'Before anybody reads it.'],
    allows: ['The body of a request.', 'No body is sent.'],
  },
  {
    name: 'this very',
    kinds: PROSE,
    pattern: /\bthis very\b/i,
    instead: 'this, the same',
    finds: ['Files of this very folder.'],
    allows: ['This is very slow.'],
  },
  {
    name: 'anew',
    kinds: PROSE,
    pattern: /\banew\b/i,
    instead: 'again, from the start',
    finds: ['The scan begins anew.'],
    allows: ['A new scan.'],
  },
  {
    name: 'in vain',
    kinds: PROSE,
    pattern: /\bin vain\b/i,
    instead: 'without success; unsuccessfully; or say what failed',
    finds: ['Three attempts were in vain.'],
    allows: ['An invalid attempt.'],
  },
  {
    name: 'goes on',
    kinds: PROSE,
    // "The line goes on the next page" is a place; only the verb that means "continues" is found.
    pattern: /\bgoes on\b(?! (?:to|top|the|a|an|its|sale|air)\b)/i,
    instead: 'continues',
    finds: ['Playback goes on.', 'The scan goes on with the next file.'],
    allows: ['The badge goes on the card.', 'It goes only once.'],
  },
  {
    name: 'of its own',
    kinds: PROSE,
    // "Notified of its own changes" is a genitive; the breach ends the phrase, as in "a process of its own that...".
    pattern:
      /\bof (?:its|their|one's) own(?=\s*(?:[.,;:()]|$)|\s+(?:that|which|in|and|so|for|to|on|with|by|next|where|when|while|from|at|after|of|is|are|has|have|may)\b)/i,
    instead: 'a separate, its own, a dedicated',
    finds: ['Each runs in a process of its own.'],
    allows: ['It closes on its own.', 'Each has its own process.', 'A viewer is notified of its own changes.'],
  },
  {
    name: 'and nothing else',
    kinds: PROSE,
    pattern: /\band nothing else\b/i,
    instead: 'only',
    finds: ['It reads the header and nothing else.'],
    allows: ['Nothing else is locked.'],
  },
  {
    name: 'beside',
    kinds: PROSE,
    pattern: /\bbeside\b/i,
    instead: 'next to, alongside, in addition to',
    finds: ['A file beside the film.'],
    allows: ['Besides, it is slow.'],
  },
  {
    name: 'to be had',
    kinds: PROSE,
    pattern: /\b(?:cannot|can|could not|may) be had\b|\bas there can be\b/i,
    instead: 'say what fails or what the limit is: cannot be fetched, the limit of API keys is reached',
    finds: ['A font that cannot be had is left out.', 'There are as many keys as there can be.'],
    allows: ['A meeting had to be moved.', 'There can be two of them.', 'It holds as much as it can.'],
  },
  {
    name: 'file name',
    kinds: ['file name'],
    pattern: new RegExp(`(?:^|-)(?:${RIDDLES})(?:$|-)|^(?:${RIDDLES_ALONE})$`),
    instead: 'name what it holds: connection-limits, io-pool, library-index',
    finds: ['lane', 'use-roll', 'shelf', 'told', 'silence'],
    allows: ['io-pool', 'silence-detection', 'rollback', 'offline-banner'],
  },
  {
    name: 'exported name',
    kinds: ['export'],
    pattern: new RegExp(
      `^(?:${RIDDLES})(?![a-z])|(?:${capitalized(RIDDLES)})(?![a-z])|^(?:${RIDDLES_ALONE}|` +
        `${capitalized(RIDDLES_ALONE)})$`,
    ),
    instead: 'name what it is: createIoPool, IdentityCache, currentSubtitle',
    finds: ['createShelf', 'Lane', 'told', 'laneOf', 'spotOf'],
    allows: ['createIoPool', 'isTaken', 'rollback', 'playAgain', 'clear', 'thinned'],
  },
  {
    name: 'short export',
    kinds: ['export'],
    pattern: /^[A-Za-z]$|^MOST(?:_|$)|^(?:MAX|MIN|LIMIT|SIZE|TIME|WAIT)$|_$|^[A-Z][a-z]+[1-9]$/,
    instead: 'a full noun with its unit: MAX_STREAMS, IDLE_TIMEOUT_MS, DueSubtitle',
    finds: ['n', 'MOST', 'MOST_ROWS', 'Pick1', 'every_', 'MAX'],
    allows: ['MAX_ROWS', 'id', 'ms', 'sha256', 'WAIT_MS'],
  },
  {
    name: 'participle as type',
    kinds: ['type'],
    // One word only: in `WalkedFile` the participle is an adjective. Nouns that end alike are left out.
    pattern:
      /^(?!(?:Feed|Seed|Need|Speed|Shed|Bed|Embed|Wed|Red)$)(?:[A-Z][a-z]+ed|Ran|Taken|Told|Made|Found|Seen|Read|Kept|Held|Drawn|Written|Done|Given|Known|Shown|Met|Put|Sent|Spoken|Heard|Lost|Left|Bound|Sought|Begun|Chosen)$/,
    instead: 'a noun: ScanResult, LoadedPage',
    finds: ['Ran', 'Mounted', 'Seen', 'Placed'],
    allows: ['ScanResult', 'Feed', 'MountedEndpoint', 'Reading'],
  },
];
