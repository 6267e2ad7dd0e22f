/**
 * A pseudo-locale, made of German in the browser: every message is 15 % longer and has brackets around it, and so has
 * every value that `Intl` formats. Text without brackets is therefore neither a message nor a value; when no
 * reply of the server holds it either, it is a word in the code. German is about a quarter longer than English, so that
 * messages are cut off here that are not in English.
 *
 * The messages are changed on their way to the browser, so the dashboard that is served carries nothing of this.
 */
import type { Page } from 'playwright-core';

/** Runs in the browser, at the end of the module of an area's messages. */
const PSEUDO = `
const pseudo = (text) => '⟦' + text + ' ·'.repeat(Math.ceil((text.length * 0.15) / 2)) + '⟧';
const spoken = (value) =>
  typeof value === 'string' ? pseudo(value)
  : typeof value === 'function' ? (...given) => spoken(value(...given))
  : value instanceof Map ? new Map([...value].map(([key, one]) => [key, spoken(one)]))
  : typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoken(one)]))
  : value;
`;

/** Runs in the browser before everything else. */
const INTL = `
for (const made of [Intl.NumberFormat, Intl.DateTimeFormat]) {
  const { get } = Object.getOwnPropertyDescriptor(made.prototype, 'format');
  Object.defineProperty(made.prototype, 'format', { configurable: true, get() { const plain = get.call(this); return (value) => '⟦' + plain(value) + '⟧'; } });
}
for (const [made, name] of [[Intl.RelativeTimeFormat, 'format'], [Intl.ListFormat, 'format'], [Intl.DisplayNames, 'of']]) {
  const plain = made.prototype[name];
  made.prototype[name] = function (...given) { return '⟦' + plain.apply(this, given) + '⟧'; };
}
`;

/** Makes a page speak the language. Returns what the server has said so far, which is no word of the code. */
export async function speakPseudo(page: Page): Promise<{ data: ReadonlySet<string> }> {
  const data = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') data.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) {
        data.add(key);
        collect(one);
      }
  };
  page.on('response', (reply) => {
    if (reply.url().includes('/api/') && (reply.headers()['content-type'] ?? '').startsWith('application/json'))
      reply.json().then(collect, () => undefined);
  });
  await page.addInitScript(INTL);
  await changeMessages(page);
  return { data };
}

/**
 * Has the module of an area's messages changed on its way. Nothing else passes through the debugger: with a route of
 * the browser every request would, and nothing would be cached from one page to the next.
 */
async function changeMessages(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const change = async (requestId: string): Promise<void> => {
    const { body, base64Encoded } = await debug.send('Fetch.getResponseBody', { requestId });
    const changed = Buffer.from(body, base64Encoded ? 'base64' : 'utf8')
      .toString()
      .replace(
        /export\s*\{([^}]*)\};?\s*$/,
        (_, names: string) => PSEUDO + names.replaceAll(/(\w+) as (\w+),?/g, '\nexport const $2 = spoken($1);'),
      );
    if (!changed.includes('= spoken(')) throw new Error('the messages are exported in another form now');
    await debug.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: 'text/javascript' }],
      body: Buffer.from(changed).toString('base64'),
    });
  };
  debug.on('Fetch.requestPaused', ({ requestId }) => {
    change(requestId).catch((error: unknown) => {
      // The page was left before it had them.
      if (!/Invalid InterceptionId|closed/.test(String(error))) throw error;
    });
  });
  await debug.send('Fetch.enable', {
    patterns: [{ urlPattern: '*/assets/words-de-*.js', requestStage: 'Response' }],
  });
}

/** A text, accessible name or hint of a page, with its element and whether it is cut off. */
interface Shown {
  text: string;
  where: string;
  isClipped: boolean;
}

const COLLECT = `(() => {
  const shown = [];
  const exempt = 'code, kbd, pre, script, style, noscript, textarea, [lang]:not(html), [data-stats]';
  const where = (element) => element.tagName.toLowerCase() + (typeof element.className === 'string' && element.className ? '.' + element.className.split(' ')[0] : '');
  const clips = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (text.width === 0 || text.height === 0) return false;
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      // Hidden from sight on purpose, for screen readers.
      if (style.visibility === 'hidden' || style.opacity === '0' || at.clientWidth <= 1 || style.clipPath !== 'none') return false;
      if (style.textOverflow === 'ellipsis' || (style.webkitLineClamp && style.webkitLineClamp !== 'none')) return false;
      if (style.overflowX === 'auto' || style.overflowX === 'scroll' || style.position === 'fixed') return false;
      if (style.overflowX !== 'visible') {
        const box = at.getBoundingClientRect();
        if (text.left < box.left - 2 || text.right > box.right + 2) return true;
      }
    }
    return false;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.data.trim() || parent.closest(exempt)) continue;
    shown.push({ text: node.data.trim(), where: where(parent), isClipped: clips(node) });
  }
  for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-valuetext]')) {
    if (element.closest(exempt)) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
      const text = element.getAttribute(name);
      if (text && text.trim()) shown.push({ text: text.trim(), where: where(element) + '[' + name + ']', isClipped: false });
    }
  }
  shown.push({ text: document.title, where: 'title', isClipped: false });
  return shown;
})()`;

/** The product, and names that are the same in every language: of formats, standards and units. */
const NAMES =
  /\bMatinee\b|\b[A-Z][A-Z0-9.+-]{1,9}\b|\b[A-Z]?\d[\w.]*\b|\b(Provider [A-C]|WebVTT|Opus|Vorbis|VobSub|Dolby|Digital|Plus|TrueHD|Mbit|kbit)\b/g;

const HAS_WORD = /\p{L}{2}/u;

/** The words among the texts of the server, the longest first. Sorting them for each text of a page took minutes. */
const sorted = new WeakMap<ReadonlySet<string>, { size: number; texts: readonly string[] }>();
function inSmallLetters(data: ReadonlySet<string>): readonly string[] {
  const known = sorted.get(data);
  // It only grows.
  if (known?.size === data.size) return known.texts;
  const texts = [...data]
    .filter((one) => HAS_WORD.test(one))
    .sort((a, b) => b.length - a.length)
    .map((one) => one.toLowerCase());
  sorted.set(data, { size: data.size, texts });
  return texts;
}

/** Returns a text without its messages, its values and the texts of the server. */
export function unspoken(text: string, data: ReadonlySet<string>): string {
  let rest = text;
  // From the inside out: a message may hold values and other messages.
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  // A message with an element in it is cut in two.
  rest = rest.replace(/^[^⟦⟧]*⟧/, ' ').replace(/⟦[^⟦⟧]*$/, ' ');
  // Before the data of the server, of which a short one may be a part of it.
  rest = rest.replaceAll(/\bMatinee\b/g, ' ');
  if (HAS_WORD.test(rest))
    for (const one of inSmallLetters(data)) {
      const at = rest.toLowerCase().indexOf(one);
      if (at >= 0) rest = `${rest.slice(0, at)} ${rest.slice(at + one.length)}`;
    }
  return rest.replaceAll(NAMES, ' ');
}

/** Returns the texts of a page, and its accessible names and hints. */
export const shownTexts = (page: Page): Promise<readonly Shown[]> => page.evaluate<Shown[]>(COLLECT);

/** The words of a page that no message holds, and the messages that are cut off. */
export async function findWords(
  page: Page,
  data: ReadonlySet<string>,
): Promise<{ words: string[]; clipped: string[] }> {
  const shown = await shownTexts(page);
  const listed = (some: readonly Shown[]) => [...new Set(some.map(({ text, where }) => `${where}: ${text}`))];
  return {
    words: listed(shown.filter(({ text }) => HAS_WORD.test(unspoken(text, data)))),
    clipped: listed(shown.filter(({ isClipped }) => isClipped)),
  };
}
