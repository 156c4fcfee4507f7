import { Mark } from '../../ui/shell/mark.tsx';

export const Brand = ({ name }: { name: string }) => (
  <span className="brand">
    <Mark size={26} />
    {name}
  </span>
);
