/** Looking at, trying, applying and taking back changes to the subtitle of an item. */
import type { z } from 'zod';
import type { Given } from '../../contract/endpoint.ts';
import type { LanguageState } from '../../contract/subtitles/library.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';

type Input<K extends keyof typeof endpoints> = Given<(typeof endpoints)[K]>;
export interface Workbench {
  inspect(asked: Input<'inspect'>, signal: AbortSignal): Promise<z.input<typeof endpoints.inspect.result>>;
  export(asked: Input<'export'>, signal: AbortSignal): Promise<{ type: string; bytes: Uint8Array; filename: string }>;
  preview(asked: Input<'preview'>, signal: AbortSignal): Promise<z.input<typeof endpoints.preview.result>>;
  apply(asked: Input<'apply'>, signal: AbortSignal): Promise<z.input<typeof endpoints.apply.result>>;
  restore(asked: Input<'restore'>, signal: AbortSignal): Promise<LanguageState>;
  setReplaceable(asked: Input<'replacement'>): Promise<LanguageState>;
}

export function createWorkbench(_needs: object): Workbench {
  const later = async (): Promise<never> => {
    throw new Failure('unavailable', 'not built yet');
  };
  return { inspect: later, export: later, preview: later, apply: later, restore: later, setReplaceable: later };
}
