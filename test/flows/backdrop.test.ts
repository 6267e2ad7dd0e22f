/**
 * The large picture behind the head of home and of an item passes into the colour of the page, and the words over it
 * can be read whatever it shows: in each theme it is replaced by the worst case, a picture of the other brightness.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { calm, closeAll, openView, settled, type View } from './browser.ts';
import { inTheme, openSettledHome, type SettledHome, signIn } from './places.ts';

let house: SettledHome;
let view: View;
before(async () => {
  house = await openSettledHome();
  view = await openView(house.home);
  await signIn(view, house.home);
});
after(closeAll);

type Colour = [number, number, number];
interface Words {
  text: string;
  colour: Colour;
  /** Contrast that their size needs. */
  least: number;
  box: { x: number; y: number; width: number; height: number };
}
interface Head {
  page: Colour;
  picture: { x: number; y: number; width: number; height: number };
  words: Words[];
}

/** Returns where the picture and the words over it are, makes the picture even, and hides the words. */
const readHead = (page: Page, theme: 'dark' | 'light'): Promise<Head> =>
  page.evaluate(`(() => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const boxOf = (range) => { const { x, y, width, height } = range.getBoundingClientRect(); return { x, y, width, height }; };
    const head = (document.querySelector('main section > div > h2') ?? document.querySelector('main h1')).parentElement;
    const image = [...document.querySelectorAll('main img')].reduce((a, b) => (a.clientWidth < b.clientWidth ? b : a));
    image.style.filter = '${theme === 'light' ? 'brightness(0)' : 'brightness(0) invert(1)'}';
    const words = [];
    const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const { color, fontSize, fontWeight } = getComputedStyle(text.parentElement);
      if (text.parentElement.closest('button, a[class], .unseen') || !text.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const size = Number.parseFloat(fontSize);
      const isLarge = size >= 24 || (size >= 18.67 && Number(fontWeight) >= 700);
      words.push({ text: text.data, colour: numbers(color), least: isLarge ? 3 : 4.5, box: boxOf(range) });
    }
    head.style.opacity = 0;
    return { page: numbers(getComputedStyle(document.body).backgroundColor), picture: boxOf(image), words };
  })()`);

const luminance = (colour: Colour): number => {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Colour, other: Colour): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

const SIZES = [
  [390, 844],
  [1280, 800],
  [1920, 1080],
] as const;

for (const name of ['home', 'item'] as const)
  test(`${name}: the picture ends in the colour of the page, and words over it have contrast`, async () => {
    const { page, complaints } = view;
    for (const [width, height] of SIZES)
      for (const theme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(name === 'home' ? '/' : `/item/${house.ids.film}`);
        await settled(page);
        await calm(page);
        await inTheme(page, theme);
        const head = await readHead(page, theme);
        const { data, info } = await sharp(await page.screenshot())
          .removeAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        const at = (x: number, y: number): Colour => {
          const from = (Math.round(y) * info.width + Math.round(x)) * 3;
          return [...data.subarray(from, from + 3)] as Colour;
        };
        const where = `${width}, ${theme}`;
        const { picture } = head;
        // Near its end nothing of the picture is left.
        const end = at(picture.x + picture.width - 3, picture.y + picture.height * 0.94);
        end.forEach((part, which) =>
          assert.ok(Math.abs(part - (head.page[which] ?? 0)) < 8, `${where}: ${end.join()}`),
        );
        assert.ok(head.words.length >= 2, where);
        for (const { text, colour, least, box } of head.words)
          for (const share of [0, 0.5, 1]) {
            const [x, y] = [Math.min(info.width - 1, box.x + box.width * share), box.y + box.height / 2];
            const found = contrast(colour, at(x, y));
            assert.ok(found >= least, `${where}: "${text}" has ${found.toFixed(2)} of ${least} at ${share}`);
          }
      }
    assert.deepEqual(complaints.splice(0), []);
  });
