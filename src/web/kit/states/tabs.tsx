/** Tabs: one of several parts of a page is on show. Arrow keys move between them. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import css from './tabs.module.css';

export interface Tab {
  id: string;
  label: string;
}
export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onValue: (id: string) => void;
  /** The part on show. */
  children: ComponentChildren;
}
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

export const Tabs = ({ label, tabs, value, onValue, children }: TabsProps) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex((tab) => tab.id === value);
    const next = tabs[at + step];
    // At either end the key moves on to what is next to the tabs.
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    onValue(next.id);
    list.current?.querySelectorAll<HTMLElement>('button')[at + step]?.focus();
  };
  return (
    <>
      <div ref={list} className={css.tabs} role="tablist" aria-label={label} onKeyDown={onKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab.id === value}
            tabIndex={tab.id === value ? 0 : -1}
            className={css.tab}
            onClick={() => onValue(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
};
