/** Authors of audiobooks, each with a link to the list of all by that author. */
import { Link } from '../../lib/navigation/link.tsx';

export const AuthorLinks = ({ names }: { names: readonly string[] }) => (
  <>
    {names.map((name, at) => (
      <span key={name}>
        {at > 0 && ', '}
        <Link to={{ page: 'library', query: { view: 'audiobooks', artist: name } }}>{name}</Link>
      </span>
    ))}
  </>
);
