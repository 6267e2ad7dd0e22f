/**
 * The inside of a helper process: reads requests from its parent, answers them one at a time, in order.
 *
 * A module given to `startHelper` calls `serveHelper(async (request) => reply)` once. An error thrown for a
 * request is sent back as text and the helper continues; it ends when its parent does.
 */

/** Messages on the channel, declared here because both ends read them. */
export interface HelperRequest {
  id: number;
  request: unknown;
}
export type HelperReply = { ready: true } | { id: number; reply: unknown } | { id: number; error: string };

/** Answers every request of the parent with `answer`, in the order in which they came. */
export function serveHelper(answer: (request: unknown) => Promise<unknown> | unknown): void {
  const waiting: HelperRequest[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id } = next;
      let reply: HelperReply;
      try {
        reply = { id, reply: (await answer(next.request)) ?? null };
      } catch (error) {
        reply = { id, error: error instanceof Error ? error.message : String(error) };
      }
      // Waiting until it is on its way means that a crash in the next request cannot swallow this reply.
      await new Promise<void>((resolve) => process.send?.(reply, () => resolve()));
    }
    isBusy = false;
  };
  process.on('message', (message: HelperRequest) => {
    waiting.push(message);
    void work();
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ ready: true } satisfies HelperReply);
}
