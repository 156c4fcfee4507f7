import Type from 'typebox';
import { brandBounds } from './brand-bounds.ts';
import { endpoint } from '../endpoint.ts';
import { File } from '../files/file.ts';
import { Closed, Creator, hidden, Id, IdParams, Nullable, Timestamp } from '../shapes.ts';

export const BrandFact = Closed(
  {
    label: Type.String({
      minLength: 1,
      maxLength: brandBounds.label,
      pattern: `^(?!\\s)(?![^]*\\s$)[^${hidden}]+$`,
      description: `1 to ${brandBounds.label} visible code points on one line, without spaces at the ends. Unique in the kit, whatever the case.`,
      examples: ['Colours'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: brandBounds.text,
      pattern: '\\S',
      description: `1 to ${brandBounds.text} code points.`,
      examples: ['Dark green #1f4d3a and cream'],
    }),
  },
  { $id: 'BrandFact', description: 'A fact about the brand.' },
);

const facts = Type.Array(BrandFact, { maxItems: brandBounds.facts, description: 'At most 20.' });

const fileIds = Type.Array(Id('file'), {
  maxItems: brandBounds.files,
  uniqueItems: true,
  description: `At most ${brandBounds.files} uploads for \`job_reference\` without a job. The kit keeps them beyond their retention.`,
});

/** As the studio reads it. */
export const JobBrand = Closed(
  { facts, files: Type.Array(File, { description: 'Its files.' }) },
  { $id: 'JobBrand', description: 'A brand kit as the studio reads it.' },
);

const Brand = Closed(
  {
    facts,
    file_ids: fileIds,
    files: Type.Array(File, { description: 'The same files in full, in the same order.' }),
    version: Type.Integer({ minimum: 0, description: 'Grows with each change, from 0.' }),
    updated_at: Nullable(Timestamp('When it was last changed; null in version 0.')),
    updated_by: Nullable(
      Creator,
      'The person or API key that changed it last, under its name today; null in version 0.',
    ),
  },
  { $id: 'Brand', description: 'What the studio should know with every job.' },
);

const answers = { 200: { description: 'The brand kit.', schema: Closed({ brand: Brand }) } };

export const readBrand = endpoint({
  operationId: 'readBrand',
  method: 'GET',
  path: '/api/v1/brand',
  tag: 'Account',
  summary: 'Read the brand kit of the account',
  auth: 'caller',
  answers,
  errors: {},
});

export const replaceBrand = endpoint({
  operationId: 'replaceBrand',
  method: 'PUT',
  path: '/api/v1/brand',
  tag: 'Account',
  summary: 'Replace the brand kit of the account',
  description: 'By owners, admins and API keys. Each new job gets a copy; earlier jobs keep theirs.',
  auth: 'caller',
  csrf: true,
  body: Closed({
    facts,
    file_ids: fileIds,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        description: 'The version that it replaces. Default: any.',
      }),
    ),
  }),
  answers,
  errors: {
    403: ['role_required'],
    409: ['brand_changed'],
    422: ['invalid_request', 'unsafe_request'],
  },
});

export const readJobBrand = endpoint({
  operationId: 'readJobBrand',
  method: 'GET',
  path: '/api/v1/jobs/{id}/brand',
  tag: 'Jobs',
  summary: 'Read the brand kit that went along',
  description: 'The copy that the studio works from. The kit of the account may have changed since.',
  auth: 'caller',
  params: IdParams('job'),
  whileViewing: true,
  answers: {
    200: {
      description: 'The copy.',
      schema: Closed({ brand: Nullable(JobBrand, 'Null if none went along.') }),
    },
  },
  errors: { 404: ['job_not_found'] },
});
