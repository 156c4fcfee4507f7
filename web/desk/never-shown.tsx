import { IconLock } from '../ui/look/icons.ts';

/** Beside what only the studio reads. */
export const NeverShown = () => (
  <span className="second icon-line">
    <IconLock size={14} aria-hidden /> never shown
  </span>
);
