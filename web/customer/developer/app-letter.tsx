import './apps.css';

/** Stands for the picture of an app, which its maker could choose to look like another. */
export const AppLetter = ({ name, large = false }: { name: string; large?: boolean }) => (
  <span className={large ? 'app-letter large' : 'app-letter'} aria-hidden>
    {[...name][0]?.toUpperCase()}
  </span>
);
