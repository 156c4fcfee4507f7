import { Box, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '../../ui/look/icons.ts';
import type { CatalogCheck, CatalogProblem } from '../../app/api.ts';
import { fileTypesFile } from './edits.ts';
import { faceLabel } from './face-fields.ts';
import type { Spot } from './spot.ts';
import { sayReason, type StudioEdits } from './use-edits.ts';

/** Names a field of the catalog; null if it is of none. Without it problems are named by their lines. */
export type Naming = (path: string, file: string) => string | null;
type Props = { problems: CatalogProblem[]; goTo: (spot: Spot) => void; naming?: Naming | undefined };

/** Each leads to its field or line. */
export const Problems = ({ problems, goTo, naming }: Props) => (
  <section className="stack-small" aria-label="Problems" role="alert">
    <strong className="bad icon-line">
      <IconAlertTriangle size={16} aria-hidden />
      {problems.length === 1 ? '1 problem' : `${problems.length} problems`}: nothing can be published like this.
    </strong>
    <ul className="stack-small" style={{ gap: 2, maxHeight: '30vh', overflowY: 'auto' }}>
      {problems.map((problem, index) => (
        <li key={index}>
          <ProblemLine problem={problem} goTo={goTo} naming={naming} />
        </li>
      ))}
    </ul>
  </section>
);

function nameOf(file: string, path: string, naming: Naming): string | null {
  if (file === 'studio.yaml') return faceLabel(path);
  return ['families.yaml', fileTypesFile].includes(file) ? naming(path, file) : null;
}

function ProblemLine({ problem, goTo, naming }: Omit<Props, 'problems'> & { problem: CatalogProblem }) {
  const { file, line, column, message, path } = problem;
  const field = path !== null && naming ? nameOf(file, path, naming) : null;
  const at = field ?? [file, line].filter((part) => part !== null).join(':');
  const words = (
    <>
      <span className={field ? 'bad' : 'mono bad'}>{at}</span> {field ? sayReason(problem) : message}
    </>
  );
  if (!file.endsWith('.yaml'))
    return (
      <Box className="breaks" py={4} fz={13}>
        {words}
      </Box>
    );
  return (
    <UnstyledButton
      className="problem breaks"
      w="100%"
      p="4px 8px"
      bdrs={7}
      fz={13}
      c="var(--ink)"
      onClick={() => goTo({ file, line: line ?? 1, column: column ?? 1, path: field ? path : null })}
    >
      {words}
    </UnstyledButton>
  );
}

/** Plans whose prices differ at the provider do not stop a publication. */
export function Prices({ check, edits }: { check: CatalogCheck; edits?: StudioEdits }) {
  const different = check.prices.filter(({ reason }) => reason !== null);
  if (check.any_price && edits?.changed.includes('plans.yaml'))
    return <p className="note">The sandbox takes any price. No money moves.</p>;
  if (different.length === 0) return null;
  return (
    <section className="note turn stack-small" aria-label="Prices">
      <strong>Checkout would be closed until these prices agree with the payment provider.</strong>
      <ul>
        {different.map(({ plan_code: code, reason }) => (
          <li key={code}>
            <span className="mono">{code}</span> {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What customers never get of an SVG. */
export const Cleaned = ({ cleaned }: Pick<CatalogCheck, 'cleaned'>) =>
  cleaned.map(({ file, taken_out: parts }) => (
    <p key={file} className="note breaks" role="status">
      Taken out of <span className="mono">{file}</span>: {new Intl.ListFormat('en').format(parts)}.
    </p>
  ));
