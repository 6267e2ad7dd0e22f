/**
 * Rewrites a part of an EPUB so that it can be shown in a frame: what it may contain is listed here, and everything
 * else is left out. No script, handler, form, base, refresh, frame or outside address remains.
 *
 * The part is read into a tree and written again as well-formed XHTML, so that a browser reads only what was
 * checked. Addresses of files inside the book become those of the caller.
 */
import { isElement, type MarkupElement, type MarkupNode, readMarkup, elementText, VOID } from '../xml/tree.ts';
import { rewriteCss } from './css.ts';

export interface PartAddresses {
  /** Returns the address of a file of the book: a picture, style sheet, font, sound or video. */
  asset(address: string): string | undefined;
  /** Returns the address of a place in a part of the book. */
  part(address: string): string | undefined;
}

const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_ELEMENTS = 400_000;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const HTML = words(
  `a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup dd del
  details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main
  mark nav ol p picture pre q rb rp rt rtc ruby s samp section small source span strike strong sub summary sup table
  tbody td tfoot th thead time tr tt u ul var video wbr`,
);
/** Left out with everything inside; other unknown elements leave their content behind. */
const DROPPED = words(
  `applet base basefont button datalist dialog embed frame frameset head iframe input keygen link meta meter noembed
  noframes noscript object option optgroup output param plaintext portal progress script select slot style template
  textarea title xmp foreignobject animate animatemotion animatetransform set handler listener annotation-xml maction`,
);
const SVG = new Map(
  `svg g path rect circle ellipse line polyline polygon text tspan textPath defs use image linearGradient
  radialGradient stop clipPath mask pattern symbol marker desc switch`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);
const MATH = words(
  `math mi mn mo ms mtext mrow mfrac msqrt mroot mstyle msub msup msubsup munder mover munderover mmultiscripts
  mprescripts none mtable mtr mtd mlabeledtr mspace mpadded mphantom menclose mfenced semantics annotation`,
);
const ATTRIBUTES = words(
  `id class dir title alt role width height colspan rowspan span start value type reversed headers scope datetime
  align valign border cellpadding cellspacing bgcolor color face size clear controls loop muted hspace vspace`,
);
/** Attributes of drawings and formulas that hold an address. */
const ADDRESSES = words('href src from to values by begin end attributename action formaction data poster ping');
const NAMESPACES: Readonly<Record<string, string>> = {
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
};

const escapeText = (text: string): string =>
  text.toWellFormed().replaceAll(
    // eslint-disable-next-line no-control-regex -- characters that XML does not allow are what is replaced
    /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
    (one) => (one === '&' ? '&amp;' : one === '<' ? '&lt;' : one === '>' ? '&gt;' : one === '"' ? '&quot;' : '�'),
  );

interface Writing {
  out: string[];
  addresses: PartAddresses;
}

/** Returns a part as XHTML. Throws `MarkupTooLarge`. */
export function rewritePart(text: string, addresses: PartAddresses): string {
  const tree = readMarkup(text, { isHtml: true, limits: { characters: MAX_CHARACTERS, elements: MAX_ELEMENTS } });
  const html = childOf(tree, 'html');
  const head = childOf(html ?? tree, 'head');
  const body = childOf(html ?? tree, 'body');
  const writing: Writing = { out: [], addresses };
  const { out } = writing;
  const language = attribute(html, 'lang');
  out.push('<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"');
  if (language !== undefined) out.push(` lang="${escapeText(language)}"`);
  const direction = attribute(html, 'dir') ?? attribute(body, 'dir');
  if (direction === 'rtl' || direction === 'ltr') out.push(` dir="${direction}"`);
  out.push('><head><meta charset="utf-8"/>');
  const title = head && childOf(head, 'title');
  out.push(`<title>${escapeText(title ? elementText(title, 300) : '')}</title>`);
  writeStyles(writing, head ?? tree);
  out.push('</head><body');
  for (const name of ['id', 'class', 'style']) writeAttribute(writing, [name, body?.attributes.get(name) ?? '']);
  out.push('>');
  writeNodes(writing, (body ?? html ?? tree).children, 'html');
  out.push('</body></html>');
  return out.join('');
}

const childOf = ({ children }: MarkupElement, local: string): MarkupElement | undefined =>
  children.filter(isElement).find((child) => child.local === local);

const attribute = (of: MarkupElement | undefined, local: string): string | undefined =>
  of && [...of.attributes].find(([name]) => name.slice(name.indexOf(':') + 1).toLowerCase() === local)?.[1];

/** Style sheets of the head: those in it, and those inside the book that it names. */
function writeStyles({ out, addresses }: Writing, { children }: MarkupElement): void {
  for (const child of children.filter(isElement)) {
    if (child.local === 'style') out.push(`<style>${escapeText(styleOf(child, addresses))}</style>`);
    const rel = attribute(child, 'rel')?.toLowerCase().split(/\s+/) ?? [];
    if (child.local !== 'link' || !rel.includes('stylesheet') || rel.includes('alternate')) continue;
    const href = addresses.asset(attribute(child, 'href') ?? '');
    if (href !== undefined) out.push(`<link rel="stylesheet" href="${escapeText(href)}"/>`);
  }
}

const styleOf = (style: MarkupElement, { asset }: PartAddresses): string =>
  rewriteCss(style.children.flatMap((node) => (isElement(node) ? [] : node)).join(''), asset);

type Language = 'html' | 'svg' | 'math';

function writeNodes(writing: Writing, nodes: readonly MarkupNode[], within: Language): void {
  for (const node of nodes) {
    if (isElement(node)) writeElement(writing, node, within);
    else writing.out.push(escapeText(node));
  }
}

/** Returns the language and the name of an element that may stay. */
function allowed({ local }: MarkupElement, within: Language): { language: Language; name: string } | undefined {
  const language = local === 'svg' || local === 'math' ? local : within;
  const name = language === 'svg' ? SVG.get(local) : (language === 'math' ? MATH : HTML).has(local) ? local : undefined;
  return name === undefined ? undefined : { language, name };
}

function writeElement(writing: Writing, element: MarkupElement, within: Language): void {
  const { out, addresses } = writing;
  const { local, children } = element;
  if (local === 'style' && within !== 'math')
    return void out.push(`<style>${escapeText(styleOf(element, addresses))}</style>`);
  if (DROPPED.has(local)) return;
  const kept = allowed(element, within);
  if (!kept) return writeNodes(writing, children, within);
  out.push(`<${kept.name}`);
  if (kept.language !== within) out.push(` xmlns="${NAMESPACES[kept.language] ?? ''}"`);
  for (const one of attributesOf(element, kept.language, addresses)) writeAttribute(writing, one);
  if (kept.language === 'html' && VOID.has(local)) return void out.push('/>');
  out.push('>');
  writeNodes(writing, children, kept.language);
  out.push(`</${kept.name}>`);
}

function writeAttribute({ out, addresses }: Writing, [name, value]: readonly [string, string]): void {
  if (value === '' && name !== 'alt' && name !== 'controls') return;
  const own = name === 'style' ? rewriteCss(value, addresses.asset) : value;
  out.push(` ${name}="${escapeText(own)}"`);
}

function attributesOf(element: MarkupElement, language: Language, addresses: PartAddresses): Map<string, string> {
  const kept = new Map<string, string>();
  for (const [written, value] of element.attributes) {
    const name = written === 'xml:lang' ? 'lang' : written;
    const lower = name.toLowerCase();
    if (lower === 'lang' || lower === 'style' || lower === 'id' || lower === 'class') kept.set(lower, value);
    else if (language === 'html') {
      if (ATTRIBUTES.has(lower) || /^aria-[a-z]{1,30}$/.test(lower)) kept.set(lower, value);
    } else if (isPlain(name, value)) kept.set(name, drawn(value));
  }
  const address = addressOf(element, language, addresses);
  if (address) kept.set(...address);
  return kept;
}

/** Returns whether an attribute of a drawing or formula has no effect beyond how it looks. */
function isPlain(name: string, value: string): boolean {
  if (!/^[a-zA-Z][a-zA-Z0-9-]{0,40}$/.test(name) || /^on|^xmlns/i.test(name) || ADDRESSES.has(name.toLowerCase()))
    return false;
  const bare = value.toLowerCase().replaceAll(/[\s\\]|\/\*.*?\*\//g, '');
  return !bare.includes('script:');
}

/** Returns the value of an attribute of a drawing, which is CSS, without addresses outside the drawing. */
const drawn = (value: string): string =>
  value.includes('(') ? rewriteCss(value, (address) => (address.startsWith('#') ? address : undefined)) : value;

/** Returns the attribute with the address of a link, picture, sound or video, if it leads to a place in the book. */
function addressOf(
  element: MarkupElement,
  language: Language,
  { asset, part }: PartAddresses,
): [string, string] | undefined {
  const { local } = element;
  const href = attribute(element, 'href');
  const of = (name: string, address: string | undefined): [string, string] | undefined =>
    address === undefined ? undefined : [name, address];
  if (language === 'html') {
    if (local === 'a') return of('href', href === undefined ? undefined : part(href));
    const src = attribute(element, 'src');
    return src === undefined || !['img', 'audio', 'video', 'source'].includes(local)
      ? undefined
      : of('src', asset(src));
  }
  if (language === 'math' || href === undefined) return undefined;
  if (href.startsWith('#')) return of('href', href);
  return local === 'image' ? of('href', asset(href)) : undefined;
}
