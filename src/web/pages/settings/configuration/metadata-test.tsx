/** Tests the metadata provider as the running server uses it, and says what failed. */
import { useState } from 'preact/hooks';
import { call, failureIn, loadReasons } from '../../../data/client.ts';
import type { Reply } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Notice } from '../../../kit/states/states.tsx';
import { peopleWords as m } from '../../../messages/people.ts';

export const MetadataTest = () => {
  const [result, setResult] = useState<Reply<'onlineMetadata', 'test'> & { failed: string }>();
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setResult(undefined);
    await runWithToast(async () => {
      const tested = await call.onlineMetadata.test({});
      await loadReasons();
      setResult({ ...tested, failed: failureIn(503, tested).says });
    });
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
                ? m.testFails({ error: result.failed })
                : m.testNotSetUp}
          </Notice>
        )}
      </div>
    </div>
  );
};
