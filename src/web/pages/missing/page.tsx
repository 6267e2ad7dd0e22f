/** In the making. */
import { useTitle } from '../../app/title.ts';

export const Page = () => {
  useTitle('In the making');
  return <h1>In the making</h1>;
};
