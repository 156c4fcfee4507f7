import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { faultOf } from '../../contract/ordering/fits-kind.ts';
import { type Catalog, findService, type Requirement, requirementsOf } from '../catalog/catalog.ts';
import { badBody, pointerPart, Refusal } from '../http/refusal.ts';
import { type Arguments, isObject } from './protocol.ts';

/** Null if nothing that the studio needs is missing. Then what may stay open is not asked either. */
export function requirementForm(
  catalog: Catalog,
  args: Arguments,
  missing: readonly string[],
): ElicitRequestFormParams | null {
  const { name, requirements } = serviceOf(catalog, args);
  const open = requirements.filter(({ label }) => missing.includes(label));
  const required = open.filter(({ optional }) => !optional).map(({ label }) => label);
  if (required.length === 0) return null;
  const message = `The studio needs this for the order: ${name}. Your answers become part of it. Nothing is ordered by answering.`;
  const properties = Object.fromEntries(open.map((requirement) => [requirement.label, fieldOf(requirement)]));
  return { message, requestedSchema: { type: 'object', properties, required } };
}

/** `label: answer` for each accepted answer. Throws a refusal if the studio could not use one. */
export function answerLines(catalog: Catalog, args: Arguments, reply: unknown): string[] {
  if (!isObject(reply) || reply['action'] !== 'accept' || !isObject(reply['content'])) return [];
  const { requirements } = serviceOf(catalog, args);
  const answers = Object.entries(reply['content']).map(([label, value]) => {
    const requirement = requirements.find((candidate) => candidate.label === label);
    const answer = typeof value === 'string' ? value.replace(/\s+/gu, ' ').trim() : null;
    const message = requirement
      ? answer === null
        ? 'must be a text'
        : answer && faultOf(requirement, answer)
      : 'is not a known field';
    return { label, answer, message };
  });
  const faults = answers.flatMap(({ label, message }) =>
    message ? [{ location: `/requirements/${pointerPart(label.slice(0, 100))}`, message }] : [],
  );
  if (faults.length > 0) throw badBody(faults.slice(0, 20));
  return answers.flatMap(({ label, answer }) => (answer ? [`${label}: ${answer}`] : []));
}

/** Without files, which a form cannot take. The tool itself refuses an unknown service. */
function serviceOf(catalog: Catalog, args: Arguments): { name: string; requirements: Requirement[] } {
  const service = findService(catalog, String(args['service_family']), String(args['service_type']));
  if (service instanceof Refusal) return { name: '', requirements: [] };
  const { family, option } = service;
  const requirements = requirementsOf(family, option.id).filter(({ kind }) => kind !== 'files');
  return { name: option.name, requirements };
}

function fieldOf({ label, question, hint, kind, choices }: Requirement) {
  const words = { type: 'string' as const, title: label, description: `${question} ${hint}` };
  if (kind === 'choice') return { ...words, enum: choices };
  if (kind === 'url') return { ...words, format: 'uri' as const };
  return kind === 'date' ? { ...words, format: 'date' as const } : words;
}
