import { IconEye } from '../look/icons.ts';

export type Looker = { kind: 'customer' | 'guest'; name: string; you: boolean };

const nameOf = ({ name }: Looker) => name || 'A guest';

/** "Mateo looks, too", "Mateo and 2 more look, too"; nothing while nobody else does. */
export function sayLookers(lookers: Looker[]): string {
  const [first, ...others] = lookers.filter(({ you }) => !you);
  if (!first) return '';
  const [second] = others;
  if (!second) return `${nameOf(first)} looks, too`;
  return `${nameOf(first)} and ${others.length === 1 ? nameOf(second) : `${others.length} more`} look, too`;
}

/** Small in the head of a review. */
export function Lookers({ lookers }: { lookers: Looker[] }) {
  const words = sayLookers(lookers);
  const all = lookers.filter(({ you }) => !you).map(nameOf);
  return (
    <span className="small second icon-line" role="status" title={all.join(', ')}>
      {words !== '' && <IconEye size={15} aria-hidden />} <bdi className="one-line">{words}</bdi>
    </span>
  );
}
