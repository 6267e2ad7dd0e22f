/** Runs a change and says in a toast when it failed. */
import { sentence } from '../../data/client.ts';
import { toast } from './toast.tsx';

/** True when it was done. */
export async function runWithToast(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) toast({ message: done });
    return true;
  } catch (error) {
    toast({ message: sentence(error), isError: true });
    return false;
  }
}
