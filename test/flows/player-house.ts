/** The house of the player's flows: one server and one browser for all of them, which run side by side. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ask } from '../faults/child.ts';
import { type Home, type openView, untilPage, type View } from './browser.ts';
import { openSettledHome, openSignedIn } from './places.ts';
import { makePlayed, PLAYED } from './played-films.ts';

export const ids: Record<string, string> = {};
export const flows: { name: string; run: () => Promise<void> }[] = [];
/** Adds a flow with its own windows. What it needs of the house is there when it runs. */
export const flow = (name: string, run: () => Promise<void>): void => void flows.push({ name, run });

let opened: Home | undefined;
export const house = (): Home => opened ?? assert.fail('the house is open');

export async function openHouse(): Promise<void> {
  const { home, token } = await openSettledHome({ prepare: ({ media }) => makePlayed(media) });
  opened = home;
  for (const [name, { title }] of Object.entries(PLAYED)) {
    const { body } = await ask<{ items: { id: string; title: string }[] }>(
      opened.server,
      'GET',
      `/api/v1/library?q=${encodeURIComponent(title)}&view=all`,
      { token },
    );
    ids[name] = body.items.find((one) => one.title === title)?.id ?? assert.fail(title);
  }
}

export const openWindow = (needs: Parameters<typeof openView>[1] = {}): Promise<View> =>
  openSignedIn(house(), { realTime: 'plays', ...needs });
export async function play(
  name: keyof typeof PLAYED,
  query = '',
  needs: Parameters<typeof openView>[1] = {},
): Promise<View> {
  const view = await openWindow(needs);
  await view.page.goto(`/play/${ids[name]}${query}`);
  await untilPage(view.page, "document.querySelector('video')?.readyState >= 3");
  return view;
}
/** Pauses at a time, and waits for the picture of it. */
export async function seek(page: Page, time: number): Promise<void> {
  await page.evaluate(
    `(() => { const video = document.querySelector('video'); video.pause(); video.currentTime = ${time}; })()`,
  );
  await untilPage(page, "!document.querySelector('video').seeking");
}
