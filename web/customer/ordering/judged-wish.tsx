import { sayWeekday } from '../../ui/time/time.tsx';

type Props = {
  wish: string;
  /** Whether it can be kept. */
  fits: boolean;
  earliest: string | number;
  /** The planned first delivery. */
  due: number;
};

const nowrap = { whiteSpace: 'nowrap' } as const;

/** A wish a day after the delivery at most is tight. */
export function JudgedWish({ wish, fits, earliest, due }: Props) {
  const isTight = Date.parse(wish) - due < 86_400_000;
  const words = fits ? (isTight ? 'tight' : 'in good time') : `impossible; ${sayWeekday(earliest)} at the earliest`;
  return (
    <span className={fits && !isTight ? 'good' : 'turn'}>
      <span style={nowrap}>{sayWeekday(wish)},</span> <span style={fits ? nowrap : undefined}>{words}</span>
    </span>
  );
}
