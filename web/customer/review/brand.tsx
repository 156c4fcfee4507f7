import { studio } from '../../ui/shell/studio.ts';
import { Mark } from '../../ui/shell/mark.tsx';

export const Brand = () => (
  <span className="brand">
    <Mark size={26} />
    <span className="brand-name">{studio.name}</span>
  </span>
);
