import type { IntentBrief } from '../../contract/job.ts';
import type { Catalog, Family } from '../catalog/catalog.ts';
import type { Answer } from '../requirements/find-answers.ts';
import { briefOf } from './brief.ts';
import { commands, type Effect, leaveOpen } from './commands.ts';
import { type Message, type NamedFile, type Parsed, parseMessage, type Told } from './parse-message.ts';
import { aboutFiles, acknowledge, greeting, questionFor, readBack } from './reply.ts';
import { newState, type Question, questionOf, type State, withNote } from './state.ts';

/** What a message leads to. The brief is there once nothing is left to ask. */
export type Turn = { state: State; reply: string; understood: Answer[]; brief: IntentBrief | null };

/** What the concierge says to a customer who has not said anything yet. */
export function greet(family: Family, serviceType: string | null): Turn {
  const state = newState(family, serviceType);
  return { state, reply: greeting(family, state), understood: [], brief: null };
}

/** A question that was met with something else so often is not put again now. */
const mostTries = 3;

/**
 * One message and the reply to it: from what is known follows the one question to ask, or the brief. No clock, no chance
 * and no I/O: the same conversation always goes the same way.
 */
export function converse({ plans }: Pick<Catalog, 'plans'>, family: Family, earlier: State, message: Message): Turn {
  const before = withFiles(earlier, message.files);
  const open = questionOf(family, before);
  const parsed = parseMessage(family, before, open, plans.values(), message);
  const effect = effectOf(family, before, open, parsed, message);
  const asked = message.opening && parsed.kind === 'told' ? null : open;
  const known = effect.state;
  const missed = parsed.kind === 'told' || (parsed.kind === 'command' && parsed.name === 'greet');
  const tries = known.tries + (missed ? 1 : 0);
  const stands = questionOf(family, known) === asked;
  const goesOn = asked && stands && tries >= mostTries ? leaveOpen(family, known, asked, null) : null;
  const after = goesOn?.state ?? known;
  const question = questionOf(family, after);
  const state: State = {
    ...after,
    tries: question !== asked ? 0 : Math.min(tries, 2),
    guessed: parsed.kind === 'told' ? parsed.told.guessed.map(({ requirement }) => requirement) : [],
    version: question ? after.version : after.version + 1,
  };
  const brief = question ? null : briefOf(family, state);
  const said = [effect.say, aboutFiles(message.files), goesOn?.say].filter(Boolean).join(' ');
  const next = question
    ? questionFor(family, question, question === asked ? Math.max(1, state.tries) : 0)
    : said && known === earlier
      ? `Your brief, now version ${state.version}, is ready to be confirmed.`
      : readBack(family, state, brief!);
  const understood = parsed.kind === 'told' ? answersTold(parsed.told) : [];
  return { state, brief, understood, reply: said ? `${said}\n\n${next}` : next };
}

function effectOf(family: Family, before: State, asked: Question, parsed: Parsed, message: Message): Effect {
  if (parsed.kind === 'question') return { state: before, say: parsed.answer };
  if (parsed.kind === 'told')
    return { state: takeUp(before, parsed.told, message.text), say: acknowledge(parsed.told, message.files) };
  return commands[parsed.name].run(family, before, asked, parsed.label);
}

const answersTold = ({ notes, guessed }: Told): Answer[] => [
  ...notes.filter((note): note is Answer => 'answer' in note),
  ...guessed,
];

/** What is known after a message about the work. Nothing is dropped: it is an answer, or kept as it stands. */
function takeUp(before: State, { option, notes, guessed, keep }: Told, text: string): State {
  return {
    ...[...notes, ...guessed].reduce(withNote, before),
    ...(option ? { service_type: option.id, option_left_to_studio: false } : {}),
    ...(keep ? { own_words: [...before.own_words, text] } : {}),
  };
}

function withFiles(state: State, files: NamedFile[]): State {
  const known = new Set(state.files.map(({ id }) => id));
  const added = files.flatMap(({ id, name }) => (name === null || known.has(id) ? [] : [{ id, name }]));
  return added.length === 0 ? state : { ...state, files: [...state.files, ...added] };
}
