-- A reviewer looks at work, comments, approves and writes, and orders nothing.
alter table invitations drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('owner', 'admin', 'member', 'reviewer'));
alter table members drop constraint members_role_check,
  add constraint members_role_check check (role in ('owner', 'admin', 'member', 'reviewer')),
  -- Whether what a plain member orders waits until an owner or admin confirms it. Without effect on other roles, so that
  -- the version before, which does not know it, can still change a role.
  add column orders text not null default 'direct' check (orders in ('direct', 'confirmed'));
