import { defaultName } from '../../../contract/studio/plain-studio.ts';
import { helpUrl, studio } from './studio.ts';

const { terms, privacy, imprint } = studio.links;
const links = [
  { words: 'Help', url: helpUrl },
  { words: 'Terms', url: terms },
  { words: 'Privacy', url: privacy },
  { words: 'Imprint', url: imprint },
].filter(({ url }) => url !== null);
const isCredited = studio.name !== defaultName;

/** Help, legal pages and a small credit. Nothing for a studio without a face of its own. */
export const StudioFooter = ({ padding = '12px 16px' }: { padding?: string | number }) =>
  links.length > 0 || isCredited ? (
    <footer className="row small third" style={{ justifyContent: 'center', gap: '4px 16px', padding }}>
      {links.map(({ words, url }) => (
        <a key={words} className="second" href={url ?? ''} target="_blank" rel="noreferrer">
          {words}
        </a>
      ))}
      {isCredited && <span>Runs on Atelier</span>}
    </footer>
  ) : null;
