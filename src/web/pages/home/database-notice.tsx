/** A notice for Owners that the database is damaged, with what to do. */
import alert from 'lucide/dist/esm/icons/triangle-alert.mjs';
import { Link } from '../../lib/navigation/link.tsx';
import { useAsk } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import css from './home.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';
import { translatedFinding } from '../../messages/server-findings.ts';

export const DatabaseNotice = () => {
  const { data } = useAsk('diagnostics', 'read', {});
  const finding = data?.findings.find(({ code }) => code === 'database-damaged');
  if (!finding) return null;
  return (
    <section className={css.notice} aria-label={m.notice}>
      <Icon of={alert} />
      <div>
        <h2>{m.theDatabaseNeedsAttention}</h2>
        <p>{translatedFinding(finding).sentence}</p>
        <Link to={{ page: 'settingsPart', params: { part: 'diagnostics' } }} className="link small">
          {m.diagnostics}
        </Link>
      </div>
    </section>
  );
};
