-- What the webhook of the payment provider last saw: one row, so that a wrong signing secret is noticed. Counted are
-- posts in the form of a signed event, by every process together. A post without such a signature says nothing.
create table webhook_signatures (
  only_row boolean primary key default true check (only_row),
  accepted bigint not null default 0,
  accepted_at timestamptz(3),
  -- When the first of the secrets last matched: while one is replaced, the second may match alone.
  first_matched_at timestamptz(3),
  -- When an event of the other mode (test or live) was last signed with one of the secrets.
  other_mode_at timestamptz(3),
  refused bigint not null default 0,
  refused_at timestamptz(3),
  -- Since the last accepted one; exact to the second in which several processes take posts.
  refused_since bigint not null default 0,
  refused_first_at timestamptz(3),
  -- When a post was last refused for its time alone, and how many seconds that was later than the clock here.
  untimely_at timestamptz(3),
  untimely_seconds integer,
  check ((refused_since = 0) = (refused_first_at is null)),
  check ((untimely_at is null) = (untimely_seconds is null))
);
