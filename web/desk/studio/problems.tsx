import { Box, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '../../ui/look/icons.ts';
import type { CatalogProblem, PriceVerdict } from '../../app/api.ts';
import type { Spot } from './spot.ts';

type Props = { problems: CatalogProblem[]; goTo: (spot: Spot) => void };

/** Each leads to its line. */
export const Problems = ({ problems, goTo }: Props) => (
  <section className="stack-small" aria-label="Problems" role="alert">
    <strong className="bad icon-line">
      <IconAlertTriangle size={16} aria-hidden />
      {problems.length === 1 ? '1 problem' : `${problems.length} problems`}: nothing can be published like this.
    </strong>
    <ul className="stack-small" style={{ gap: 2 }}>
      {problems.map((problem, index) => (
        <li key={index}>
          <ProblemLine problem={problem} goTo={goTo} />
        </li>
      ))}
    </ul>
  </section>
);

function ProblemLine({
  problem: { file, line, column, message },
  goTo,
}: Pick<Props, 'goTo'> & { problem: CatalogProblem }) {
  const at = [file, line].filter((part) => part !== null).join(':');
  if (!file.endsWith('.yaml'))
    return (
      <Box className="breaks" py={4} fz={13}>
        <span className="mono bad">{at}</span> {message}
      </Box>
    );
  return (
    <UnstyledButton
      className="problem breaks"
      w="100%"
      ml={-8}
      p="4px 8px"
      bdrs={7}
      fz={13}
      c="var(--ink)"
      onClick={() => goTo({ file, line: line ?? 1, column: column ?? 1 })}
    >
      <span className="mono bad">{at}</span> {message}
    </UnstyledButton>
  );
}

/** Plans whose prices differ at the provider do not stop a publication. */
export function Prices({ prices }: { prices: PriceVerdict[] }) {
  const different = prices.filter(({ reason }) => reason !== null);
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
