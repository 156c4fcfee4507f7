import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, Fragment } from 'react';
import type { ChangedLine, DocumentChange } from '../../app/api.ts';

const kinds = { added: 'new', removed: 'removed', changed: 'changed' };
const signs = { same: ' ', added: '+', removed: '−' };
const tones = { same: '', added: 'good', removed: 'bad' };
const words = { same: '', added: 'Added: ', removed: 'Removed: ' };
/** Files with more lines are closed at first. */
const mostLines = 300;

/** The note below stays in sight. */
export const inDialog = { '--lines-height': '36vh' } as CSSProperties;

type Props = { changes: DocumentChange[]; label?: string };

/** What changed, by file. `label`: for screen readers, before the name of a file. */
export const Changes = ({ changes, label = 'Changes of' }: Props) =>
  changes.length === 0 ? (
    <p className="second">No file differs from the version before.</p>
  ) : (
    <div className="stack-small">
      {changes.map((change) => (
        <FileChange key={change.file} change={change} label={label} />
      ))}
    </div>
  );

function FileChange({ change: { file, kind, lines }, label }: { change: DocumentChange; label: string }) {
  const count = (kind: ChangedLine['kind']) => lines.filter((line) => line.kind === kind).length;
  const head = (
    <>
      <span className="mono breaks">{file}</span> <span className="small second">{kinds[kind]}</span>
      {lines.length > 0 && (
        <span className="small numbers push">
          <span className="good">+{count('added')}</span> <span className="bad">−{count('removed')}</span>
        </span>
      )}
    </>
  );
  if (lines.length === 0) return <div className="change change-head">{head}</div>;
  return (
    <details className="change" open={lines.length <= mostLines}>
      <summary className="change-head">{head}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <div className="change-lines" tabIndex={0} role="region" aria-label={`${label} ${file}`}>
        <table aria-label={`Lines of ${file}`}>
          <tbody>
            {withGaps(lines).map(({ line, folded }, at) => (
              <Fragment key={at}>
                {folded > 0 && (
                  <tr>
                    <td className="diff-gap" colSpan={4}>
                      {folded === 1 ? '1 unchanged line' : `${folded} unchanged lines`}
                    </td>
                  </tr>
                )}
                <Line line={line} />
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const Line = ({ line: { kind, before, after, text } }: { line: ChangedLine }) => (
  <tr style={kind === 'same' ? {} : { background: `var(--${tones[kind]}-soft)` }}>
    <td className={`diff-number ${kind === 'same' ? 'third' : 'second'}`}>{before}</td>
    <td className={`diff-number ${kind === 'same' ? 'third' : 'second'}`}>{after}</td>
    <td className={`diff-sign ${tones[kind]}`} aria-hidden>
      {signs[kind]}
    </td>
    <td className="diff-text">
      {kind !== 'same' && <VisuallyHidden>{words[kind]}</VisuallyHidden>}
      {text}
    </td>
  </tr>
);

/** How many unchanged lines are left out before each line. */
function withGaps(lines: ChangedLine[]): { line: ChangedLine; folded: number }[] {
  let last = 0;
  return lines.map((line) => {
    const folded = line.before === null ? 0 : line.before - last - 1;
    last = line.before ?? last;
    return { line, folded };
  });
}
