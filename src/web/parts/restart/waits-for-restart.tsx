/** Says that something waits for a restart, and offers the restart. */
import { useEffect, useState } from 'preact/hooks';
import { readAgain } from '../../data/query.ts';
import { useStore } from '../../lib/store.ts';
import { RestartNotice } from './notice.tsx';
import { restarting } from './restart.ts';

export const WaitsForRestart = ({ says }: { says: string }) => {
  const isRunning = useStore(restarting) !== undefined;
  // The notice stays after a restart, because it says why one has failed; the sentence is no longer true.
  const [hasBegun, setBegun] = useState(false);
  useEffect(() => {
    if (isRunning) setBegun(true);
  }, [isRunning]);
  useEffect(() => {
    // The settings may have been saved in another tab or by another person.
    readAgain('configuration');
    readAgain('restart');
  }, []);
  return (
    <>
      {!hasBegun && <p>{says}</p>}
      <RestartNotice />
    </>
  );
};
