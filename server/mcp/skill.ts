import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Skill as SkillEntry } from '@modelcontextprotocol/server/ext/skills';
import { parse } from 'yaml';
import { root } from '../lib/places.ts';

/** Where the skill stands in the package of the client, and below `/` over HTTP. */
export const skillPath = '/skills/atelier/SKILL.md';

const uri = 'skill://atelier/SKILL.md';

/** The skill in its one form: over HTTP, as a resource of MCP, and as `skills/list` describes it. */
export type Skill = { text: string; entry: SkillEntry };

export function readSkill(serverUrl: string): Skill {
  const text = readFileSync(join(root, 'client', skillPath), 'utf8').replaceAll(
    'https://atelier.example.com',
    serverUrl,
  );
  const [, frontmatter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const entry = {
    uri,
    frontmatter: parse(frontmatter) as SkillEntry['frontmatter'],
    resources: [{ uri, digest, size: Buffer.byteLength(text) }],
  };
  return { text, entry };
}

/** Hosts that follow drafts of the extension read this resource instead of calling `skills/list`. */
export const skillIndexUri = 'skill://index.json';

export const skillIndex = ({ entry: { frontmatter, resources } }: Skill): string => {
  const { name, description } = frontmatter;
  const [file] = resources === 'dynamic' ? [] : resources;
  return JSON.stringify({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ name, type: 'skill-md', description, url: uri, digest: file?.digest }],
  });
};
