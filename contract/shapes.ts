import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import Format from 'typebox/format';
import { errors, type ErrorCode } from './errors.ts';
import { emailPattern, readTime } from './typed.ts';

Format.Set('date-time', (text) => readTime(text) !== null);

/** Objects are closed: unknown fields are refused, and an answer cannot contain one by accident. */
export const Closed = <P extends TProperties>(
  properties: P,
  options: { $id?: string; description?: string; examples?: object[] } = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

export const Nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description ? { description } : {});

/** A secret of which nothing is stored, so that a repeat cannot have it. */
export const ShownOnce = (description: string) =>
  Nullable(Type.String(), `${description} Shown once: null in a repeat with the same Idempotency-Key.`);

export const NextAction = Type.String({ description: 'Guidance: what to do next.' });

export const Timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    description,
    examples: ['2026-11-20T09:30:00.000Z'],
  });

export const RequestTime = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description} ISO 8601 with a zone.`,
    examples: ['2026-11-20T09:30:00Z'],
  });

/** TypeIDs: a prefix and a UUIDv7 in base32. Anything else is a 404. */
export const Id = (prefix: string, description?: string) =>
  Type.String({
    description: description ?? `Opaque \`${prefix}_…\` id.`,
    examples: [`${prefix}_01jd3vsh8xe7rtx1zqbdnzc4v0`],
  });

/** Invisible characters, and those that change the direction of text or end a line. */
export const hidden = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';
/** Allowed in emoji only: one selects the picture form, one joins pictures. */
export const emojiParts = '\\u200d\\ufe0f';
export const emojiOnly =
  '(?![^]*(?:(?<!\\p{Emoji})\\ufe0f|(?<![\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}])\\u200d|\\u200d(?!\\p{Extended_Pictographic})))';

/** No slash and no `www.`: mails to strangers contain names, and mail readers would make links. */
export const Name = (example: string) =>
  Type.String({
    $id: 'Name',
    minLength: 1,
    maxLength: 100,
    pattern: `^(?!.*(?:/|[wW]{3}\\.))(?!.*(?![${emojiParts}])\\p{Default_Ignorable_Code_Point})${emojiOnly}(?=.*[\\p{L}\\p{N}])[\\p{L}\\p{M}\\p{N}\\p{P}\\p{Zs}+=|~$€£¥^°\\p{Extended_Pictographic}\\u{1f1e6}-\\u{1f1ff}\\u{1f3fb}-\\u{1f3ff}${emojiParts}]*$`,
    description:
      '1 to 100 letters, digits, spaces, emoji and common punctuation, with a letter or digit, without a slash or a link such as www.example.com.',
    examples: [example],
  });

const CreatorKind = Type.Enum(['user', 'api_key', 'app', 'worker_key', 'operator'], {
  $id: 'CreatorKind',
  type: 'string',
  description:
    '`user` for a session, `app` for a connected app, `operator` for the studio, on behalf of the account. More may come.',
});
export const Creator = Closed(
  {
    kind: CreatorKind,
    id: Type.String({
      description: 'Of the user, the key, or the grant of the app.',
      examples: ['user_01jd3vsh8xe7rtx1zqbdnzc4v0'],
    }),
    name: Type.String({ description: 'Its name today; empty where a worker reads it.' }),
  },
  { $id: 'Creator', description: 'A person or a key.' },
);

export const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const Email = Type.String({
  $id: 'Email',
  minLength: 3,
  maxLength: 254,
  pattern: emailPattern,
  description: 'An e-mail address, such as ada@example.com. Stored and compared in lower case.',
  examples: ['ada@example.com'],
});

export const IdParams = (prefix: string) => Closed({ id: Id(prefix) });

export const Cursor = Type.String({
  maxLength: 1024,
  description: 'Opaque cursor from `next_cursor` of a previous answer with the same filters.',
});
export const NextCursor = Nullable(Type.String(), 'Null on the last page.');
export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Page size.' });
/** What every list takes besides its filters. */
export const page = { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) };

export const Code = Type.Enum(Object.keys(errors) as ErrorCode[], {
  $id: 'ErrorCode',
  type: 'string',
  description: 'Stable identifier. Branch on it, never on the message.',
});

const envelope = {
  code: Code,
  message: Type.String({ description: 'For people.' }),
  action: Type.String({ description: 'The suggested next step, in one sentence.' }),
  request_id: Type.String({ description: 'Also in the `X-Request-Id` header and in the log.' }),
  docs: Type.String({ description: 'Address of the page about this code, HTML or Markdown by `Accept`.' }),
};

export const docsOf = (code: ErrorCode, serverUrl: string): string => `${serverUrl}/docs/errors/${code}`;

/** Protocol errors: 400, 401, 404, 405, 413 of a body, 415 and 5xx. */
export const ErrorResponse = Closed(
  {
    error: Closed({
      ...envelope,
      details: Type.Optional(
        Type.Array(
          Closed({
            location: Type.String({
              description:
                'JSON Pointer into the body, the name of a query parameter, header or dependency, `plan`, or `order`.',
            }),
            message: Type.String(),
            url: Type.Optional(
              Type.String({
                description:
                  'Of a refusal by the plan: the page where plans are changed; of `confirmation_required` the page of the order.',
              }),
            ),
            maximum: Type.Optional(Count('Of `adjustment_too_large`: by how many jobs at most.')),
            resets_at: Type.Optional(Timestamp('Of `quota_exceeded`: when the next period grants quota.')),
          }),
        ),
      ),
      retry_after_seconds: Type.Optional(
        Type.Integer({ minimum: 1, description: 'On rate-limit errors: seconds to wait.' }),
      ),
      retry_at: Type.Optional(Timestamp('On rate-limit errors: when to try again.')),
    }),
  },
  { $id: 'ErrorResponse', description: 'A protocol failure.' },
);

export const Upload = Closed(
  {
    method: Type.Literal('PUT', { description: 'The method to use.' }),
    url: Type.String({ description: 'Short-lived and signed; not a durable public URL.' }),
    expires_at: Timestamp('When the URL stops working.'),
    headers: Closed(
      {
        'content-type': Type.String({ description: 'The type of the presign request.' }),
        'x-service-max-size': Type.String({ description: 'The maximum number of bytes, as a decimal string.' }),
      },
      { description: 'Headers to send, exactly.' },
    ),
  },
  { $id: 'Upload', description: 'Send the raw bytes with this method to this URL, with exactly these headers.' },
);

/** Business errors: 403, 409, 413 of a file, 422 and 429. */
export const RejectResponse = Closed(
  {
    error: Closed({
      ...ErrorResponse.properties.error.properties,
      upload: Type.Optional(Upload),
    }),
  },
  { $id: 'RejectResponse', description: 'A refusal. `upload_incomplete` has `upload`: where to send the bytes.' },
);

export type ErrorBody = Static<typeof RejectResponse>;
