import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ClientCapabilities,
} from '@modelcontextprotocol/server';
import type { Static } from 'typebox';
import { preflightJob } from '../../contract/jobs/preflight.ts';
import type { ErrorBody } from '../../contract/shapes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { callRead, type From, refusedTool, type ToolAnswer, type ToolDependencies } from './call.ts';
import type { Arguments } from './protocol.ts';
import { readArguments } from './read-arguments.ts';
import { answerLines, requirementForm } from './requirement-form.ts';
import type { ToolEndpoint } from './tools.ts';

/** What a host can show its person: a form, or an address to open. */
export type Reach = { form: boolean; url: boolean };

/** Only the version of 2026 asks within the answer; earlier ones need a session for it. */
export function reachOf(envelope: Record<string, unknown> = {}): Reach {
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const elicitation = capabilities?.elicitation;
  if (!elicitation) return { form: false, url: false };
  const url = elicitation.url !== undefined;
  return { form: elicitation.form !== undefined || !url, url }; // an empty capability means forms
}

/** What the person answered, by the name of the question. The host sends it, so it is untrusted input. */
export type Replies = Record<string, unknown> | undefined;

type Asking = ToolDependencies & { catalog: Catalog };

/**
 * Calls a tool, and asks the person at most once. A call with replies is the same call again. It can do no
 * more than a call without them, so nothing is stored or signed: docs/decisions/0058-asking-a-person.md
 */
export async function callWithPerson(
  dependencies: Asking,
  from: From,
  endpoint: ToolEndpoint,
  sent: unknown,
  { reach, replies }: { reach: Reach; replies: Replies },
): Promise<ToolAnswer | InputRequiredResult> {
  let args: Arguments;
  try {
    args = readArguments(endpoint, sent);
  } catch (error) {
    return refusedTool(dependencies, from, endpoint, error);
  }
  const isPreflight = endpoint.operationId === preflightJob.operationId;
  if (isPreflight && replies) return preflightWith(dependencies, from, endpoint, args, replies['requirements']);
  const answer = await callRead(dependencies, from, endpoint, args);
  if (replies) return answer;
  if (answer.isError) return (reach.url && pageQuestion(answer)) || answer;
  return (isPreflight && reach.form && requirementQuestion(dependencies, args, answer)) || answer;
}

/** The job is created with what was checked, so the answer contains it. */
async function preflightWith(
  dependencies: Asking,
  from: From,
  endpoint: ToolEndpoint,
  args: Arguments,
  reply: unknown,
): Promise<ToolAnswer> {
  let lines: string[];
  try {
    lines = answerLines(dependencies.catalog, args, reply);
  } catch (error) {
    return refusedTool(dependencies, from, endpoint, error);
  }
  if (lines.length === 0) return callRead(dependencies, from, endpoint, args);
  const customer_instructions = [String(args['customer_instructions']), '', ...lines].join('\n');
  const answer = await callRead(dependencies, from, endpoint, { ...args, customer_instructions });
  if (answer.isError) return answer;
  const next_action = 'Your user answered what was missing. Create the job with these customer_instructions.';
  const body = { ...(JSON.parse(answer.text) as object), customer_instructions, next_action };
  return { text: JSON.stringify(body), isError: false };
}

const plans = 'This page shows the plans. Opening it buys nothing.';
/** What the page in the details of a refusal is for. */
const pageWords: { [code: string]: string } = {
  entitlement_required: plans,
  quota_exceeded: plans,
  confirmation_required: 'This page shows the order. An owner or admin decides there; opening it confirms nothing.',
};

function pageQuestion({ text }: ToolAnswer): InputRequiredResult | null {
  const { code, message, details } = JSON.parse(text) as ErrorBody['error'];
  const url = details?.find((detail) => detail.url !== undefined)?.url;
  const words = pageWords[code];
  if (url === undefined || words === undefined) return null;
  return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ url, message: `${message} ${words}` }) } });
}

type PreflightBody = Static<(typeof preflightJob)['answers'][200]['schema']>;

function requirementQuestion({ catalog }: Asking, args: Arguments, { text }: ToolAnswer): InputRequiredResult | null {
  const { intent_check } = (JSON.parse(text) as PreflightBody).preflight;
  const form = requirementForm(catalog, args, intent_check.missing_intake_requirements);
  return form && inputRequired({ inputRequests: { requirements: inputRequired.elicit(form) } });
}
