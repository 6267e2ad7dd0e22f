/** Tests the metadata provider as the running server uses it, and says what failed. */
import { useState } from 'preact/hooks';
import { call } from '../../../data/client.ts';
import type { Reply } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Notice } from '../../../kit/states/states.tsx';
import { peopleWords as m } from '../../../messages/people.ts';

export const MetadataTest = () => {
  const [result, setResult] = useState<Reply<'onlineMetadata', 'test'>>();
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setResult(undefined);
    await runWithToast(async () => setResult(await call.onlineMetadata.test({})));
    setBusy(false);
  };
  return (
    <div>
      <Button isBusy={isBusy} onClick={() => void test()}>
        {m.testProvider}
      </Button>
      <div role="status">
        {result && (
          <Notice tone={result.connected ? 'good' : 'danger'}>
            {result.connected
              ? m.testWorks
              : result.configured
                ? m.testFails({ error: m.testFailure[result.error ?? ''] ?? result.error ?? '' })
                : m.testNotSetUp}
          </Notice>
        )}
      </div>
    </div>
  );
};
