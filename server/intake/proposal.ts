import { type Static, type TSchema, Type } from 'typebox';
import { Closed, Nullable } from '../../contract/shapes.ts';
import type { Family, Requirement } from '../catalog/catalog.ts';
import { small } from '../requirements/prose.ts';
import { type Asked, asAnswer } from './talk.ts';

/** What a model made of a message, after everything in it was checked. It proposes; the rules decide. */
export type Proposal = {
  answers: { label: string; answer: string }[];
  service_type: string | null;
  /** Its words for the question; they count only where the rules come to the same question. */
  phrase: { asks: Asked; words: string } | null;
};

const oneOf = (values: string[]): TSchema => Type.Enum(values, { type: 'string' });

/** The only thing that a model can say. Ids and labels are those of the catalog; no bounds, which not every endpoint takes. */
export const proposalSchema = ({ options, intake_requirements }: Family) =>
  Closed({
    service_type: Nullable(oneOf(options.map(({ id }) => id))),
    answers: Type.Array(
      Closed({
        requirement: oneOf(intake_requirements.map(({ label }) => label)),
        answer: Type.String(),
      }),
    ),
    asks: Nullable(oneOf(intake_requirements.map(({ label }) => label))),
    question: Type.String(),
  });
type Raw = {
  service_type: string | null;
  answers: { requirement: string; answer: string }[];
  asks: string | null;
  question: string;
};
export type RawProposal = Static<ReturnType<typeof proposalSchema>> & Raw;

const plain = (text: string): string =>
  small(text)
    .replace(/[\s"'“”‘’]+/gu, ' ')
    .trim();

/** Links, addresses, markup, code, and characters that one does not see. */
const markup = /[<>[\]{}`*#|_~\\^=@\p{Cc}\p{Cf}\p{Co}]|:\/\/|\bwww\.|\p{L}\.(?:\p{L}{2,})|&\w+;/iu;
/** A question about the work has no business with these. */
const overreach =
  /\b(?:confirm|guarantee|(?:orders?|ordered|jobs?|creat(?:e|ed)|queued|paid|pay|payments?|price|cost|free|discount|refund|password|passcode|credit|card|api|token|secret|login|account|download|click|install|visit|prompt|ignore)\b)/iu;

const wordsOf = (text: string): string[] => small(text).match(/\p{L}{4,}/gu) ?? [];

/** Whether a question asks for this requirement and for no other, and says nothing that the catalog or the customer did not. */
function isSound(
  family: Family,
  { label, also_called, question, hint, example }: Requirement,
  words: string,
  said: string,
): boolean {
  const catalog = [label, ...also_called, question, hint, example].join(' ');
  const heard = new Set(wordsOf(words));
  const others = family.intake_requirements.filter((other) => other.label !== label);
  const numbers = words.match(/\d+/g) ?? [];
  return (
    words.length >= 10 &&
    words.length <= 400 &&
    words.split('?').length === 2 &&
    words.endsWith('?') &&
    !markup.test(words) &&
    !overreach.test(words) &&
    wordsOf(`${label} ${question}`).some(
      (word) => !['what', 'which', 'would', 'will', 'like', 'should', 'your'].includes(word) && heard.has(word),
    ) &&
    others.every((other) => !plain(words).includes(plain(other.label))) &&
    numbers.every((number) => `${catalog} ${said}`.includes(number))
  );
}

/**
 * What may be believed of a model's output. Each answer must stand, word for word, in what the customer wrote; one that
 * does not, and nothing of the output counts. A question that is not sound is left out, and the rules put their own.
 */
export function checked(family: Family, raw: RawProposal, said: string[]): Proposal | null {
  const all = plain(said.join('\n'));
  const answers = [];
  for (const { requirement, answer } of raw.answers) {
    const given = asAnswer(answer);
    if (given === null || !all.includes(plain(answer))) return null;
    answers.push({ label: requirement, answer: given });
  }
  const asked = family.intake_requirements.find(({ label }) => label === raw.asks);
  const words = raw.question.trim();
  const sound = asked !== undefined && isSound(family, asked, words, said.join('\n'));
  return {
    answers,
    service_type: raw.service_type,
    phrase: sound ? { asks: { requirement: asked.label }, words } : null,
  };
}
