/** What a macro may have, and what its text may name. Plain data, used by the server and the pages. */
export const macroBounds = { count: 200, name: 60, text: 5_000 };

/** Facts of a job that the desk fills in when it inserts a macro. */
export const macroPlaceholders = {
  customer: 'the name of the person who ordered, or of the account if a key did',
  title: 'the title of the job',
  round: 'the number of the delivery, from 1',
} as const;
export type MacroFacts = Record<keyof typeof macroPlaceholders, string>;

/** With other letters or spaces it is a typing error, which a customer would read. */
const placeholder = /\{ ?([a-z_]{1,40}) ?\}/gi;

const isKnown = (name: string): name is keyof MacroFacts => Object.hasOwn(macroPlaceholders, name);

/** As they are written, each once. */
export const unknownPlaceholders = (text: string): string[] => [
  ...new Set(text.match(placeholder)?.filter((written) => !isKnown(written.slice(1, -1)))),
];

/** What is filled in may look like a placeholder, so each is filled once. */
export const fillMacro = (text: string, facts: MacroFacts): string =>
  text.replace(placeholder, (written) => {
    const name = written.slice(1, -1);
    return isKnown(name) ? facts[name] : written;
  });
