import type { IntentBrief } from '../../contract/job.ts';
import type { Catalog, Family } from '../catalog/catalog.ts';
import type { Answer } from '../requirements/find-answers.ts';
import { briefOf } from './brief.ts';
import { commands, type Effect, leaveOpen } from './commands.ts';
import { type Message, type NamedFile, type Parsed, parseMessage, type Reading } from './parse-message.ts';
import { aboutFiles, acknowledge, greeting, questionFor, readBack } from './reply.ts';
import { newState, type Question, questionOf, type State, withNote } from './state.ts';

export type Exchange = { state: State; reply: string; understood: Answer[]; brief: IntentBrief | null };

export function greet(family: Family, serviceType: string | null): Exchange {
  const state = newState(family, serviceType);
  return { state, reply: greeting(family, state), understood: [], brief: null };
}

/** After this many unanswered attempts, a question is left open. */
const mostTries = 3;

/** Computes the reply to a message: the next question, or the brief. Deterministic, without clock or I/O. */
export function converse(
  { plans }: Pick<Catalog, 'plans'>,
  family: Family,
  earlier: State,
  message: Message,
): Exchange {
  const before = withFiles(earlier, message.files);
  const open = questionOf(family, before);
  const parsed = parseMessage(family, before, open, plans.values(), message);
  const effect = effectOf(family, before, open, parsed, message);
  const openQuestion = message.opening && parsed.kind === 'reading' ? null : open;
  const updated = effect.state;
  const missed = parsed.kind === 'reading' || (parsed.kind === 'command' && parsed.name === 'greet');
  const tries = updated.tries + (missed ? 1 : 0);
  const stands = questionOf(family, updated) === openQuestion;
  const goesOn = openQuestion && stands && tries >= mostTries ? leaveOpen(family, updated, openQuestion, null) : null;
  const after = goesOn?.state ?? updated;
  const question = questionOf(family, after);
  const state: State = {
    ...after,
    tries: question !== openQuestion ? 0 : Math.min(tries, 2),
    guessed: parsed.kind === 'reading' ? parsed.reading.guessed.map(({ requirement }) => requirement) : [],
    version: question ? after.version : after.version + 1,
  };
  const brief = question ? null : briefOf(family, state);
  const said = [effect.reply, aboutFiles(message.files), goesOn?.reply].filter(Boolean).join(' ');
  const next = question
    ? questionFor(family, question, question === openQuestion ? Math.max(1, state.tries) : 0)
    : said && updated === earlier
      ? `Your brief, now version ${state.version}, is ready to be confirmed.`
      : readBack(family, state, brief!);
  const understood = parsed.kind === 'reading' ? answersTold(parsed.reading) : [];
  return { state, brief, understood, reply: said ? `${said}\n\n${next}` : next };
}

function effectOf(family: Family, before: State, question: Question, parsed: Parsed, message: Message): Effect {
  if (parsed.kind === 'question') return { state: before, reply: parsed.answer };
  if (parsed.kind === 'reading')
    return { state: takeUp(before, parsed.reading, message.text), reply: acknowledge(parsed.reading, message.files) };
  return commands[parsed.name].run(family, before, question, parsed.label);
}

const answersTold = ({ notes, guessed }: Reading): Answer[] => [
  ...notes.filter((note): note is Answer => 'answer' in note),
  ...guessed,
];

/** Nothing is lost: text that is not an answer is kept unchanged. */
function takeUp(before: State, { option, notes, guessed, keep }: Reading, text: string): State {
  return {
    ...[...notes, ...guessed].reduce(withNote, before),
    ...(option ? { service_type: option.id, option_left_to_studio: false } : {}),
    ...(keep ? { own_words: [...before.own_words, text] } : {}),
  };
}

function withFiles(state: State, files: NamedFile[]): State {
  const knownIds = new Set(state.files.map(({ id }) => id));
  const added = files.flatMap(({ id, name }) => (name === null || knownIds.has(id) ? [] : [{ id, name }]));
  return added.length === 0 ? state : { ...state, files: [...state.files, ...added] };
}
