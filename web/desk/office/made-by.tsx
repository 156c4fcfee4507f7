import { Time } from '../../ui/time/time.tsx';

/** Who made the key or app, and when. */
export const madeByColumn = {
  head: 'Made by',
  named: true,
  cell: ({ created_by: maker, created_at: at }: { created_by: { name: string }; created_at: string }) => (
    <>
      {maker.name}
      <span className="cell-second">
        <Time at={at} />
      </span>
    </>
  ),
};
