import {
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { readCatalog } from '../../contract/ordering/catalog.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { readJob } from '../../contract/jobs/jobs.ts';
import { ask, errorOf, type From, type ToolDependencies } from './call.ts';
import type { Arguments } from './protocol.ts';
import { type Skill, skillIndex, skillIndexUri } from './skill.ts';
import { jobUri } from './subscriptions.ts';
import { listUi, readUi, type UiDependencies } from './ui.ts';

export type Chapter = { title: string; slug: string; text: string };
type Texts = { guide: Chapter[]; skill: Skill };

const catalogUri = 'atelier://catalog';
const guideUri = ({ slug }: Chapter) => `atelier://guide/${slug}`;

type ResourceDependencies = ToolDependencies & UiDependencies & Texts;

export const listResources = ({ guide, skill: { entry }, ...dependencies }: ResourceDependencies): Resource[] => [
  {
    uri: catalogUri,
    name: 'catalog',
    title: 'Catalog',
    description: 'What can be ordered.',
    mimeType: 'application/json',
  },
  {
    uri: entry.uri,
    name: entry.frontmatter.name,
    title: 'Skill',
    description: entry.frontmatter.description,
    mimeType: 'text/markdown',
  },
  {
    uri: skillIndexUri,
    name: 'skills',
    title: 'Skills',
    description: 'The skills of this server.',
    mimeType: 'application/json',
  },
  ...guide.map((chapter) => ({
    uri: guideUri(chapter),
    name: chapter.slug,
    title: chapter.title,
    description: `Chapter of the guide: ${chapter.title}.`,
    mimeType: 'text/markdown',
  })),
  ...listUi(dependencies),
];

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: jobUri('{id}'),
    name: 'job',
    title: 'Job',
    description: 'A job with its events. Subscribe to be told when it changes.',
    mimeType: 'application/json',
  },
];

export async function readResource(
  dependencies: ResourceDependencies,
  from: From,
  uri: string,
): Promise<ReadResourceResult> {
  const { skill } = dependencies;
  if (uri === skill.entry.uri) return { contents: [{ uri, mimeType: 'text/markdown', text: skill.text }] };
  if (uri === skillIndexUri) return { contents: [{ uri, mimeType: 'application/json', text: skillIndex(skill) }] };
  const chapter = dependencies.guide.find((item) => guideUri(item) === uri);
  if (chapter) return { contents: [{ uri, mimeType: 'text/markdown', text: chapter.text }] };
  if (uri === catalogUri) return readJson(dependencies, from, { uri, endpoint: readCatalog, args: { form: 'whole' } });
  if (uri.startsWith('ui:')) return readUi(dependencies, uri);
  const [, id] = /^atelier:\/\/jobs\/([^/]+)$/.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  return readJson(dependencies, from, { uri, endpoint: readJob, args: { job_id: id, events: 'all' } });
}

type Read = { uri: string; endpoint: Endpoint; args: Arguments };

async function readJson(
  dependencies: ToolDependencies,
  from: From,
  { uri, endpoint, args }: Read,
): Promise<ReadResourceResult> {
  try {
    const text = await ask(dependencies, from, endpoint, args);
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  } catch (error) {
    const { code, message, ...rest } = errorOf(dependencies, from, endpoint, error);
    if (code === 'job_not_found') throw new ResourceNotFoundError(uri, message);
    throw new ProtocolError(-32603, message, { code, ...rest });
  }
}
