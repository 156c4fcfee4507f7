import { Time } from '../../ui/time/time.tsx';

type Props = { created_by: { name: string }; created_at: string };

/** In a row: who made the key or app, and when. */
export const MadeBy = ({ created_by: maker, created_at: at }: Props) => (
  <>
    {maker.name}
    <span className="cell-second">
      <Time at={at} />
    </span>
  </>
);
