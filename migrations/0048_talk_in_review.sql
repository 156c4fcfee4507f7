-- Replies of members and guests to comments. They have no state of their own: the studio reads them once their comment
-- is sent, and a deleted comment takes them along, also where the version before deletes it.
create table comment_replies (
  account_id uuid not null,
  job_id uuid not null,
  comment_id uuid not null,
  id uuid not null default uuidv7(),
  text text not null check (char_length(text) between 1 and 2000),
  -- The author: a person, an API key, or a guest of a review link.
  user_id uuid,
  api_key_id uuid,
  guest_name text check (char_length(guest_name) between 1 and 100),
  review_link_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, job_id, comment_id, id),
  foreign key (account_id, job_id, comment_id) references job_comments (account_id, job_id, id) on delete cascade,
  check (num_nonnulls(user_id, api_key_id, guest_name) = 1),
  check ((guest_name is null) = (review_link_id is null))
);
create index on comment_replies (account_id, review_link_id) where review_link_id is not null;

-- A settled comment is not sent. By the person or API key that settled it.
alter table job_comments
  add column settled_at timestamptz(3),
  add column settled_by_user uuid,
  add column settled_by_key uuid,
  add constraint job_comments_settled check (num_nonnulls(settled_by_user, settled_by_key) = num_nonnulls(settled_at));

-- Members and guests who have the review of a job open. Their pages say so again and again. A crash of the database may
-- lose this. A guest is known by the name that they entered, which may be missing.
create unlogged table review_lookers (
  account_id uuid not null,
  job_id uuid not null,
  id uuid not null default uuidv7(),
  user_id uuid references people (id),
  review_link_id uuid,
  guest_name text check (char_length(guest_name) between 1 and 100),
  seen_at timestamptz(3) not null,
  primary key (account_id, job_id, id),
  unique nulls not distinct (account_id, job_id, user_id, review_link_id, guest_name),
  foreign key (account_id, job_id) references jobs (account_id, id),
  check (num_nonnulls(user_id, review_link_id) = 1),
  check (guest_name is null or review_link_id is not null)
);
create index on review_lookers (seen_at);
create index on review_lookers (user_id) where user_id is not null;

-- Who asked, where a person did. What colleagues say and ask has a side of its own, which the version before does not read: it
-- has no words for it.
alter table notifications add column by_user uuid,
  drop constraint notifications_side_check,
  add constraint notifications_side_check check (side in ('customer', 'studio', 'office', 'team'));
