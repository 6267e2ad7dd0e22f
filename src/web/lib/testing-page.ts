/**
 * Draws components and finds what people find: elements by role and name. Only for tests of components, which run
 * without a browser (test/components).
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { computeAccessibleDescription, computeAccessibleName, getRole, isInaccessible } from 'dom-accessibility-api';
import { type ComponentChild, render } from 'preact';
import { act } from 'preact/test-utils';
import { WAIT_LIMIT_MS } from '../../../test/until.ts';
import { speak, type SpokenLanguage } from '../messages/catalogue.ts';

export interface Page {
  /** Returns the only element of a role that has this name; any name if none is given. */
  get(role: string, name?: string | RegExp): HTMLElement;
  /** Waits for such an element, for what is loaded first. */
  shown(role: string, name?: string | RegExp): Promise<HTMLElement>;
  /** Waits until a check passes, and returns what it returns. */
  passes<T>(check: () => T): Promise<T>;
  all(role: string, name?: string | RegExp): HTMLElement[];
  /** Returns the texts of all elements of a role. */
  texts(role: string): string[];
  /** Draws something else in the same place. */
  draw(what: ComponentChild): Promise<void>;
  click(element: HTMLElement): Promise<void>;
  /** Replaces the value of a field. */
  type(element: HTMLElement, value: string): Promise<void>;
  /** Chooses an option by its text. */
  choose(element: HTMLElement, option: string): Promise<void>;
  /** Presses a key on the element that has the focus. Returns whether the key was left to the browser. */
  press(key: string): Promise<boolean>;
  /** Does something that makes components change, and waits until they have. */
  after(work: () => unknown): Promise<void>;
}

const isNamed = (element: HTMLElement, name: string | RegExp | undefined): boolean => {
  if (name === undefined) return true;
  const own = nameOf(element);
  return typeof name === 'string' ? own === name : name.test(own);
};

/** Returns the name of an element as screen readers say it. */
export const nameOf = (element: HTMLElement): string => computeAccessibleName(element).trim();
export const descriptionOf = (element: HTMLElement): string => computeAccessibleDescription(element).trim();

/** Fails unless the focus is on this element. Says where it is; elements themselves are endless to print. */
export function assertFocus(expected: Element | null | undefined, why = ''): void {
  const focused = document.activeElement as HTMLElement | null;
  const found = focused && `${focused.tagName} ${JSON.stringify(nameOf(focused))}`;
  assert.ok(expected && focused === expected, `${why} the focus is on ${found ?? 'nothing'}`.trim());
}

/** Draws a component in a language. It is removed after the test, with everything else in the document. */
export async function openPage(
  t: TestContext,
  what: ComponentChild,
  { language = 'en' }: { language?: SpokenLanguage } = {},
): Promise<Page> {
  await speak([language]);
  const root = document.body.appendChild(document.createElement('div'));
  const after = (work: () => unknown): Promise<void> => act(async () => void (await work()));
  const draw = (shown: ComponentChild): Promise<void> => after(() => render(shown, root));
  t.after(async () => {
    await draw(null);
    document.body.replaceChildren();
  });
  const all = (role: string, name?: string | RegExp): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>('body *')].filter(
      (one) => getRole(one) === role && !isInaccessible(one) && isNamed(one, name),
    );
  const get: Page['get'] = (role, name) => {
    const [found, ...more] = all(role, name);
    const there = all(role).map((one) => JSON.stringify(nameOf(one)));
    assert.ok(found && more.length === 0, `one ${role} ${String(name)}, but there is ${there.join(', ') || 'none'}`);
    return found;
  };
  const passes = async <T>(check: () => T): Promise<T> => {
    const end = performance.now() + WAIT_LIMIT_MS;
    for (;;) {
      // The clock of the page may be one that the test moves.
      await after(() => new Promise(setImmediate));
      try {
        return check();
      } catch (error) {
        if (performance.now() > end) throw error;
      }
    }
  };
  await draw(what);
  return {
    all,
    get,
    shown: (role, name) => passes(() => get(role, name)),
    passes,
    texts: (role) => all(role).map(({ textContent }) => textContent),
    draw,
    after,
    click: (element) => after(() => element.click()),
    type: (element, value) =>
      after(() => {
        (element as HTMLInputElement).value = value;
        element.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    choose: (element, option) =>
      after(() => {
        const found = [...(element as HTMLSelectElement).options].find(({ text }) => text === option);
        assert.ok(found, `no option ${option}`);
        (element as HTMLSelectElement).value = found.value;
        element.dispatchEvent(new Event('change', { bubbles: true }));
      }),
    press: async (key) => {
      let isLeft = true;
      await after(() => {
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
        isLeft = (document.activeElement ?? document.body).dispatchEvent(event);
      });
      return isLeft;
    },
  };
}
