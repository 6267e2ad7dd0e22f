/** Tests a service as the running server uses it, and says what failed. */
import { useState } from 'preact/hooks';
import { failureIn, loadReasons } from '../../../data/client.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { runWithToast } from '../../../kit/layers/run.ts';
import { Notice } from '../../../kit/states/states.tsx';
import css from './configuration.module.css';

interface ConnectionTestProps {
  label: string;
  /** Asks the server. A result that is not connected has the reason of its failure, as an error has. */
  test(): Promise<{ configured: boolean; connected: boolean }>;
  works: string;
  notSetUp: string;
  /** Puts the sentence of a failure into words around it. Default: the sentence alone. */
  fails?(sentence: string): string;
}

export const ConnectionTest = ({ label, test, works, notSetUp, fails = (text) => text }: ConnectionTestProps) => {
  const [result, setResult] = useState<{ configured: boolean; connected: boolean; failed: string }>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setResult(undefined);
    await runWithToast(async () => {
      const tested = await test();
      await loadReasons();
      setResult({ ...tested, failed: failureIn(503, tested).says });
    });
    setBusy(false);
  };
  return (
    <div>
      <Button isBusy={isBusy} onClick={() => void run()}>
        {label}
      </Button>
      <div role="status" className={css.tested}>
        {result && (
          <Notice tone={result.connected ? 'good' : 'danger'}>
            {result.connected ? works : result.configured ? fails(result.failed) : notSetUp}
          </Notice>
        )}
      </div>
    </div>
  );
};
