import type { Catalog, Family } from '../catalog/catalog.ts';
import type { Answer } from '../requirements/find-answers.ts';
import { type Brief, briefOf } from './brief.ts';
import { commands, type Effect } from './commands.ts';
import { type Message, type NamedFile, type Parsed, parseMessage, type Told } from './parse-message.ts';
import { compose, greeting } from './reply.ts';
import { leave, newState, nextQuestion, noteAnswer, type Question, type State } from './state.ts';

/** What a message leads to. The brief is there once nothing is left to ask. */
export type Turn = { state: State; reply: string; understood: Answer[]; brief: Brief | null };

/** What the concierge says to a customer who has not said anything yet. */
export function greet(family: Family, serviceType: string | null): Turn {
  const state = newState(family, serviceType);
  const asked = nextQuestion(family, state);
  return { state: { ...state, asked }, reply: greeting(family, { ...state, asked }), understood: [], brief: null };
}

/**
 * One message and the reply to it: from what is known follows the one question to ask, or the brief. No clock, no chance
 * and no I/O: the same conversation always goes the same way.
 */
export function converse({ plans }: Pick<Catalog, 'plans'>, family: Family, before: State, message: Message): Turn {
  const parsed = parseMessage(family, before, plans.values(), message);
  const told = parsed.kind === 'told' ? parsed.told : null;
  const effect = effectOf(family, before, parsed, message.text);
  const known = addFiles(effect.state, message.files);
  const same = isSame(nextQuestion(family, known), before.asked);
  const missed = same && (told !== null || (parsed.kind === 'command' && parsed.name === 'greet'));
  const misses = same ? before.misses + (missed ? 1 : 0) : 0;
  const goesOn = missed && misses >= mostMisses;
  const after = goesOn ? withoutQuestion(known) : known;
  const asked = nextQuestion(family, after);
  const again = isSame(asked, before.asked);
  const state: State = {
    ...after,
    asked,
    guessed: told?.guessed.map(({ requirement }) => requirement) ?? [],
    misses: again ? misses : 0,
    version: asked === null ? after.version + 1 : after.version,
  };
  const brief = briefOf(family, state);
  const understood = told ? [...told.answers, ...told.guessed] : [];
  return {
    state,
    brief,
    understood,
    reply: compose(family, { before, state, brief, message, effect, told, again, goesOn: goesOn && !again }),
  };
}

/** A question that was met with something else so often is not put again now. */
const mostMisses = 3;

const isSame = (a: Question | null, b: Question | null): boolean => JSON.stringify(a) === JSON.stringify(b);

const withoutQuestion = (state: State): State =>
  state.asked && 'requirement' in state.asked
    ? leave(state, state.asked.requirement, 'open')
    : { ...state, option_postponed: true };

function effectOf(family: Family, before: State, parsed: Parsed, text: string): Effect {
  if (parsed.kind === 'command') return commands[parsed.name].run(family, before, parsed.label);
  if (parsed.kind === 'question') return { state: before, say: parsed.answer };
  return { state: takeUp(before, parsed.told, text), say: '' };
}

/** What is known after a message about the work. Nothing is dropped: it is an answer, or kept as it stands. */
function takeUp(before: State, { option, answers, guessed, open, keep }: Told, text: string): State {
  const noted = [...answers, ...guessed].reduce((state, one) => noteAnswer(state, one.requirement, one.answer), before);
  const left = open.reduce((state, label) => leave(state, label, 'open'), noted);
  return {
    ...left,
    ...(option ? { service_type: option.id, option_left_to_studio: false } : {}),
    own_words: keep ? [...left.own_words, text] : left.own_words,
  };
}

function addFiles(state: State, files: NamedFile[]): State {
  const known = new Set(state.files.map(({ id }) => id));
  const added = files.flatMap(({ id, name }) => (name === null || known.has(id) ? [] : [{ id, name }]));
  return { ...state, files: [...state.files, ...added] };
}
