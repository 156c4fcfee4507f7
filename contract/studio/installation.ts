import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, Count, Nullable } from '../shapes.ts';
import { Studio } from './studio.ts';

const Installation = Closed(
  {
    build: Nullable(Type.String(), 'Changes with each build of the pages; null without a build.'),
    studio: Studio,
    livemode: Type.Boolean({ description: 'Whether plans cost real money.' }),
    api_key_lead: Type.String({ description: 'The lead of API keys.' }),
    mailbox: Nullable(
      Type.String(),
      'Path of the page that shows mails instead of sending them; null if they are sent.',
    ),
    file_types: Type.Array(
      Closed({
        media_type: Type.String({ description: 'The `content_type` of an upload.' }),
        extensions: Type.Array(Type.String(), { description: 'Endings of file names, without a dot.' }),
        shown: Type.Boolean({
          description:
            'Whether pages may show such a file. Others are stored and downloaded as `application/octet-stream`.',
        }),
      }),
      { description: 'What may be uploaded.' },
    ),
    limits: Closed(
      {
        file_bytes: Count('Bytes of the largest file.'),
        stored_bytes: Count('Bytes that an account may store in total.'),
      },
      { description: 'Bounds of this installation.' },
    ),
  },
  { $id: 'Installation', description: 'What the pages need to know about this installation.' },
);

export const readInstallation = endpoint({
  operationId: 'readInstallation',
  method: 'GET',
  path: '/api/v1/installation',
  tag: 'Reference',
  summary: 'Read the settings of this installation',
  auth: 'public',
  rate: 'read_public',
  answers: { 200: { description: 'The installation.', schema: Closed({ installation: Installation }) } },
  errors: {},
});
