/** Conditions under which shortcuts of the whole page do not apply. */

/** Returns whether an element takes typed text, so that letters are not shortcuts. */
export const isTyping = (element: HTMLElement): boolean =>
  element.isContentEditable ||
  /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
  (element instanceof HTMLInputElement && !/^(checkbox|radio|button|file)$/.test(element.type));

/** Returns whether a dialog or menu has the keyboard. */
export const isInLayer = (element: HTMLElement): boolean =>
  element.closest('[role="menu"]') !== null || document.querySelector('dialog[open]') !== null;
