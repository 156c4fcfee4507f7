import { defaultName } from '../../../contract/studio/plain-studio.ts';
import { helpUrl, studio } from './studio.ts';
import './studio-footer.css';

const { terms, privacy, imprint } = studio.links;
const links = [
  { words: 'Help', url: helpUrl },
  { words: 'Terms', url: terms },
  { words: 'Privacy', url: privacy },
  { words: 'Imprint', url: imprint },
].filter(({ url }) => url !== null);
const isCredited = studio.name !== defaultName;

/** Help, legal pages and a small credit. Nothing for a studio without a face of its own. */
export const StudioFooter = () =>
  links.length > 0 || isCredited ? (
    <footer className="studio-footer">
      {links.map(({ words, url }) => (
        <a key={words} href={url ?? ''} target="_blank" rel="noreferrer">
          {words}
        </a>
      ))}
      {isCredited && <span>Runs on Atelier</span>}
    </footer>
  ) : null;
