import type { Element, ElementContent, Root } from 'hast';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { TextRow } from './text-rows.tsx';

/** Markdown set in blocks that know their lines, without HTML of its own or pictures from elsewhere. */
export const Markdown = ({ lines }: { lines: string[] }) => (
  <ReactMarkdown
    remarkPlugins={[remarkGfm]}
    rehypePlugins={[inBlocks]}
    urlTransform={safeAddress}
    components={components}
  >
    {lines.join('\n')}
  </ReactMarkdown>
);

/** Other addresses may run a program or read from the service. */
const safeAddress = (address: string): string => (/^(?:https?:\/\/|mailto:)/i.test(address) ? address : '');

const components: Components = {
  // Each block is an `article`, made below. Markdown itself makes none.
  article: ({ node, children }) => {
    const [from = 1, to = 1, until = 1] = [node?.properties.from, node?.properties.to, node?.properties.until].map(
      Number,
    );
    return (
      <TextRow {...{ from, to, until }} isFirst={Boolean(node?.properties.first)}>
        <div dir="auto" className="set-block">
          {children}
        </div>
      </TextRow>
    );
  },
  // Titles of the page are above these.
  h1: ({ children }) => <h3 className="set-title">{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  img: ({ alt, src }) => <em>{`[picture: ${alt || src || 'without words'}]`}</em>,
  input: ({ checked }) => (checked ? '☑ ' : '☐ '),
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
        {children === href ? '' : <span className="small second">{` (${href})`}</span>}
      </a>
    ) : (
      children
    ),
};

/** Each block of the text in a row of its own; of a list, each item. */
function inBlocks() {
  return (tree: Root) => {
    const blocks = tree.children.flatMap((child): ElementContent[] =>
      child.type === 'element' ? itemsOf(child) : child.type === 'text' || child.type === 'doctype' ? [] : [child],
    );
    const firstOf = (block: ElementContent | undefined) => block?.position?.start.line;
    tree.children = blocks.map((child, index): Element => {
      const from = firstOf(child) ?? firstOf(blocks[index - 1]) ?? 1;
      const to = child.position?.end.line ?? from;
      const until = Math.max(to, (firstOf(blocks[index + 1]) ?? Number.MAX_SAFE_INTEGER) - 1);
      const properties = { from: `${from}`, to: `${to}`, until: `${until}`, first: index === 0 };
      return { type: 'element', tagName: 'article', properties, children: [child] };
    });
  };
}

function itemsOf(element: Element): Element[] {
  if (element.tagName !== 'ul' && element.tagName !== 'ol') return [element];
  const items = element.children.filter((child) => child.type === 'element');
  const first = Number(element.properties.start ?? 1);
  return items.map((item, index) => ({
    ...element,
    properties: element.tagName === 'ol' ? { ...element.properties, start: `${first + index}` } : element.properties,
    children: [item],
    position: item.position,
  }));
}
