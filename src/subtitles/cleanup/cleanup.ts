/** Hides subtitle files beside videos, exactly as a previewed plan says. */
import type { z } from 'zod';
import type { Given } from '../../contract/endpoint.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';

export interface Cleanup {
  plan(asked: Given<typeof endpoints.planCleanup>, signal: AbortSignal): Promise<z.input<typeof endpoints.planCleanup.result>>;
  apply(asked: Given<typeof endpoints.cleanup>, signal: AbortSignal): Promise<z.input<typeof endpoints.cleanup.result>>;
  /** Finishes what a killed process was hiding. */
  recover(): Promise<void>;
}

export function createCleanup(_needs: object): Cleanup {
  const later = async (): Promise<never> => {
    throw new Failure('unavailable', 'not built yet');
  };
  return { plan: later, apply: later, recover: async () => {} };
}
