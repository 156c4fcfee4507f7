import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { fillMacro, type MacroFacts } from '../../../contract/desk/macro-text.ts';
import { deskPages } from '../../../contract/pages.ts';
import { type DeskJob, operationQuery } from '../../app/api.ts';
import type { Inserts } from '../../ui/form/insert-list.tsx';

/** The macros, filled with facts of this job: what is sent is what was read. */
export function useMacros(job: DeskJob): Inserts {
  const facts = factsOf(job);
  return useInserted((text) => fillMacro(text, facts), <NoMacros />);
}

/** For several jobs at once: macros that say the same to all. */
export const useMacrosOfAll = (): Inserts =>
  useInserted(
    (text) => (fillMacro(text, noFacts) === text ? text : null),
    'No macro says the same for all of these jobs.',
  );

/** Loaded once they are wanted. Null leaves one out. */
function useInserted(textOf: (text: string) => string | null, none: ReactNode): Inserts {
  const [isNeeded, setNeeded] = useState(false);
  const { data, error } = useQuery({ ...operationQuery('listMacros'), enabled: isNeeded });
  const items = data?.macros
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ id, name, text: stored }) => {
      const text = textOf(stored);
      return text === null ? [] : [{ id, name, text }];
    });
  return {
    label: 'Macros',
    items,
    none: data ? none : error ? 'The macros could not be loaded.' : 'Loading',
    onOpen: () => setNeeded(true),
  };
}

const noFacts: MacroFacts = { customer: '', title: '', round: '' };

const factsOf = ({ created_by: { kind, name }, account, customer_title, revisions }: DeskJob): MacroFacts => ({
  customer: kind === 'user' ? name : (account?.name ?? name),
  title: customer_title,
  round: String(revisions.used + 1),
});

const NoMacros = () => (
  <>
    There are no macros yet. <Link to={deskPages.macros}>Write the first one</Link>
  </>
);
