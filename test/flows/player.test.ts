/**
 * The player in a browser, on files that play as they are: subtitles of every kind drawn, two at once, the way of the
 * sound, the menus in all widths, keys and fingers. The flows run side by side, because most of their time is waiting.
 */
import { after, before, describe, test } from 'node:test';
import { closeAll } from './browser.ts';
import './player-controls.ts';
import './player-drawing.ts';
import { flows, openHouse } from './player-house.ts';

const AT_ONCE = 2;

before(openHouse);
after(closeAll);
describe('the player', { concurrency: AT_ONCE }, () => {
  for (const { name, run } of flows) test(name, run);
});
